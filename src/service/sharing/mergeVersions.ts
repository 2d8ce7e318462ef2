/** Joins the versions of a text that people wrote at the same time: three ways, on what they had in common. */
import { mergeLines, mergeText } from '../../util/mergeText.ts';
import { markConflict } from '../../util/sharedConflict.ts';
import { isAfter, type Clock } from './clock.ts';

/** One version of a text: what an operation says. */
export interface TextVersion {
  id: string;
  clock: Clock;
  /** Null where it was deleted. */
  text: string | null;
  /** The versions that its writer had before them. */
  over: string[];
}

/** Finds the version that an operation made; undefined when it is not there. */
export type TextHistory = (id: string) => TextVersion | undefined;

/** As many versions are looked through for what two have in common. */
const mostVersions = 10_000;
/** As many times in a row people may have merged across each other before one of the bases is as good as another. */
const deepest = 8;

/** As many versions are joined: those of more devices than that at once are nobody's work. */
const mostJoined = 32;

/**
 * The text that several versions come to that nobody has joined. It depends on them alone. Where they conflict, the text has both, and what was there
 * before, between marks as git writes them: nothing is lost, everybody has the same, and whoever writes it next decides.
 *
 * @param base What versions that have no other in common began with.
 * @returns Null when all of them are deletions.
 */
export function valueOf(
  heads: readonly string[],
  history: TextHistory,
  base: string,
  depth = 0,
): string | null {
  const versions = sorted(heads.flatMap((head) => history(head) ?? []));
  const [first, ...others] = versions.filter(({ text }) => text !== null).slice(-mostJoined);
  if (!first) {
    return null;
  }
  let text = first.text ?? '';
  const joined = [first.id];
  for (const other of others) {
    const common = commonOf(joined, other.id, history, depth);
    const from = common.length === 0 ? base : (valueOf(common, history, base, depth + 1) ?? '');
    text = join(from, text, other.text ?? '');
    joined.push(other.id);
  }
  return text;
}

/** The latest versions that others have in common. */
function commonOf(joined: readonly string[], other: string, history: TextHistory, depth: number): string[] {
  const ours = ancestorsOf(joined, history);
  const common = [...ancestorsOf([other], history).values()].filter(({ id }) => ours.has(id));
  const older = new Set(common.flatMap(({ over }) => over));
  const latest = sorted(common.filter(({ id }) => !older.has(id))).map(({ id }) => id);
  return depth < deepest ? latest : latest.slice(-1);
}

/** These versions and all that were before them. */
function ancestorsOf(ids: readonly string[], history: TextHistory): Map<string, TextVersion> {
  const found = new Map<string, TextVersion>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined && found.size < mostVersions; id = open.pop()) {
    const version = found.has(id) ? undefined : history(id);
    if (version) {
      found.set(id, version);
      open.push(...version.over);
    }
  }
  return found;
}

function sorted(versions: readonly TextVersion[]): TextVersion[] {
  return versions.toSorted((one, other) =>
    isAfter(one.clock, other.clock) ? 1 : isAfter(other.clock, one.clock) || one.id < other.id ? -1 : 1,
  );
}

function join(base: string, earlier: string, later: string): string {
  const merged = mergeText(base, earlier, later);
  if (merged.kind === 'merged') {
    return merged.text;
  }
  return mergeLines(base, earlier, later)
    .map(({ ok = [], conflict }) =>
      conflict
        ? markConflict({
            before: conflict.o.join(''),
            earlier: conflict.a.join(''),
            later: conflict.b.join(''),
          })
        : ok.join(''),
    )
    .join('');
}
