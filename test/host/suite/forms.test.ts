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

interface Fields {
  version?: string;
}

/** A panel whose page is the test. */
class FakePanel {
  readonly #sent = new vscode.EventEmitter<unknown>();
  readonly #closed = new vscode.EventEmitter<undefined>();
  readonly #viewStateChanged = new vscode.EventEmitter<undefined>();
  readonly #answers = new Map<number, (result: unknown) => void>();
  #lastId = 0;
  #edition = 0;
  readonly asked: string[] = [];
  readonly onDidDispose = this.#closed.event;
  readonly onDidChangeViewState = this.#viewStateChanged.event;
  readonly webview = {
    options: {},
    html: '',
    cspSource: 'https://csp.test',
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: this.#sent.event,
    postMessage: async (message: {
      rpc: string;
      id: number;
      method?: string;
      result?: unknown;
    }): Promise<boolean> => {
      if (message.rpc === 'request') {
        this.asked.push(message.method ?? '');
        this.#sent.fire({ rpc: 'result', id: message.id, result: null });
      } else {
        this.#answers.get(message.id)?.(message.result);
      }
      return true;
    },
  };

  /** Says, as the page, that these fields were typed. */
  keep(fields: Fields): Promise<unknown> {
    return this.#ask('saveFieldsLocally', { fields, page: 'page', edition: ++this.#edition });
  }

  /** Hands over, as a new page, the fields that an earlier one had when its extension host ended. */
  restore(
    account: string,
    fields: Fields,
    { after = {}, page = 'page', edition = ++this.#edition } = {},
  ): Promise<unknown> {
    return this.#ask('restoreFields', { account, fields, after, page, edition });
  }

  async #ask(method: string, parameters: object): Promise<unknown> {
    const id = ++this.#lastId;
    const answered = new Promise<unknown>((resolve) => this.#answers.set(id, resolve));
    this.#sent.fire({ rpc: 'request', id, method, parameters });
    return answered;
  }

  dispose(): void {
    this.#closed.fire(undefined);
  }
}

describe('a form', () => {
  const { extensionUri } = vscode.extensions.getExtension('patch-stacks.patch-stacks')!;
  let directory: string;
  let pendingChanges: PendingChanges;
  let panel: FakePanel;
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
    panel = new FakePanel();
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
