import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { conflictScheme } from '../../../src/contributions.ts';
import type { KnownChange } from '../../../src/model/pending/pendingChange.ts';
import type { PendingChanges } from '../../../src/model/pending/pendingChanges.ts';
import { ConflictFiles } from '../../../src/unsent/conflictFiles.ts';

const id = 'one';
const file = (side: string): vscode.Uri =>
  vscode.Uri.from({ scheme: conflictScheme, path: `/${id}/${side}/text.md` });
const result = file('result');

describe('the texts of a conflict, as files', () => {
  let pending: KnownChange | undefined;
  let files: ConflictFiles;

  beforeEach(() => {
    pending = {
      id,
      subject: { kind: 'sectionText', patch: { stackUuid: 's', changeId: 'I1' }, code: 'why' },
      content: { base: 'base\n', text: 'mine\n' },
      title: 'Text',
      state: 'conflict',
      changedAt: '2026-01-01T00:00:00.000Z',
      heldBy: 'here',
      failure: { kind: 'conflict', theirs: 'theirs\n' },
    } as unknown as KnownChange;
    const pendingChanges: Pick<PendingChanges, 'get' | 'keepResolution'> = {
      get: () => pending,
      keepResolution: () => undefined,
    };
    files = new ConflictFiles((async () => pendingChanges) as never);
  });
  afterEach(() => files.dispose());

  const read = async (uri: vscode.Uri): Promise<string> => Buffer.from(await files.readFile(uri)).toString();
  const isGone = { code: 'FileNotFound' };

  it('are there as long as the change is, and only the result can be written', async () => {
    assert.equal(await read(file('mine')), 'mine\n');
    assert.equal(await read(file('theirs')), 'theirs\n');
    await assert.rejects(files.writeFile(file('mine'), Buffer.from('else')), { code: 'NoPermissions' });
    pending = undefined;
    await assert.rejects(read(file('mine')), isGone);
    await assert.rejects(files.stat(result), isGone);
    await assert.rejects(files.writeFile(result, Buffer.from('late')), isGone);
  });

  it('name their change, also where VS Code does not say yet which editor is active', () => {
    assert.equal(files.active, undefined);
    assert.equal(files.idOf(result), id);
    assert.equal(files.idOf(vscode.Uri.file(result.path)), undefined);
    assert.equal(files.idOf(), undefined);
  });

  it('have what was decided until its editor is closed: VS Code may look at it and save it once more', async () => {
    await files.writeFile(result, Buffer.from('decided\n'));
    assert.equal(await read(result), 'decided\n');
    pending = undefined;
    assert.equal(await read(result), 'decided\n');
    assert.equal((await files.stat(result)).size, 8);
    await files.writeFile(result, Buffer.from('once more\n'));
    assert.equal(await read(result), 'once more\n');
    await assert.rejects(read(file('mine')), isGone);
  });
});
