import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { serverRoot } from '../api/server.ts';
import type { Server } from '../session/clientOptions.ts';
import { nameLocalServer } from '../session/serverName.ts';
import { copiedTo } from '../util/copiedData.ts';
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
    for (const [serverUrl, { folder }] of this.#places()) {
      nameLocalServer(serverUrl, folder);
    }
  }

  /**
   * Notes what a local service is for.
   *
   * @param url where it is reached.
   * @returns the server of the account that is for it: the same at every start, whatever port is free then.
   */
  async remember(url: string, { folder, data }: LocalTrialPlace): Promise<Server> {
    const address = serverRoot(url);
    const serverUrl = this.#known(address, { folder, data });
    nameLocalServer(serverUrl, folder);
    await this.#memory.update(key, { ...this.#all(), [serverUrl]: { folder, data } });
    return serverUrl === address ? { serverUrl } : { serverUrl, address };
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

  /** The address by which a service is known. */
  #known(address: string, { folder, data }: LocalTrialPlace): string {
    const known = this.#places()
      .filter(([, place]) => isSame(place, { folder, data }))
      .map(([serverUrl]) => serverUrl);
    const earlier = known.includes(address) ? address : known.at(-1);
    if (earlier !== undefined) {
      return earlier;
    }
    const other = this.placeOf(address);
    const isTaken = other?.data !== undefined && existsSync(other.data) && existsSync(other.folder);
    // Links, and texts that aren't sent, belong to the other one's address, unless that was moved here.
    return isTaken ? serverRoot(`http://${nameOf(data ?? folder)}.localhost`) : address;
  }

  #places(): [serverUrl: string, place: LocalTrialPlace][] {
    return Object.keys(this.#all()).flatMap((serverUrl) => {
      const place = this.placeOf(serverUrl);
      return place ? [[serverUrl, place]] : [];
    });
  }

  #all(): Record<string, unknown> {
    return this.#memory.get<Record<string, unknown>>(key, {});
  }
}

/** True for the same repository, also after it was moved, or its data was copied from where an earlier version kept it. */
function isSame(before: LocalTrialPlace, now: LocalTrialPlace): boolean {
  const isSameFolder = before.folder === now.folder;
  if (before.data === undefined || before.data === now.data) {
    return before.data !== undefined || isSameFolder;
  }
  return copiedTo(before.data) === now.data && (isSameFolder || !existsSync(before.folder));
}

function nameOf(data: string): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 16);
}
