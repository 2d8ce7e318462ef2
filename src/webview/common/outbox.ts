/**
 * Keeps typing that nobody has confirmed, until the extension host says that it is on disk. When that never comes, the next page
 * that is opened for the same thing hands it to the next extension host.
 *
 * Typing that is confirmed at once, as it mostly is, is never written anywhere.
 */
import { Emitter } from '../../util/event.ts';
import type { ForgottenAccount } from '../../util/forgottenAccount.ts';
import { inBackground } from '../../util/inBackground.ts';
import { isObject } from '../../util/isObject.ts';
import type { Shelf } from './shelf.ts';

/** Something that was kept. */
interface OutboxEntry<T = unknown> {
  /** The page on which it was typed. */
  page: string;
  /** The edition of the text: it grows with each key on that page. */
  edition: number;
  content: T;
}

/** The fate of what is typed while no one answers. */
export interface Silence {
  outlivesPage: boolean;
}

/** Given from outside, so that tests can play the browser. */
interface OutboxParts {
  shelf: Shelf;
  /** Tells this page from all others. */
  page: string;
  /** Has the others see that this page lives, from now on. */
  showLife: (page: string) => void;
  isAlive: (page: string) => Promise<boolean>;
  now?: () => number;
}

interface StoredEntry extends OutboxEntry {
  account: string;
  about: string;
  /** Milliseconds since 1970. */
  at: number;
  /** True once the page that it is of has given its extension host up: who wants it may take it. */
  offered: boolean;
}

interface OwnEntry extends StoredEntry {
  written: boolean;
}

/** The shelf's name for the deletions that the pages have followed. */
const forgottenName = 'forgotten';

/** Milliseconds in which what was handed over is mostly confirmed. */
const graceMs = 300;

/** Milliseconds after which what no one has asked for is forgotten: thirty days. */
const expiryMs = 30 * 24 * 60 * 60_000;

