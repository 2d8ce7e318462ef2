/** The things that a text of a patch names, as far as they are in its stack: patches, people, and symbols that its files change. */
import type { DiffSection, Patch, PatchSection } from '../../api/types/patches.ts';
import type { LinkTarget } from '../../util/proseLink.ts';
import { within } from '../../util/budget.ts';
import { symbolOf, type ProseWord } from '../../util/proseNames.ts';
import { changesIn } from '../reading/hunks.ts';

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
  const named = [patch, ...patches].find(
    ({ changeId, commitSha }) =>
      changeId === name ||
      (/^[0-9a-f]{7,64}$/.test(name) && name.length >= shortestSha && commitSha?.startsWith(name) === true),
  );
  if (named) {
    return { kind: 'patch', changeId: named.changeId, title: named.title ?? '' };
  }
  const login = name.startsWith('@') ? name.slice(1) : undefined;
  return login !== undefined && loginsOf([patch, ...patches]).has(login)
    ? { kind: 'person', login }
    : undefined;
}

function loginsOf(patches: readonly Patch[]): Set<string> {
  const users = patches.flatMap(({ contributors, review, reviewAll }) => [
    ...contributors.map(({ user }) => user),
    ...[review, reviewAll].flatMap((all) => [
      ...(all?.viewed ?? []),
      ...(all?.signedOff ?? []),
      ...(all?.rejected ?? []),
    ]),
  ]);
  return new Set(users.flatMap((user) => user?.login ?? []));
}

/** Characters before a symbol that say that it is defined there. */
const definition = within(
  40,
  /\b(?:function\*?|class|interface|type|enum|struct|trait|def|fn|func|const|let|var|val|module|namespace) $/u,
);

/** The line of the patch that a piece of code names: where a symbol is defined, else where it first stands. */
export function targetOfSymbol(code: string, sections: readonly PatchSection[]): LinkTarget | undefined {
  const name = symbolOf(code);
  if (name === undefined) {
    return undefined;
  }
  let first: LinkTarget | undefined;
  for (const section of sections) {
    for (const place of section.sectionType === 'diff' ? addedWith(section, name) : []) {
      if (place.isDefinition) {
        return place.target;
      }
      first ??= place.target;
    }
  }
  return first;
}

function* addedWith(
  { code, diffPatch = '' }: DiffSection,
  name: string,
): Generator<{ target: LinkTarget; isDefinition: boolean }> {
  if (!diffPatch.includes(name)) {
    return;
  }
  for (const change of changesIn(diffPatch)) {
    let line = change?.place.new.start ?? 1;
    for (const text of change?.lines ?? []) {
      if (text.startsWith('+')) {
        const at = indexOfWord(text, name);
        if (at >= 0) {
          yield {
            target: { kind: 'line', code, line, text: text.slice(1) },
            isDefinition: definition.test(text.slice(Math.max(0, at - 40), at)),
          };
        }
        line += 1;
      }
    }
  }
}

function indexOfWord(text: string, word: string): number {
  const isPart = (at: number): boolean => /[\p{L}\p{N}_$]/u.test(text.charAt(at));
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPart(at - 1) && !isPart(at + word.length)) {
      return at;
    }
  }
  return -1;
}
