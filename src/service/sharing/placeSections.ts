import { isAfter } from './clock.ts';
import type { SharedText } from './fold.ts';

/**
 * The order of a patch's sections, which is the same for everybody who has the same of them.
 *
 * @param present The sections there are, in the order that they have here.
 * @param order The order that somebody gave them; sections that it leaves out are placed like those that nobody placed.
 * @param texts The texts that are shared, also those that are deleted.
 */
export function placeSections(
  present: readonly string[],
  order: readonly string[] | undefined,
  texts: ReadonlyMap<string, SharedText | undefined>,
): string[] {
  const there = new Set(present);
  const placed = [...new Set(order ?? [])].filter((name) => there.has(name));
  const known = new Set(placed);
  const place = (name: string, behind: string | null | undefined): void => {
    const index = behind === undefined ? placed.length : behind === null ? 0 : placed.indexOf(behind) + 1;
    placed.splice(index, 0, name);
    known.add(name);
  };
  // Texts may stand elsewhere here than with others, files don't.
  const files = present.filter((name) => !texts.has(name));
  for (const [index, name] of files.entries()) {
    if (!known.has(name)) {
      place(name, files[index - 1] ?? null);
    }
  }
  const left = present
    .filter((name) => !known.has(name))
    .map((name) => ({ name, since: texts.get(name)?.since ?? ([0, 0] as const) }))
    .sort((one, other) =>
      isAfter(one.since, other.since) ? 1 : isAfter(other.since, one.since) || one.name < other.name ? -1 : 1,
    );
  for (const { name } of left) {
    // A text that is gone still says where those stood that came behind it.
    const visited = new Set([name]);
    let behind = texts.get(name)?.after;
    while (typeof behind === 'string' && !known.has(behind)) {
      const gone: SharedText | undefined = visited.has(behind) ? undefined : texts.get(behind);
      visited.add(behind);
      behind = gone?.after;
    }
    place(name, behind);
  }
  return placed;
}
