const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A number of bytes in the language of the window, as VS Code writes it: *3.1 MB*. */
export function readableSize(bytes: number, language: string): string {
  let value = bytes;
  let index = 0;
  while (value >= 1024 && index < units.length - 1) {
    value /= 1024;
    index += 1;
  }
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[index] ?? 'byte',
    unitDisplay: index === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  })
    .format(value)
    .replace('kB', 'KB');
}

/** The language of the window. Where the extension host draws, there is no page that knows it. */
export function languageOfPage(): string {
  return typeof document === 'undefined' ? 'en' : document.documentElement.lang;
}
