import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { PendingChanges } from '../../../src/model/pending/pendingChanges.ts';
import type { AskService } from '../../../src/model/askService.ts';
import { Model } from '../../../src/model/model.ts';
import type { FormHost, FormPage } from '../../../src/protocol/form.ts';
import { formAnswers, formRequests, text } from '../../../src/protocol/schemas/parts.ts';
import { PagePanel } from '../../../src/ui/pagePanel.ts';
import { FormPanel } from '../../../src/ui/formPanel.ts';
import { silentLog } from '../../support/silentLog.ts';
import { TestedForm } from './testedForm.ts';

interface Fields {
  version?: string;
}

describe('a form', () => {
  const { extensionUri } = vscode.extensions.getExtension('patch-stacks.patch-stacks')!;
  let directory: string;
  let pendingChanges: PendingChanges;
  let panel: TestedForm;
  let form: FormPanel<Fields, FormHost<Fields>, FormPage>;
  const account = new vscode.EventEmitter<undefined>();

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-form-'));
  });

  after(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  beforeEach(async () => {
    const ask: AskService = () => Promise.reject(new Error('No service.'));
    pendingChanges = new PendingChanges({ ask, model: new Model(ask) });
    await turnTo('one');
    panel = new TestedForm();
    form = new FormPanel<Fields, FormHost<Fields>, FormPage>(extensionUri, {
      viewType: 'test',
      page: 'release',
      form: 'release',
      title: () => 'A form',
      icon: 'release',
      pendingChanges,
      onDidChangeAccount: account.event,
      readFields: ({ version }) => (typeof version === 'string' ? { version } : {}),
      schemas: { requests: formRequests({ version: v.exactOptional(text) }), answers: formAnswers },
      handlers: {},
      log: silentLog,
    });
    form.restore(new PagePanel(panel as unknown as vscode.WebviewPanel));
  });

  afterEach(async () => {
    form.dispose();
    await pendingChanges.close();
    await rm(path.join(directory, 'one'), { recursive: true, force: true });
    await rm(path.join(directory, 'two'), { recursive: true, force: true });
  });

  const turnTo = (name: string): Promise<void> =>
    pendingChanges.activate(path.join(directory, name, 'pending'));
  const kept = (): unknown[] =>
    pendingChanges.list().map(({ content }) => ('fields' in content ? content.fields : undefined));

  it('keeps what is typed for the account that it has begun with, and for no other', async () => {
    form.start();
    assert.equal(await panel.keep({ version: '1.0.0' }), true);
    assert.deepEqual(kept(), [{ version: '1.0.0' }]);

    await turnTo('two');
    account.fire(undefined);
    assert.ok(panel.asked.includes('reload'));
    // Still on its way when the account changed.
    assert.equal(await panel.keep({ version: '1.0.1' }), false);
    assert.deepEqual(kept(), []);
    assert.deepEqual(form.start(), { account: 'two', pending: {} });
    await panel.keep({ version: '2.0.0' });
    assert.deepEqual(kept(), [{ version: '2.0.0' }]);

    await turnTo('one');
    account.fire(undefined);
    assert.deepEqual(form.start(), { account: 'one', pending: { version: '1.0.0' } });
  });

  it('goes on with what an earlier page had kept, for the account that typed it alone', async () => {
    form.start();
    assert.equal(await panel.restore('two', { version: '6.6.6' }), 'waits');
    assert.deepEqual(kept(), []);
    assert.equal(await panel.restore('one', { version: '1.0.0' }), 'restored');
    assert.equal(await panel.restore('one', { version: '1.0.0' }), 'known');
    assert.deepEqual(kept(), [{ version: '1.0.0' }]);
    // Typed elsewhere, on top of something else.
    assert.equal(await panel.restore('one', { version: '2.0.0' }, { page: 'other' }), 'kept');
    assert.equal(
      await panel.restore('one', { version: '1.0.1' }, { page: 'other', after: { version: '1.0.0' } }),
      'restored',
    );
    assert.deepEqual(kept(), [{ version: '1.0.1' }, { version: '2.0.0' }]);
    assert.deepEqual(form.start(), { account: 'one', pending: { version: '1.0.1' } });
  });
});
