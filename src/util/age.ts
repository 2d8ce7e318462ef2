/** How long ago something was, in a language: *3 days ago*. */
export function readableAge(date: Date, language: string, now = new Date()): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const format = formatFor(language);
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) {
      return format.format(Math.trunc(seconds / length), unit);
    }
  }
  return format.format(0, 'minute');
}

/** Units with their seconds. */
const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const formats = new Map<string, Intl.RelativeTimeFormat>();

/** Making one takes longer than using it a hundred times. */
function formatFor(language: string): Intl.RelativeTimeFormat {
  let format = formats.get(language);
  if (!format) {
    format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    formats.set(language, format);
  }
  return format;
}
