import type {
  ChangedMessage,
  Contributor,
  DiffSection,
  OtherVersion,
  Patch,
  PatchReview,
  PatchSection,
  PatchStatistics,
  PatchUser,
  TextSection,
  TextVersions,
  UnknownSection,
} from '../types/patches.ts';
import { signatureStates, type SignatureState } from '../../util/review.ts';
import {
  at,
  flag,
  identifier,
  integer,
  items,
  list,
  object,
  record,
  structure,
  text,
  type Reader,
} from './values.ts';

const signatureState: Reader<SignatureState> = (value) => signatureStates.find((state) => state === value);

const patchUserRecord = record<PatchUser>(
  {
    id: at('id', identifier),
    login: at('login', text),
    name: at('name', text),
    email: at('email', text),
    avatarUrl: at('avatar_url', text),
    signature: at('signature', signatureState),
  },
  [],
);

/** A user inside a patch; a bare text is an e-mail address or a login. */
const patchUser: Reader<PatchUser> = (value, report) => {
  if (typeof value === 'string' && value !== '') {
    return value.includes('@') ? { email: value } : { login: value };
  }
  const user = patchUserRecord(value, report);
  return user !== undefined && Object.keys(user).length > 0 ? user : undefined;
};

const contributorRecord = record<Contributor>(
  {
    email: at('email', text),
    user: at('user', patchUser),
    text: at('name', text),
  },
  [],
);

const contributor: Reader<Contributor> = (value, report) => {
  if (typeof value === 'string') {
    return value.trim() === '' ? undefined : { text: value.trim() };
  }
  const found = contributorRecord(value, report);
  return found !== undefined && Object.keys(found).length > 0 ? found : undefined;
};

/** Contributors as records, as texts, or as one comma-separated text, each person once; empty when missing. */
export const contributors: Reader<Contributor[]> = (value, report) => {
  const entries = structure(value);
  const all = typeof entries === 'string' ? entries.split(',').filter((name) => name.trim() !== '') : entries;
  return eachOnce(list(all, contributor, report).items);
};

/**
 * Author and co-author of a commit are often the same: under one address or, for a bot or someone who has several, under one
 * name. What is known first of them is kept, unless only the other one is a user.
 */
function eachOnce(contributors: readonly Contributor[]): Contributor[] {
  const known: { contributor: Contributor; names: Set<string> }[] = [];
  for (const contributor of contributors) {
    const names = namesOf(contributor);
    const same = known.find((one) => names.some((name) => one.names.has(name)));
    if (!same) {
      known.push({ contributor, names: new Set(names) });
      continue;
    }
    names.forEach((name) => same.names.add(name));
    if (!same.contributor.user && contributor.user) {
      same.contributor = contributor;
    }
  }
  return known.map(({ contributor }) => contributor);
}

function namesOf({ user, email, text }: Contributor): string[] {
  const id = user?.id === undefined ? undefined : `user ${user.id}`;
  const names = [id, user?.login, user?.name, user?.email, email, text];
  return names.flatMap((name) => (name === undefined ? [] : [name.toLowerCase()]));
}

const paths: Reader<string[]> = (value) =>
  Array.isArray(value) ? value.filter((path): path is string => typeof path === 'string') : undefined;

const statisticsRecord = record<PatchStatistics>(
  {
    fileCount: at('file_count', integer),
    sectionCount: at('section_count', integer),
    lines: at('lines', integer),
    deletions: at('deletions', integer),
    files: at('files', paths),
  },
  [],
);

const reviewRecord = record<PatchReview>(
  {
    viewed: at('viewed', items(patchUser)),
    signedOff: at('signed_off', items(patchUser)),
    rejected: at('rejected', items(patchUser)),
  },
  [],
);

const statistics: Reader<PatchStatistics> = (value, report) => statisticsRecord(structure(value), report);
const review: Reader<PatchReview> = (value, report) => reviewRecord(structure(value), report);

const sectionBase = {
  code: at('code', identifier),
  id: at('id', identifier),
  identifier: at('identifier', identifier),
  title: at('title', text),
  version: at('version', text),
  position: at('position', integer),
};

