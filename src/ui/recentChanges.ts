import * as vscode from 'vscode';
import { attempt } from './commands.ts';
import type { Log } from './log.ts';
import { showMessage } from './notifications.ts';
import { inBackground } from '../util/inBackground.ts';

/** Something that was done, and how to take it back. */
export interface Change {
  /** One sentence: *The patch stack “Greetings” is closed.* */
  what: string;
  /** The text before and after. */
  before: string;
  after: string;
  /** Takes it back; missing when that cannot be. */
  undo?: () => Promise<void>;
  /** Aborted when it is no longer true: where that can be done, nothing more is said of it. */
  over?: AbortSignal;
}

/** A change with its time and whether it was taken back since. */
export interface RecentChange extends Change {
  at: Date;
  undone: boolean;
  /** @throws when the account in which it was made isn't the active one. */
  requireAccount: () => void;
}

const most = 100;

/** This window's changes on the service, the newest first. */
export class RecentChanges {
  readonly #log: Log;
  readonly #holdAccount: () => () => void;
  #changes: RecentChange[] = [];

  /** @param holdAccount see `Connection.holdAccount`. */
  constructor(log: Log, holdAccount: () => () => void) {
    this.#log = log;
    this.#holdAccount = holdAccount;
  }

  get list(): readonly RecentChange[] {
    return this.#changes;
  }

  /** Keeps a change, so that it can be looked at and taken back later. */
  add(change: Change): RecentChange {
    const recent = this.#made(change);
    this.#changes = [recent, ...this.#changes].slice(0, most);
    return recent;
  }

  /**
   * Keeps a change and tells of it, with *Undo*. Returns at once: the message stays as long as the person wants.
   *
   * @param tellInPlace tells of it where it can be seen, and says whether it did: then no message is needed.
   */
  tell(change: Change, tellInPlace: (change: RecentChange) => boolean = () => false): void {
    this.#tell(this.add(change), tellInPlace);
  }

  /** Offers *Undo* for what is about to be done, and is no recent change yet. */
  offerUndo(change: Change, tellInPlace: (change: RecentChange) => boolean): void {
    this.#tell(this.#made(change), tellInPlace);
  }

  #made(change: Change): RecentChange {
    return { ...change, at: new Date(), undone: false, requireAccount: this.#holdAccount() };
  }

  #tell(recent: RecentChange, tellInPlace: (change: RecentChange) => boolean): void {
    if (tellInPlace(recent)) {
      return;
    }
    const actions = recent.undo ? [{ title: vscode.l10n.t('Undo'), value: true }] : [];
    inBackground(
      showMessage<boolean>(recent.what, { actions }).then((undo) =>
        undo === true ? this.undo(recent) : undefined,
      ),
    );
  }

  /** Takes a change back, once, as whoever has made it. A failure is told, with *Retry*. */
  async undo(change: RecentChange): Promise<void> {
    const { undo } = change;
    if (undo && !change.undone) {
      await attempt(vscode.l10n.t('undo the change'), this.#log, async () => {
        change.requireAccount();
        await undo();
        change.undone = true;
      });
    }
  }
}
