const units = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** A number of bytes in the language of the window: *3.1 MB*. */
export function readableSize(bytes: number, language: string): string {
  let value = bytes / 1024;
  let index = 0;
  while (value >= 1024 && index < units.length - 1) {
    value /= 1024;
    index += 1;
  }
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[index] ?? 'kilobyte',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
