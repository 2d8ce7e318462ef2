import * as vscode from 'vscode';

/** Keeps secrets as VS Code does; two of them on one map are two windows that do not hear of each other's secrets. */
export class Secrets implements vscode.SecretStorage {
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly #values: Map<string, string>;
  readonly onDidChange = this.#changed.event;

  constructor(values = new Map<string, string>()) {
    this.#values = values;
  }
  keys = async (): Promise<string[]> => [...this.#values.keys()];
  get = async (key: string): Promise<string | undefined> => this.#values.get(key);
  store = async (key: string, value: string): Promise<void> => {
    this.#values.set(key, value);
    this.#changed.fire({ key });
  };
  delete = async (key: string): Promise<void> => {
    this.#values.delete(key);
    this.#changed.fire({ key });
  };
}

/** Keeps state as VS Code does. */
export class Memory implements vscode.Memento {
  readonly #values = new Map<string, unknown>();
  keys = (): string[] => [...this.#values.keys()];
  get = <T>(key: string, fallback?: T): T => (this.#values.get(key) ?? fallback) as T;
  update = async (key: string, value: unknown): Promise<void> => {
    this.#values.set(key, value);
  };
}
