/** Commits as mails, as git itself writes them: `git am` makes the same commits of them. */
import type { OpenRepository } from './repository.ts';

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
 * @throws what `git` throws.
 */
export async function mailSeries(
  repository: OpenRepository,
  commits: readonly MailedCommit[],
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const mails: Buffer[] = [];
  for (const [index, { sha, notes }] of commits.entries()) {
    const prefix = `--subject-prefix=PATCH ${index + 1}/${commits.length}`;
    const mail = await repository.gitBytes([...asAlways, prefix, sha], { signal });
    mails.push(withNotes(mail, notes));
  }
  return Buffer.concat(mails);
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
