import assert from 'node:assert/strict';
import { install, type Clock } from '@sinonjs/fake-timers';
import fc from 'fast-check';
import type { PendingChange, TypedOn } from '../../../src/model/pending/pendingChange.ts';
import { continuation } from '../../../src/model/pending/restoredTyping.ts';
import { Outbox } from '../../../src/webview/common/outbox.ts';
import { StateShelf, type Shelf } from '../../../src/webview/common/shelf.ts';

/** The storage that the pages of one browser share. */
class SharedShelf implements Shelf {
  readonly values = new Map<string, string>();
  readonly #listeners: { page: object; listener: (name: string, value: string | undefined) => void }[] = [];
  isFull = false;

  of(page: object): Shelf {
    const tell = (name: string, value: string | undefined): void =>
      this.#listeners.filter((other) => other.page !== page).forEach(({ listener }) => listener(name, value));
    return {
      names: () => this.names(),
      read: (name) => this.read(name),
      write: (name, value) => {
        const written = this.write(name, value);
        if (written) {
          tell(name, value);
        }
        return written;
      },
      remove: (name) => {
        if (this.values.has(name)) {
          this.remove(name);
          tell(name, undefined);
        }
      },
      follow: (listener) => this.#listeners.push({ page, listener }),
    };
  }

  names(): string[] {
    return [...this.values.keys()];
  }

  read(name: string): string | undefined {
    return this.values.get(name);
  }

  write(name: string, value: string): boolean {
    if (!this.isFull) {
      this.values.set(name, value);
    }
    return !this.isFull;
  }

  remove(name: string): void {
    this.values.delete(name);
  }

  follow(): void {
    // By `of`.
  }
}

const about = 'text';
const isAbout = (other: string): boolean => other === about;
const day = 24 * 60 * 60_000;

