/** *Draft Section with Language Model*, with a model of the test's own: `test/support/scriptedModel`. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { draftWithModel } from '../../../src/agents/draftWithModel.ts';
import { ApiClient } from '../../../src/api/client.ts';
import { Model } from '../../../src/model/model.ts';
import { PendingChanges } from '../../../src/model/pending/pendingChanges.ts';
import { CancelledError } from '../../../src/ui/commands.ts';
import type { SectionRef } from '../../../src/util/patchRef.ts';
import type { WindowParts } from '../../../src/windowParts.ts';
import { silentLog } from '../../support/silentLog.ts';
import { until } from '../../support/until.ts';

const service = JSON.parse(process.env['PATCH_STACKS_TEST_SERVICE'] ?? '{}') as {
  url: string;
  token: string;
};
const folder = process.env['PATCH_STACKS_TEST_MODEL'] ?? '';

describe('a draft by a language model', function () {
  this.timeout(180_000);
  let client: ApiClient;
  let directory: string;
  let pendingChanges: PendingChanges;
  let model: Model;
  let row: SectionRef;
  let agreed: string[];

  before(async () => {
    client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    model = new Model((operation) => operation(client));
    pendingChanges = new PendingChanges({ ask: (operation) => operation(client), model });
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-draft-'));
    await pendingChanges.activate(path.join(directory, 'pending'));
    const [project] = (await model.projects()).value.items;
    const [stack] = (await model.stacks(project!.repositoryId, 'active')).value;
    const { patches = [] } = await client.stacks.latestForBranch(
      project!.repositoryId,
      stack!.branchId ?? '',
    );
    const { changeId } = patches.find(({ title }) => title === 'Call names people')!;
    row = {
      ...{ projectId: project!.repositoryId, branchId: stack!.branchId },
      ...{ serverUrl: service.url, stackUuid: stack!.uuid, changeId },
    };
    agreed = [`${service.url} ${project!.repositoryId} patch-stacks-test/scripted`];
  });
  afterEach(async () => {
    await rm(path.join(folder, 'answer.json'), { force: true });
    await rm(path.join(folder, 'go'), { force: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await pendingChanges.close();
    await client.close();
    await rm(directory, { recursive: true, force: true });
  });

  const draft = (): Promise<void> =>
    draftWithModel(
      {
        connection: { requireServer: () => service.url },
        model: async () => model,
        pendingChanges: async () => pendingChanges,
        memory: { get: () => agreed },
        log: silentLog,
      } as unknown as WindowParts,
      row,
      models,
    );
  /** The test's own: VS Code may come with one, too. */
  const models = (): Thenable<vscode.LanguageModelChat[]> =>
    vscode.lm.selectChatModels({ vendor: 'patch-stacks-test' });
  const answerWith = async (...parts: (string | null)[]): Promise<void> => {
    await writeFile(path.join(folder, 'answer.json'), JSON.stringify(parts));
    await until(async () => (await models()).length > 0);
  };

  it("isn't begun where VS Code has no model, and nothing is proposed", async () => {
    assert.deepEqual(await models(), []);
    let isOver = false;
    const refused = assert.rejects(
      draft().finally(() => (isOver = true)),
      CancelledError,
    );
    // It says how to get one until the person has read that.
    await until(async () => {
      await vscode.commands.executeCommand('notifications.clearAll');
      return isOver;
    });
    await refused;
    assert.deepEqual(pendingChanges.list(), []);
  });

  it('is a proposal with what the model has written, of what it was told', async () => {
    await answerWith('```markdown\n# Names\n\n', 'People have ', 'names.\n```');
    await draft();
    const [change, ...others] = pendingChanges.list();
    assert.deepEqual(others, []);
    assert.equal(change?.proposed, true);
    assert.deepEqual(change.subject.kind, 'newSection');
    assert.deepEqual(change.content, { text: '# Names\n\nPeople have names.', after: null });
    assert.equal(change.title, 'Names');
    const told = await readFile(path.join(folder, 'asked.json'), 'utf8');
    assert.match(told, /Call names people/);
    assert.match(told, /src\/people\.ts/);
    assert.ok(!told.includes(service.token));
    await pendingChanges.takeBack(change.id);
  });

  it('does not come back when the person discards it while the model goes on', async () => {
    await answerWith('First words.', null, ' And more.');
    const drafting = draft();
    await until(async () => pendingChanges.list().length > 0);
    await pendingChanges.takeBack(pendingChanges.list()[0]!.id);
    await writeFile(path.join(folder, 'go'), '');
    await drafting;
    assert.deepEqual(pendingChanges.list(), []);
  });

  it('is nothing when the model writes nothing', async () => {
    await answerWith(' \n');
    await assert.rejects(draft(), /didn't write anything/);
    assert.deepEqual(pendingChanges.list(), []);
  });
});