/** See the module. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #own = new Map<string, OwnEntry>();
  readonly #changed = new Emitter<null>();
  readonly #taken = new Emitter<string>();
  readonly #offered = new Emitter<null>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isGivenUp = false;
  #showsLife = false;
  #couldWrite = true;
  #account: string | undefined;
  readonly #accountChanged = new Emitter<null>();

  /** Fires when writing begins to fail or to succeed. */
  readonly onDidChange = this.#changed.event;
  /** Fires when another page has taken something of this one, with what it is about. */
  readonly onDidLose = this.#taken.event;
  /** Fires when another page offers something. */
  readonly onDidOffer = this.#offered.event;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    parts.shelf.follow((name, value) => {
      const own = this.#own.get(name);
      if (own && value === undefined && own.written) {
        this.#own.delete(name);
        this.#taken.fire(own.about);
      } else if (!own && value !== undefined && read(value)?.offered === true) {
        this.#offered.fire(null);
      }
    });
  }

  /** Fires when what is typed belongs to another account, or to none. */
  readonly onDidChangeAccount = this.#accountChanged.event;

  /** The account that what is typed now belongs to; without one, nothing can be kept beyond this page. */
  get account(): string | undefined {
    return this.#account;
  }

  set account(account: string | undefined) {
    if (account !== this.#account) {
      this.#account = account;
      this.#accountChanged.fire(null);
    }
  }

  /** The page, as what is kept of it says. */
  get page(): string {
    return this.#parts.page;
  }

  /** True while all that isn't confirmed is kept where it outlives the page, or still may be. */
  get outlivesPage(): boolean {
    return this.#couldWrite && [...this.#own.values()].every(({ account }) => account !== '');
  }

  /** True when this page has anything about something that isn't confirmed. */
  has(about: string): boolean {
    return [...this.#own.values()].some((entry) => entry.about === about);
  }

  /** Takes something in that is about to be handed over. */
  hold(about: string, edition: number, content: unknown): void {
    const { account = '' } = this;
    const name = this.#nameOf(account, about);
    const before = this.#own.get(name);
    this.#own.set(name, {
      page: this.#parts.page,
      edition,
      content,
      account,
      about,
      at: this.#now(),
      offered: this.#isGivenUp,
      written: before?.written === true,
    });
    if (this.#isGivenUp) {
      this.flush();
    } else {
      this.#timer ??= setTimeout(() => this.flush(), graceMs);
    }
  }

  /** Forgets what the extension host has on disk, or what is not wanted any more: as far as an edition. */
  confirm(about: string, edition: number): void {
    for (const [name, entry] of this.#own) {
      if (entry.about === about && entry.edition <= edition) {
        this.#own.delete(name);
        if (entry.written) {
          this.#parts.shelf.remove(name);
        }
      }
    }
  }

  /** Throws away whatever is kept of accounts whose data was deleted. What is typed for them afterwards stays. */
  forget(forgotten: readonly ForgottenAccount[]): void {
    const { shelf } = this.#parts;
    const known = new Set(shelf.read(forgottenName)?.split(' '));
    const fresh = forgotten.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) {
      return;
    }
    const accounts = new Set(fresh.map(({ account }) => account));
    for (const [name, { account }] of this.#own) {
      if (accounts.has(account)) {
        this.#own.delete(name);
      }
    }
    for (const name of shelf.names()) {
      if (accounts.has(read(shelf.read(name))?.account ?? '')) {
        shelf.remove(name);
      }
    }
    shelf.write(forgottenName, forgotten.map(({ id }) => id).join(' '));
  }

  /** Writes down what is not confirmed: the page may be going, or no one answers. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let couldWrite = true;
    for (const [name, entry] of this.#own) {
      if (entry.account === '') {
        continue;
      }
      if (!this.#showsLife) {
        this.#showsLife = true;
        this.#parts.showLife(this.#parts.page);
      }
      entry.written = this.#parts.shelf.write(name, JSON.stringify({ v: 1, ...entry, written: undefined }));
      couldWrite &&= entry.written;
    }
    if (couldWrite !== this.#couldWrite) {
      this.#couldWrite = couldWrite;
      this.#changed.fire(null);
    }
  }

  /** Lets other pages take what is not confirmed: the extension host of this one was given up, or the page goes. */
  offer(): void {
    this.#isGivenUp = true;
    this.#setOffered(true);
  }

  /** Takes that back: the extension host is there after all. */
  withdraw(): void {
    if (this.#isGivenUp) {
      this.#isGivenUp = false;
      this.#setOffered(false);
    }
  }

  /** True when other pages may have left something about this, without asking which of them live. */
  mayHave(isAbout: (about: string) => boolean): boolean {
    return this.#others(isAbout).length > 0;
  }

  /** Entries of this account that other pages have left: none of them wants these any more. The oldest comes first. */
  async left(
    isAbout: (about: string) => boolean,
  ): Promise<(OutboxEntry & { name: string; about: string })[]> {
    const others = this.#others(isAbout);
    const alive = new Map<string, boolean>();
    for (const { page, offered } of others) {
      if (!offered && !alive.has(page)) {
        alive.set(page, await this.#parts.isAlive(page));
      }
    }
    return others
      .filter(({ page, offered }) => offered || alive.get(page) === false)
      .sort((one, other) => one.at - other.at)
      .map(({ name, about, page, edition, content }) => ({ name, about, page, edition, content }));
  }

  /** Forgets what another page has left: it is on disk. What was typed there since stays. */
  settle({ name, edition }: { name: string; edition: number }): void {
    const kept = read(this.#parts.shelf.read(name));
    if (kept && kept.edition <= edition) {
      this.#parts.shelf.remove(name);
    }
  }

  #setOffered(offered: boolean): void {
    for (const entry of this.#own.values()) {
      entry.offered = offered;
    }
    this.flush();
  }

  #others(isAbout: (about: string) => boolean): (StoredEntry & { name: string })[] {
    const { shelf, page } = this.#parts;
    const found: (StoredEntry & { name: string })[] = [];
    for (const name of shelf.names()) {
      const kept = read(shelf.read(name));
      if (!kept) {
        continue;
      }
      if (Math.abs(this.#now() - kept.at) > expiryMs) {
        shelf.remove(name);
      } else if (kept.account === this.account && kept.page !== page && isAbout(kept.about)) {
        found.push({ ...kept, name });
      }
    }
    return found;
  }

  #nameOf(account: string, about: string): string {
    return JSON.stringify([account, this.#parts.page, about]);
  }

  #now(): number {
    return (this.#parts.now ?? Date.now)();
  }
}

/** Undefined for what no page of this version of ours has written. */
function read(value: string | undefined): StoredEntry | undefined {
  if (value === undefined) {
    return undefined;
  }
  try {
    const kept: unknown = JSON.parse(value);
    const { v, account, about, page, edition, at, offered, content } = isObject(kept) ? kept : {};
    return v === 1 &&
      typeof account === 'string' &&
      typeof about === 'string' &&
      typeof page === 'string' &&
      typeof edition === 'number' &&
      typeof at === 'number' &&
      typeof offered === 'boolean'
      ? { account, about, page, edition, at, offered, content }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Lets pages of the same kind learn which of them live: a lock that the browser takes away with the page. */
export const pageLife: Pick<OutboxParts, 'showLife' | 'isAlive'> = {
  showLife: (page) => {
    // Held for as long as the page is there.
    inBackground(locks()?.request(lockOf(page), () => new Promise<never>(() => undefined)));
  },
  isAlive: async (page) => {
    const { held = [] } = (await locks()?.query()) ?? {};
    return held.some(({ name }) => name === lockOf(page));
  },
};

/** Undefined on a page that the browser does not trust with them. */
function locks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}

function lockOf(page: string): string {
  return `patch-stacks/page/${page}`;
}
