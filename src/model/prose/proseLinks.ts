/** The things that a text of a patch names, as far as they are in its stack: patches and people. */
import type { Patch, PatchUser } from '../../api/types/patches.ts';
import type { LinkTarget } from '../../util/proseLink.ts';
import type { ProseWord } from '../../util/proseNames.ts';

/** The places that a text can lead to without anything being asked for. */
export interface LinkPlaces {
  /** The patch that the text is in. */
  patch: Patch;
  /** Those of its stack. */
  patches: readonly Patch[];
}

/** Characters of a commit's SHA from which on it is told from other words. */
const shortestSha = 7;

/** The patch or the person that a word names; undefined when it is neither. */
export function targetOfWord(
  { name, start }: ProseWord,
  { patch, patches }: LinkPlaces,
): LinkTarget | undefined {
  if (start !== undefined) {
    return undefined;
  }
  const isSha = name.length >= shortestSha && /^[0-9a-f]{7,64}$/.test(name);
  const all = [patch, ...patches];
  const found =
    all.find(({ changeId }) => changeId === name) ??
    onlyOne(all.filter(({ commitSha }) => isSha && commitSha?.startsWith(name) === true));
  if (found) {
    return { kind: 'patch', changeId: found.changeId, title: found.title ?? '' };
  }
  const login = name.startsWith('@') ? name.slice(1) : undefined;
  return login !== undefined && isInStack(login, all) ? { kind: 'person', login } : undefined;
}

/** The patch that all of these are; of several, none is meant. */
function onlyOne([first, ...others]: readonly Patch[]): Patch | undefined {
  return others.every(({ changeId }) => changeId === first?.changeId) ? first : undefined;
}

function isInStack(login: string, patches: readonly Patch[]): boolean {
  const isThey = (user: PatchUser | undefined): boolean => user?.login === login;
  return patches.some(
    ({ contributors, review, reviewAll }) =>
      contributors.some(({ user }) => isThey(user)) ||
      [review, reviewAll].some((all) =>
        [all?.viewed, all?.signedOff, all?.rejected].some((users) => users?.some(isThey) === true),
      ),
  );
}
