/** The attribute of rendered markdown that names the line of the source, counted from 0, at which a block begins. */
export const sourceLineAttribute = 'data-source-line';

/** The line of the source at which the block begins that something is in. */
export function sourceLineOf(element: Element | null): number | undefined {
  const line = element?.closest(`[${sourceLineAttribute}]`)?.getAttribute(sourceLineAttribute);
  return line === null || line === undefined ? undefined : Number(line);
}
