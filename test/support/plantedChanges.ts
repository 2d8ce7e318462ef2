/** Pending changes as an earlier window left them: files in the folder of the account, below the data of a VS Code under test. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { PendingChange } from '../../src/model/pending/pendingChange.ts';
import { decodeChange, encodeChange } from '../../src/model/pending/journalFile.ts';
import { replaceFile } from '../../src/util/atomicFile.ts';
import type { Editor } from './editor.ts';
import { until } from './until.ts';

/** The folder with the pending changes of the account that every window is signed in to. */
export async function pendingFolder(editor: Editor): Promise<string> {
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
  return path.join(storage, 'accounts', account, 'pending');
}

/** Leaves a pending change behind, as a window that was killed does. */
export async function plantChange(
  editor: Editor,
  pending: Pick<PendingChange, 'subject' | 'content' | 'title'> & Partial<PendingChange>,
): Promise<void> {
  const folder = await pendingFolder(editor);
  await mkdir(folder, { recursive: true });
  const id = randomUUID();
  const now = new Date().toISOString();
  const whole: PendingChange = { id, state: 'editing', startedAt: now, changedAt: now, ...pending };
  // At once: a window that is open reads it as soon as it is there.
  const file = path.join(folder, `${id}.json`);
  await replaceFile(file, encodeChange(whole), `${file}.new`);
}

/** Every pending change that is on disk, of whichever account. */
export async function changesOnDisk(editor: Editor): Promise<PendingChange[]> {
  const list = (): string[] => globSync('accounts/*/pending/*.json', { cwd: storageOf(editor) }).sort();
  for (;;) {
    const files = list();
    const texts = await Promise.all(
      files.map((file) => readFile(path.join(storageOf(editor), file), 'utf8').catch(() => undefined)),
    );
    // A window that takes one gives it another name: who looks at that moment sees neither.
    if (!texts.includes(undefined) && isDeepStrictEqual(list(), files)) {
      return texts.flatMap((text) => {
        const read = decodeChange(text ?? '');
        return read.kind === 'pending' ? [read.pending] : [];
      });
    }
  }
}

/** Waits until no pending change is on disk any more. @throws Error after a minute, with those that there still are. */
export async function nothingOnDisk(editor: Editor): Promise<void> {
  await until(async () => {
    assert.deepEqual(await changesOnDisk(editor), []);
    return true;
  });
}

/** Leaves no pending change on disk, for a window that is opened afterwards: no extension host may be there. */
export async function forgetChanges(editor: Editor): Promise<void> {
  for (const folder of globSync('accounts/*/pending', { cwd: storageOf(editor) })) {
    await rm(path.join(storageOf(editor), folder), { recursive: true });
  }
}

/** The folder in which the extension keeps everything of its own. */
export function storageOf(editor: Editor): string {
  return path.join(editor.directory, 'vscode/data/User/globalStorage/patch-stacks.patch-stacks');
}