const changedMessage = record<ChangedMessage>({ before: at('before', text), now: at('now', text) }, [
  'before',
  'now',
]);
const otherVersion = record<OtherVersion>(
  { id: at('id', identifier), text: at('data', text), before: at('before', text), by: at('by', text) },
  ['id', 'text', 'before'],
);
const versionsRecord = record<TextVersions>(
  { isOwn: at('is_own', flag), by: at('by', text), others: at('others', items(otherVersion)) },
  [],
);
const versions: Reader<TextVersions> = (value, report) => {
  const read = versionsRecord(value, report);
  return read !== undefined && read.others.length > 0 ? read : undefined;
};
const textSection = record<Omit<TextSection, 'sectionType'>>(
  {
    ...sectionBase,
    text: at('text', text),
    changedMessage: at('changed_message', changedMessage),
    versions: at('versions', versions),
  },
  ['code'],
);
const unknownSection = record<Omit<UnknownSection, 'sectionType'>>(sectionBase, ['code']);
const diffSection = record<Omit<DiffSection, 'sectionType'>>(
  {
    ...sectionBase,
    oldPath: at('old_path', text),
    newPath: at('new_path', text),
    oldSize: at('old_size', integer),
    newSize: at('new_size', integer),
    hunks: at('hunks', integer),
    lines: at('lines', integer),
    deletions: at('deletions', integer),
    diffSha: at('diff_sha', text),
    encoding: at('encoding', text),
    baseFileSha: at('base_file_sha', text),
    newFileSha: at('new_file_sha', text),
    diffPatch: at('diff_patch', text),
  },
  ['code'],
);

/** One section of a patch, told apart by `section_type`, else by what it holds. */
export const section: Reader<PatchSection> = (value, report) => {
  const source = object(value);
  if (source === undefined) {
    return undefined;
  }
  const type = sectionType(source);
  // `code` names a section, but some services put the diff itself there.
  const codeIsDiff = looksLikeDiff(source['code']);
  const code = codeIsDiff ? undefined : identifier(source['code'], report);
  const path = identifier(source['new_path'], report) ?? identifier(source['old_path'], report);
  const named = identifier(source['identifier'], report) ?? code ?? path ?? identifier(source['id'], report);
  const common = { ...source, code: code ?? named, identifier: named };
  if (type === 'text') {
    const read = textSection({ ...common, text: sectionText(source) }, report);
    return read && { sectionType: 'text', ...read };
  }
  if (type === 'diff') {
    const diff = [source['diff_patch'], source['data'], codeIsDiff ? source['code'] : undefined].find(
      (candidate) => typeof candidate === 'string',
    );
    const read = diffSection({ ...common, diff_patch: diff }, report);
    return read && { sectionType: 'diff', ...read };
  }
  const read = unknownSection(common, report);
  return read && { sectionType: 'unknown', ...read };
};

function sectionType(source: Readonly<Record<string, unknown>>): PatchSection['sectionType'] {
  const named = source['section_type'] ?? source['type'];
  if (named === 'text' || named === 'diff') {
    return named;
  }
  if (named !== undefined && named !== null && named !== '') {
    return 'unknown';
  }
  if ([source['diff_patch'], source['data'], source['code']].some(looksLikeDiff)) {
    return 'diff';
  }
  return sectionText(source) === undefined ? 'unknown' : 'text';
}

function looksLikeDiff(value: unknown): boolean {
  return typeof value === 'string' && /^(diff --git |--- |@@ )/m.test(value) && value.includes('\n');
}

/** Markdown in `data`, in `data.text`, or in `plain_text`. */
function sectionText(source: Readonly<Record<string, unknown>>): unknown {
  const data = source['data'];
  return (object(data) === undefined ? data : object(data)?.['text']) ?? source['plain_text'];
}

/** A list that stays missing when the service did not send it, in position order. */
function ordered<T extends { position?: number }>(read: Reader<T>): Reader<T[]> {
  return (value, report) => {
    const entries = structure(value);
    if (typeof entries !== 'object' || entries === null) {
      return undefined;
    }
    const found = list(entries, read, report).items;
    return found.every((item) => item.position !== undefined)
      ? found.sort((a, b) => (a.position ?? 0) - (b.position ?? 0))
      : found;
  };
}

/** One patch. */
export const patch = record<Patch>(
  {
    changeId: at('change_id', identifier),
    commitSha: at('commit_sha', text),
    patchSha: at('patch_sha', text),
    title: at('title', text),
    description: at('description', text),
    position: at('position', integer),
    version: at('version', text),
    createdAt: at('created_at', text),
    contributors: at('contributors', contributors),
    statistics: at('statistics', statistics),
    review: at('review', review),
    reviewAll: at('review_all', review),
    sections: at('sections', ordered(section)),
  },
  ['changeId'],
);

/** The patches of a stack, missing when the service did not send them. */
export const patches = ordered(patch);
