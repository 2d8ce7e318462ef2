/** Commits as mails, as git itself writes them: `git am` makes the same commits of them. */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { OpenRepository } from './repository.ts';

/** A commit whose mail git would take for something else, because of its message. */
export class MisreadMailError extends Error {
  override name = 'MisreadMailError';
  /** The place of the commit in the series, from 0. */
  readonly index: number;

  constructor(index: number) {
    super(`Git would make another commit of mail ${index + 1}.`);
    this.index = index;
  }
}

/** A commit to send, and what is to be read beside it. */
export interface MailedCommit {
  sha: string;
  /** Said below the message; git leaves it out of the commit. */
  notes: string;
}

/** Nothing of the repository's own configuration decides what the mails are like, or is run for them. */
const asAlways = [
  ...[
    'format-patch',
    '-1',
    '--stdout',
    '--always',
    '--no-numbered',
    '--no-signature',
    '--no-cover-letter',
    '--no-thread',
  ],
  ...[
    '--no-attach',
    '--no-base',
    '--no-ext-diff',
    '--no-textconv',
    '--full-index',
    '--binary',
    '--find-renames',
  ],
  ...[
    '--no-notes',
    '--no-signoff',
    '--no-to',
    '--no-cc',
    '--no-from',
    '--zero-commit',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    '--diff-algorithm=histogram',
    '--no-add-header',
  ],
];

/** True for commits that the repository has, each in full. */
export async function hasCommits(
  repository: OpenRepository,
  shas: readonly string[],
  signal?: AbortSignal,
): Promise<boolean> {
  const asked = shas.map((sha) => `${sha}^{commit}\n`).join('');
  const printed = await repository.gitBytes(['cat-file', '--batch-check=%(objecttype)'], {
    input: asked,
    signal,
  });
  const kinds = printed.toString('latin1').trimEnd().split('\n');
  return kinds.length === shas.length && kinds.every((kind) => kind === 'commit');
}

/**
 * The mails of a series, one after the other, as the bytes of one mailbox.
 *
 * @param commits base to tip; none of them merges.
 * @param scratch a folder for what git writes meanwhile; nothing stays in it.
 * @throws MisreadMailError; what `git` throws.
 */
export async function mailSeries(
  repository: OpenRepository,
  commits: readonly MailedCommit[],
  scratch: string,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(scratch, 'mails-'));
  try {
    const mails: Buffer[] = [];
    for (const [index, { sha, notes }] of commits.entries()) {
      const prefix = `--subject-prefix=PATCH ${index + 1}/${commits.length}`;
      const mail = await repository.gitBytes([...asAlways, prefix, sha], { signal });
      if (!(await isReadAsWritten(repository, sha, mail, folder, signal))) {
        throw new MisreadMailError(index);
      }
      mails.push(withNotes(mail, notes));
    }
    return Buffer.concat(mails);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Whether git finds in a mail who wrote the commit and all of its message: a line such as `diff --git` or `From:` in a message begins
 * something else for it.
 */
async function isReadAsWritten(
  repository: OpenRepository,
  sha: string,
  mail: Buffer,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const parts = path.join(folder, 'parts');
  await repository.gitBytes(['mailsplit', `-o${await emptyFolder(parts)}`], { input: mail, signal });
  if ((await readdir(parts)).length !== 1) {
    return false;
  }
  const message = path.join(folder, 'message');
  const info = await repository.gitBytes(['mailinfo', message, path.join(folder, 'patch')], {
    input: mail,
    signal,
  });
  const fields = new Map(
    info
      .toString()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)] as const),
  );
  const text = (await readFile(message)).toString();
  const read = [...['Author', 'Email', 'Subject'].map((name) => fields.get(name) ?? ''), text];
  const format = ['%an', '%ae', '%B'].join('%x00');
  const written = await repository.gitBytes(['show', '--no-patch', `--format=${format}`, sha], { signal });
  return words(read.join(' ')) === words(written.toString().replaceAll('\0', ' '));
}

/** A text without what mails change of it: how its words are parted. */
function words(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ');
}

async function emptyFolder(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  return folder;
}

/** A mail with more to read between its message and its changes. Its own bytes stay as they are: files may be in any encoding. */
function withNotes(mail: Buffer, notes: string): Buffer {
  const text = mail.toString('latin1');
  const changes = text.indexOf('\ndiff --git ');
  // The message may have such a line of its own: the last one is git's.
  const line = changes < 0 ? -1 : text.lastIndexOf('\n---\n', changes);
  if (notes.trim() === '' || line < 0) {
    return mail;
  }
  const at = line + '\n---\n'.length;
  return Buffer.concat([mail.subarray(0, at), Buffer.from(`\n${quoted(notes)}\n\n`), mail.subarray(at)]);
}

/** Lines of which none can be taken for the beginning of a change or of a mail. */
function quoted(notes: string): string {
  return notes
    .trim()
    .split(/\r\n|\n|\r/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}
