import type { MarkName } from './marks.ts';

/** The keys of the marks, as CodeMirror names them. */
export const markShortcuts: readonly { mark: MarkName; key: string }[] = [
  { mark: 'bold', key: 'Mod-b' },
  { mark: 'italic', key: 'Mod-i' },
  { mark: 'code', key: 'Mod-e' },
  { mark: 'link', key: 'Mod-k' },
  { mark: 'heading', key: 'Mod-Shift-h' },
  { mark: 'bulletList', key: 'Mod-Shift-8' },
  { mark: 'orderedList', key: 'Mod-Shift-7' },
  { mark: 'task', key: 'Mod-Shift-l' },
  { mark: 'quote', key: 'Mod-Shift-.' },
  { mark: 'codeBlock', key: 'Mod-Shift-e' },
];

const isMac = 'document' in globalThis && navigator.userAgent.includes('Mac');

/** A key as people read it: *Ctrl+Shift+E*, *⇧⌘E*. */
export function readableKey(key: string, mac = isMac): string {
  const parts = key.split('-');
  const last = parts.pop() ?? '';
  const name = last.length === 1 ? last.toUpperCase() : last;
  if (mac) {
    return `${parts.includes('Shift') ? '⇧' : ''}${parts.includes('Mod') ? '⌘' : ''}${name}`;
  }
  return [...parts.map((part) => (part === 'Mod' ? 'Ctrl' : part)), name].join('+');
}
