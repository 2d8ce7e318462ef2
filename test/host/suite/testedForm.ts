import * as vscode from 'vscode';

/** A panel with a form whose page is the test. */
export class TestedForm {
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
  keep(fields: object): Promise<unknown> {
    return this.ask('saveFieldsLocally', { fields, page: 'page', edition: ++this.#edition });
  }

  /** Hands over, as a new page, the fields that an earlier one had when its extension host ended. */
  restore(
    account: string,
    fields: object,
    { after = {}, page = 'page', edition = ++this.#edition } = {},
  ): Promise<unknown> {
    return this.ask('restoreFields', { account, fields, after, page, edition });
  }

  /** Asks the extension host for something, as the page. @returns its answer. */
  async ask(method: string, parameters: object | null): Promise<unknown> {
    const id = ++this.#lastId;
    const answered = new Promise<unknown>((resolve) => this.#answers.set(id, resolve));
    this.#sent.fire({ rpc: 'request', id, method, parameters });
    return answered;
  }

  dispose(): void {
    this.#closed.fire(undefined);
  }
}
