/** The age of a date in a language: *3 days ago*. */
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

/** When what `readableAge` says of a date is no longer what it says now: milliseconds since the epoch. */
export function ageChangesAt(date: Date, now = new Date()): number {
  const seconds = (now.getTime() - date.getTime()) / 1000;
  const index = units.findIndex(([, length]) => Math.abs(seconds) >= length);
  const length = units[index]?.[1] ?? shortest;
  if (seconds <= -length) {
    return date.getTime() - Math.trunc(-seconds / length) * length * 1000 + 1;
  }
  const next = (Math.trunc(Math.max(seconds, 0) / length) + 1) * length;
  return date.getTime() + Math.min(next, units[index - 1]?.[1] ?? Infinity) * 1000;
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
const shortest = 60;

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
