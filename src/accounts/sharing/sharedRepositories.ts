import type * as vscode from 'vscode';

const key = 'sharedRepositories';
const offeredKey = 'sharingOffered';
const hiddenKey = 'hiddenSharingProblems';

/** Remembers on this computer through which remote the reviews of each folder's repository are shared. */
export class SharedRepositories {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** The remote; undefined where nobody has said yes. */
  remoteOf(folder: string): string | undefined {
    return this.#all()[folder];
  }

  /** Notes that a folder's repository is shared through a remote, or no longer. */
  async remember(folder: string, remote: string | undefined): Promise<void> {
    const others = Object.entries(this.#all()).filter(([one]) => one !== folder);
    await this.#memory.update(
      key,
      Object.fromEntries(remote === undefined ? others : [...others, [folder, remote]]),
    );
  }

  /** True once the person was asked whether a folder's repository is to be shared, or has said so by themselves. */
  wasOffered(folder: string): boolean {
    return this.#memory.get<string[]>(offeredKey, []).includes(folder);
  }

  /** Notes that they were: nobody is asked twice. */
  async noteOffered(folder: string): Promise<void> {
    if (!this.wasOffered(folder)) {
      await this.#memory.update(offeredKey, [...this.#memory.get<string[]>(offeredKey, []), folder]);
    }
  }

  /** The problems with what others share in a folder's repository that the person doesn't want to see any more. */
  hiddenIn(folder: string): readonly string[] {
    return this.#hidden()[folder] ?? [];
  }

  /** Notes which problems that are, in place of those before. */
  async hide(folder: string, problems: readonly string[]): Promise<void> {
    await this.#memory.update(hiddenKey, { ...this.#hidden(), [folder]: problems });
  }

  #hidden(): Record<string, readonly string[]> {
    return this.#memory.get<Record<string, readonly string[]>>(hiddenKey, {});
  }

  #all(): Record<string, string> {
    return this.#memory.get<Record<string, string>>(key, {});
  }
}
