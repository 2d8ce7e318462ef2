/** A text in which something can be seen; undefined for one of blanks and invisible characters, which names nothing. */
export function visibleText(text: string | undefined): string | undefined {
  return text !== undefined && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? text : undefined;
}
