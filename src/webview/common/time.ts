import { readableAge as ageOf } from '../../util/age.ts';

/** By language: one takes longer to make than a patch's header to draw. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** A time in the language of the window; what is no ISO 8601 is shown as it came. */
export function readableTime(text: string, language: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : formatOf(language).format(date);
}

/** The age of a time, in the language of the window; a text that isn't ISO 8601 is shown as it came. */
export function readableAge(text: string, language: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : ageOf(date, language);
}

function formatOf(language: string): Intl.DateTimeFormat {
  const format =
    formats.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  formats.set(language, format);
  return format;
}
