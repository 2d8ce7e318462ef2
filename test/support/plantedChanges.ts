/** Drafts as an earlier window left them: files in the folder of the account, below the data of a VS Code under test. */
import { createHash, randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Draft } from '../../src/model/pending/pendingChange.ts';
import { decodeDraft, encodeDraft } from '../../src/model/pending/journalFile.ts';
import { replaceFile } from '../../src/util/atomicFile.ts';
import type { Editor } from './editor.ts';

/** The folder with the drafts of the account that every window is signed in to. */
export async function draftsFolder(editor: Editor): Promise<string> {
  const storage = storageOf(editor);
  const sessions = JSON.parse(await readFile(path.join(storage, 'sessions.json'), 'utf8')) as {
    serverUrl: string;
    userId: string;
  }[];
  const { serverUrl = '', userId = '' } = sessions[0] ?? {};
  const account = createHash('sha256')
    .update(JSON.stringify([serverUrl, userId]))
    .digest('hex')
    .slice(0, 32);
  return path.join(storage, 'accounts', account, 'drafts');
}

/** Leaves a draft behind, as a window that was killed does. */
export async function plantDraft(
  editor: Editor,
  draft: Pick<Draft, 'subject' | 'content' | 'title'> & Partial<Draft>,
): Promise<void> {
  const folder = await draftsFolder(editor);
  await mkdir(folder, { recursive: true });
  const id = randomUUID();
  const now = new Date().toISOString();
  const whole: Draft = { id, state: 'typing', startedAt: now, changedAt: now, ...draft };
  // At once: a window that is open reads it as soon as it is there.
  const file = path.join(folder, `${id}.json`);
  await replaceFile(file, encodeDraft(whole), `${file}.new`);
}

/** Every draft that is on disk, of whichever account. */
export async function draftsOnDisk(editor: Editor): Promise<Draft[]> {
  const files = globSync('accounts/*/drafts/*.json', { cwd: storageOf(editor) });
  // One may be gone since.
  const texts = await Promise.all(
    files.map((file) => readFile(path.join(storageOf(editor), file), 'utf8').catch(() => '')),
  );
  return texts.flatMap((text) => {
    const read = decodeDraft(text);
    return read.kind === 'draft' ? [read.draft] : [];
  });
}

function storageOf(editor: Editor): string {
  return path.join(editor.directory, 'vscode/data/User/globalStorage/patch-stacks.patch-stacks');
}
