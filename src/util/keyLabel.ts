/** The platforms for which a manifest can name keys of their own. */
export type Platform = 'mac' | 'linux' | 'win';

const names: Readonly<Record<string, string>> = {
  ctrl: 'Ctrl',
  cmd: 'Command',
  alt: 'Alt',
  shift: 'Shift',
  pagedown: 'PageDown',
  pageup: 'PageUp',
};

/** Keys as a person reads or hears them: *Ctrl+Shift+Down* for `ctrl+shift+down`, one after the other in a chord. */
export function keyLabel(keys: string): string {
  return keys
    .split(' ')
    .map((chord) => chord.split('+').map(nameOf).join('+'))
    .join(' ');
}

function nameOf(key: string): string {
  return names[key] ?? key.charAt(0).toUpperCase() + key.slice(1);
}
