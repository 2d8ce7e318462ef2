/** The codes of sections on the page: the same as the extension host's, or told from those of the other patches on it. */

import { isNew, type TextTarget } from '../../../protocol/patchWriting.ts';

export type Rename = (code: string) => string;

/** See the module. Whatever is no code of this patch on the page stays what it is. */
export interface Codes {
  toPage: Rename;
  toHost: Rename;
}

/** Codes on a page with one patch. */
export const sameCodes: Codes = { toPage: (code) => code, toHost: (code) => code };

/** Codes on a page with several patches: two of them may change the same file, which then has one code in both. */
export function codesOf(changeId: string): Codes {
  const prefix = `${changeId}/`;
  return {
    // Those of sections that are only written are no others' anyway.
    toPage: (code) => (isNew(code) ? code : prefix + code),
    toHost: (code) => (code.startsWith(prefix) ? code.slice(prefix.length) : code),
  };
}

/** A text with the page's code of its section, or with the host's. */
export function renamedTarget(named: TextTarget, to: Rename): TextTarget {
  if ('code' in named) {
    return { code: to(named.code) };
  }
  return { ...named, after: named.after === null ? null : to(named.after) };
}
