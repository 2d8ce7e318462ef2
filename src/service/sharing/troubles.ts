/** Sorts what git says of a remote that it didn't get to, or that didn't take something, into what a person can do about it. */
import type { SharingTrouble } from '../../protocol/localService.ts';

/** Signs of each, most telling first. Git adds the hint to look at one's access rights whatever has gone wrong. */
const signs: readonly (readonly [SharingTrouble, RegExp])[] = [
  [
    'noSuchRefs',
    /hidden ref|funny refname|invalid refname|prohibited by Gerrit|(?:can|could) ?not create ref/i,
  ],
  ['hook', /hook declined/i],
  [
    'noRight',
    /permission (?:to \S{1,300} )?denied|insufficient permission|access denied|unauthorized|forbidden|returned error: 40[13]\b|authentication failed|could not read (?:username|password)|host key verification failed|repository (?:\S{1,300} )?not found/i,
  ],
];

/** @param otherwise The trouble where nothing that git says is known. */
export function troubleOf(said: string, otherwise: SharingTrouble): SharingTrouble {
  return signs.find(([, sign]) => sign.test(said))?.[0] ?? otherwise;
}
