import * as vscode from 'vscode';

const key = 'localTrials';

/** Remembers which folder each local service was for, so that it can be started again with its window. */
export class LocalTrialFolders {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** Notes which folder the local service at an address is for. */
  async remember(serverUrl: string, folder: string): Promise<void> {
    await this.#memory.update(key, { ...this.#all(), [serverUrl]: folder });
  }

  /** The folder of a local service, when it is open in this window and git may be run in it. */
  openFolderOf(serverUrl: string): string | undefined {
    const folder = this.#all()[serverUrl];
    const isOpen = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === folder) ?? false;
    return isOpen && vscode.workspace.isTrusted ? folder : undefined;
  }

  #all(): Record<string, string> {
    return this.#memory.get<Record<string, string>>(key, {});
  }
}
