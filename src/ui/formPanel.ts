import type * as vscode from 'vscode';
import type { FormName } from '../model/pending/kinds/form.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { PendingForm } from '../model/pending/pendingForm.ts';
import type { FormHost, FormPage, FormStart } from '../protocol/form.ts';
import type { Handlers, Methods, RpcPeer } from '../protocol/rpc.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import type { Event } from '../util/event.ts';
import { describeChangeFailure } from './failures.ts';
import type { PagePanel } from './pagePanel.ts';
import { panelSettings } from './panelHost.ts';
import { SinglePanel, type SinglePanelParts } from './singlePanel.ts';

interface FormPanelParts<
  Fields extends object,
  Host extends Methods<Host>,
  Page extends Methods<Page>,
> extends Omit<SinglePanelParts<Host, Page>, 'handlers'> {
  form: FormName;
  handlers: Omit<Handlers<Host>, keyof FormHost<Fields>>;
  /** The part of a pending change that is a field of the form, whoever wrote it. */
  readFields: (pending: Record<string, unknown>) => Partial<Fields>;
  pendingChanges: PendingChanges;
  onDidChangeAccount: Event<unknown>;
}

/** A form in a panel of its own: what is typed into it is a pending change until it is sent, and the form shows what that is. */
export class FormPanel<
  Fields extends object,
  Host extends FormHost<Fields> & Methods<Host>,
  Page extends FormPage & Methods<Page>,
> implements Disposable {
  readonly pending: PendingForm;
  readonly #panel: SinglePanel<Host, Page>;
  readonly #readFields: FormPanelParts<Fields, Host, Page>['readFields'];
  readonly #pendingChanges: PendingChanges;
  readonly #disposables = new DisposableStore();
  /** True once the page has begun with the active account's typing. */
  #begun = false;

  constructor(extensionUri: vscode.Uri, parts: FormPanelParts<Fields, Host, Page>) {
    const { form, handlers, readFields, pendingChanges, onDidChangeAccount, ...panel } = parts;
    this.pending = new PendingForm(pendingChanges, form, panel.title());
    this.#pendingChanges = pendingChanges;
    this.#readFields = readFields;
    const own: Handlers<FormHost<Fields>> = {
      settings: async () => ({ ...(await panelSettings()), forgotten: await pendingChanges.forgotten() }),
      saveFieldsLocally: async ({ fields, page, edition }) => {
        // A message still on its way when the account changes was typed for the one before.
        if (!this.#begun) {
          return false;
        }
        this.pending.write(readFields({ ...fields }), { page, edition });
        return this.pending.written();
      },
      restoreFields: async ({ account, fields, after, page, edition }) => {
        if (account !== pendingChanges.account) {
          return 'waits';
        }
        const outcome = await this.pending.restore(readFields({ ...fields }), readFields({ ...after }), {
          page,
          edition,
        });
        return (await this.pending.written()) ? outcome : 'waits';
      },
      discardFields: async ({ page, edition }) => {
        await this.pending.discard({ page, edition });
        return null;
      },
    };
    // The two together answer all that the page asks, which TypeScript cannot follow for a page that it does not know.
    const all = { ...own, ...handlers } as unknown as Handlers<Host>;
    this.#panel = this.#disposables.add(
      new SinglePanel<Host, Page>(extensionUri, { ...panel, handlers: all }),
    );
    this.#disposables.add(this.pending.follow(() => this.reload()));
    this.#disposables.add(
      onDidChangeAccount(() => {
        this.#begun = false;
        this.reload();
      }),
    );
  }

  /** The page, while the form is open. */
  get page(): RpcPeer<Host, Page> | undefined {
    return this.#panel.page;
  }

  /** Opens the form, or shows the one that is open. */
  async open(): Promise<void> {
    await this.#panel.open();
  }

  /** Fills a panel that VS Code kept over a reload of the window. */
  restore(panel: PagePanel): void {
    this.#panel.restore(panel);
  }

  start(): FormStart<Fields> {
    this.#begun = true;
    const pending = this.#readFields(this.pending.read());
    const { failure } = this.pending;
    const { account } = this.#pendingChanges;
    return {
      ...(account !== undefined && { account }),
      pending,
      ...(failure && { failure: describeChangeFailure(failure) }),
    };
  }

  /** Has the page begin anew. */
  reload(): void {
    this.#panel.reload();
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
