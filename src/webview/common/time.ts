import { readableAge as ageOf } from '../../util/age.ts';

/** A time in the language of the window; what is no ISO 8601 is shown as it came. */
export function readableTime(text: string, language: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime())
    ? text
    : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

/** How long ago a time was, in the language of the window; what is no ISO 8601 is shown as it came. */
export function readableAge(text: string, language: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : ageOf(date, language);
}
