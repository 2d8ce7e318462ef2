import * as vscode from 'vscode';
import { isObject } from '../util/isObject.ts';

const key = 'localTrials';

/** What a local service is for, and where its data lies. */
export interface LocalTrialPlace {
  readonly folder: string;
  /** Undefined where an earlier version has noted it. */
  readonly data: string | undefined;
}

/** Remembers what each local service was for, so that it can be found, or started again, with its window. */
export class LocalTrialFolders {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** Notes what the local service at an address is for. */
  async remember(serverUrl: string, { folder, data }: LocalTrialPlace): Promise<void> {
    await this.#memory.update(key, { ...this.#all(), [serverUrl]: { folder, data } });
  }

  /** What the local service at an address is for; undefined for any other server. */
  placeOf(serverUrl: string): LocalTrialPlace | undefined {
    const noted = this.#all()[serverUrl];
    if (isObject(noted)) {
      const { folder, data } = noted;
      return { folder: String(folder), data: typeof data === 'string' ? data : undefined };
    }
    return typeof noted === 'string' ? { folder: noted, data: undefined } : undefined;
  }

  /** The folder of a local service, when it is open in this window and git may be run in it. */
  openFolderOf(serverUrl: string): string | undefined {
    const folder = this.placeOf(serverUrl)?.folder;
    const isOpen = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === folder) ?? false;
    return isOpen && vscode.workspace.isTrusted ? folder : undefined;
  }

  #all(): Record<string, unknown> {
    return this.#memory.get<Record<string, unknown>>(key, {});
  }
}