describe('what no one has confirmed', () => {
  let clock: Clock;
  let shelf: SharedShelf;
  let alive: Set<string>;

  beforeEach(() => {
    clock = install({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    shelf = new SharedShelf();
    alive = new Set();
  });

  afterEach(() => clock.uninstall());

  function page(name: string, account: string | undefined = 'ada'): Outbox {
    const outbox = new Outbox({
      shelf: shelf.of({}),
      page: name,
      showLife: (own) => alive.add(own),
      isAlive: async (other) => alive.has(other),
    });
    outbox.account = account;
    return outbox;
  }

  it('is thrown away everywhere when the data of its account is deleted, once', () => {
    const gone = page('gone');
    gone.hold(about, 1, 'of ada');
    gone.flush();
    gone.offer();
    const other = page('other', 'grace');
    other.hold(about, 1, 'of grace');
    other.flush();
    const open = page('open');
    open.hold(about, 1, 'of ada, not written yet');
    const forgotten = [{ account: 'ada', id: 'first' }];
    open.forget(forgotten);
    clock.runAll();
    const kept = (): string[] => [...shelf.values.values()].filter((value) => value.startsWith('{'));
    assert.deepEqual(
      kept().map((value) => (JSON.parse(value) as { content: string }).content),
      ['of grace'],
    );
    // Ada is there again.
    open.hold(about, 2, 'typed since');
    open.flush();
    page('next').forget(forgotten);
    assert.equal(kept().length, 2);
    page('next').forget([...forgotten, { account: 'ada', id: 'second' }]);
    assert.equal(kept().length, 1);
  });

  it('tells whose it is from now on', () => {
    let changes = 0;
    const outbox = page('page');
    outbox.onDidChangeAccount(() => (changes += 1));
    outbox.account = 'ada';
    assert.equal(changes, 0);
    outbox.account = undefined;
    assert.equal(changes, 1);
  });

  it('is written nowhere when it is confirmed at once', () => {
    const outbox = page('1');
    for (let edition = 1; edition < 50; edition += 1) {
      outbox.hold(about, edition, 'typed');
      clock.tick(90);
      outbox.confirm(about, edition);
      clock.tick(10);
      assert.equal(shelf.values.size, 0);
    }
  });

  it('is written down when that takes longer, and goes with the confirmation of its last key only', async () => {
    const outbox = page('1');
    outbox.hold(about, 1, 'ty');
    outbox.hold(about, 2, 'typed');
    clock.tick(1_000);
    assert.equal(shelf.values.size, 1);
    outbox.confirm(about, 1);
    assert.equal(shelf.values.size, 1);
    outbox.confirm(about, 2);
    assert.equal(shelf.values.size, 0);
  });

  it('is for the next page once its own is gone, or has given up', async () => {
    const [first, second] = [page('1'), page('2')];
    first.hold(about, 7, 'typed');
    first.flush();
    assert.deepEqual(await second.left(isAbout), [], 'its page lives, and may only wait');
    first.offer();
    const [entry] = await second.left(isAbout);
    assert.deepEqual([entry?.page, entry?.edition, entry?.content], ['1', 7, 'typed']);
    first.withdraw();
    assert.deepEqual(await second.left(isAbout), []);
    alive.delete('1');
    assert.equal((await second.left(isAbout)).length, 1);
  });

  it('is for no one but the account that it was typed for', async () => {
    const first = page('1', 'ada');
    first.hold(about, 1, 'secret');
    first.account = 'grace';
    first.hold(about, 2, 'other');
    first.offer();
    const [ada, grace, nobody] = [page('2', 'ada'), page('3', 'grace'), page('4', undefined)];
    assert.deepEqual(
      (await ada.left(isAbout)).map(({ content }) => content),
      ['secret'],
    );
    assert.deepEqual(
      (await grace.left(isAbout)).map(({ content }) => content),
      ['other'],
    );
    nobody.account = undefined;
    assert.deepEqual(await nobody.left(isAbout), []);
  });

  it('tells its page when another one has taken it, and is not written again by that', async () => {
    const [first, second] = [page('1'), page('2')];
    const lost: string[] = [];
    first.onDidLose((what) => lost.push(what));
    first.hold(about, 1, 'typed');
    first.offer();
    const [entry] = await second.left(isAbout);
    second.settle(entry!);
    assert.deepEqual([lost, first.has(about), shelf.values.size], [[about], false, 0]);
    first.withdraw();
    assert.equal(shelf.values.size, 0);
  });

  it('stays when more was typed there since', async () => {
    const [first, second] = [page('1'), page('2')];
    first.hold(about, 1, 'ty');
    first.offer();
    const [entry] = await second.left(isAbout);
    first.hold(about, 2, 'typed');
    second.settle(entry!);
    assert.deepEqual(
      (await second.left(isAbout)).map(({ content }) => content),
      ['typed'],
    );
  });

  it('tells other pages when it is offered to them', () => {
    const [first, second] = [page('1'), page('2')];
    let offers = 0;
    second.onDidOffer(() => (offers += 1));
    first.hold(about, 1, 'typed');
    first.flush();
    assert.equal(offers, 0);
    first.offer();
    assert.equal(offers, 1);
  });

  it('is forgotten after thirty days, of whichever account', async () => {
    page('1', 'ada').hold(about, 1, 'typed');
    page('2', 'grace').hold(about, 1, 'typed');
    clock.tick(1_000);
    alive.clear();
    clock.setSystemTime(Date.now() + 29 * day);
    assert.equal((await page('3').left(isAbout)).length, 1);
    clock.setSystemTime(Date.now() + 2 * day);
    assert.deepEqual(await page('4').left(isAbout), []);
    assert.equal(shelf.values.size, 0);
  });

  it('says when it cannot be kept: the storage is full, or it is no one’s', () => {
    const outbox = page('1');
    outbox.hold(about, 1, 'typed');
    shelf.isFull = true;
    outbox.offer();
    assert.equal(outbox.outlivesPage, false);
    shelf.isFull = false;
    outbox.hold(about, 2, 'typed more');
    assert.equal(outbox.outlivesPage, true);
    const nobodys = page('2', undefined);
    nobodys.account = undefined;
    nobodys.hold(about, 1, 'typed');
    assert.equal(nobodys.outlivesPage, false);
  });

  it('leaves alone what it did not write', async () => {
    shelf.values.set('[]', '{"v":2,"account":"ada","at":0}');
    shelf.values.set('{', 'no JSON');
    assert.deepEqual(await page('1').left(isAbout), []);
    assert.equal(shelf.values.size, 2);
  });

  it('is kept with the page’s state where the browser keeps nothing', () => {
    let saved: Record<string, string> = {};
    const first = new StateShelf(undefined, (values) => (saved = values));
    first.write('a', '1');
    first.write('b', '2');
    first.remove('a');
    assert.deepEqual(new StateShelf(saved, () => undefined).names(), ['b']);
    assert.deepEqual(new StateShelf({ a: 1, b: 'text' }, () => undefined).names(), ['b']);
    assert.deepEqual(new StateShelf('nonsense', () => undefined).names(), []);
  });

  it('ends as a pending change, whenever the host dies, once and with every word', async () => {
    const steps = fc.array(
      fc.constantFrom(
        'type',
        'type',
        'deliver',
        'answer',
        'write',
        'wait',
        'kill',
        'reopen',
        'silence',
        'busy',
      ),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        shelf = new SharedShelf();
        alive = new Set();
        const world = new World(shelf, alive, page);
        for (const step of all) {
          await world[step]();
          assert.ok(world.isSomewhere(), `after ${step}: “${world.typed}” is nowhere`);
        }
        await world.kill();
        await world.reopen();
        assert.equal(world.onDisk?.text ?? '', world.typed);
        assert.equal(shelf.values.size, 0, 'nothing is left that could come back');
      }),
      { numRuns: 1_000 },
    );
  });
});

/** A page, its extension host and the disk, with everything on its way between them. */
class World {
  typed = '';
  onDisk: { text: string; typedOn: TypedOn } | undefined;
  readonly #shelf: SharedShelf;
  readonly #alive: Set<string>;
  readonly #open: (name: string) => Outbox;
  #outbox: Outbox;
  #pages = 0;
  #edition = 0;
  #hostLives = true;
  #toHost: { text: string; typedOn: TypedOn }[] = [];
  #inMemory: { text: string; typedOn: TypedOn } | undefined;
  #toPage: { edition: number; text: string }[] = [];
  #confirmed = '';

  constructor(shelf: SharedShelf, alive: Set<string>, open: (name: string) => Outbox) {
    this.#shelf = shelf;
    this.#alive = alive;
    this.#open = open;
    this.#outbox = this.#newPage();
  }

  /** True when the text on the screen is on disk, or held by the page. */
  isSomewhere(): boolean {
    return this.onDisk?.text === this.typed || this.typed === '' || this.#outbox.has(about);
  }

  async type(): Promise<void> {
    this.typed += String.fromCharCode(97 + (this.#edition % 26));
    const typedOn = { page: this.#outbox.page, edition: ++this.#edition };
    this.#outbox.hold(about, typedOn.edition, { text: this.typed, after: this.#confirmed });
    this.#toHost.push({ text: this.typed, typedOn });
  }

  async deliver(): Promise<void> {
    const next = this.#hostLives ? this.#toHost.shift() : undefined;
    if (next) {
      this.#inMemory = next;
    }
  }

  async write(): Promise<void> {
    if (this.#hostLives && this.#inMemory) {
      this.onDisk = this.#inMemory;
      this.#toPage.push({ edition: this.#inMemory.typedOn.edition, text: this.#inMemory.text });
    }
  }

  async answer(): Promise<void> {
    const answer = this.#toPage.shift();
    if (answer) {
      this.#confirmed = answer.text;
      this.#outbox.confirm(about, answer.edition);
    }
  }

  async wait(): Promise<void> {
    this.#outbox.flush();
  }

  async silence(): Promise<void> {
    this.#outbox.offer();
  }

  async busy(): Promise<void> {
    if (this.#hostLives) {
      this.#outbox.withdraw();
    }
  }

  async kill(): Promise<void> {
    this.#hostLives = false;
    this.#toHost = [];
    this.#inMemory = undefined;
  }

  /** The page goes, and the person opens it again: with another host if the one before is dead. */
  async reopen(): Promise<void> {
    this.#outbox.flush();
    this.#alive.delete(this.#outbox.page);
    if (this.#hostLives) {
      // The message that is on its way arrives.
      this.#inMemory = this.#toHost.at(-1) ?? this.#inMemory;
      await this.write();
    }
    this.#toHost = [];
    this.#toPage = [];
    this.#hostLives = true;
    this.#outbox = this.#newPage();
    for (const entry of await this.#outbox.left(isAbout)) {
      const { page, edition } = entry;
      const { text, after } = entry.content as { text: string; after: string };
      const pending =
        this.onDisk &&
        ({ content: { base: '', text: this.onDisk.text }, typedOn: this.onDisk.typedOn } as PendingChange);
      const next = continuation(pending, {
        content: { base: '', text },
        after: { base: '', text: after },
        typedOn: { page, edition },
      });
      assert.notEqual(next.kind, 'beside', 'nobody else has typed');
      if (next.kind === 'put') {
        this.onDisk = { text, typedOn: { page, edition } };
      }
      this.#outbox.settle(entry);
    }
    this.#inMemory = this.onDisk;
    this.#confirmed = this.onDisk?.text ?? '';
    assert.equal(this.#shelf.values.size, 0);
  }

  #newPage(): Outbox {
    return this.#open(`page ${++this.#pages}`);
  }
}
