/** Pages that are opened while the first one of a window is being loaded. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { PageTurns } from '../../../src/ui/pageTurns.ts';
import { Emitter } from '../../../src/util/event.ts';

/** A page of which VS Code tells what a test says. */
class Page {
  readonly told = new Emitter<void>();
  readonly disposed = new Emitter<void>();
  readonly changed = new Emitter<void>();
  readonly webview = { onDidReceiveMessage: this.told.event };
  readonly onDidDispose = this.disposed.event;
  readonly onDidChangeViewState = this.changed.event;
  readonly viewType: string;
  visible = true;

  constructor(viewType = 'patch') {
    this.viewType = viewType;
  }
}

describe('the turns of pages', () => {
  let turns: PageTurns;
  let first: Page;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    turns = new PageTurns();
    first = new Page();
  });

  afterEach(() => mock.timers.reset());

  /** Asks for a turn. @returns tells whether it has come. */
  function ask(viewType = 'patch'): () => Promise<boolean> {
    let hasCome = false;
    const asking = turns.next(viewType).then(() => (hasCome = true));
    return async () => {
      await Promise.race([asking, setImmediate()]);
      return hasCome;
    };
  }

  it('come at once where no page was opened', async () => {
    assert.equal(await ask()(), true);
  });

  it('wait for the first page until it has told something', async () => {
    turns.note(first);
    const [second, third] = [ask(), ask('stack')];
    first.changed.fire();
    assert.deepEqual([await second(), await third()], [false, false]);
    first.told.fire();
    assert.deepEqual([await second(), await third()], [true, true]);
  });

  it('wait for no other page of a kind once one was loaded', async () => {
    turns.note(first);
    first.told.fire();
    await setImmediate();
    turns.note(new Page());
    assert.deepEqual([await ask()(), await ask('stack')()], [true, true]);
  });

  it('wait for the first page of their kind where other kinds are there', async () => {
    turns.note(first);
    first.told.fire();
    await setImmediate();
    const ofStack = new Page('stack');
    turns.note(ofStack);
    const [second, other] = [ask('stack'), ask()];
    assert.deepEqual([await second(), await other()], [false, true]);
    ofStack.told.fire();
    assert.equal(await second(), true);
  });

  it('come as those that they are for', async () => {
    assert.deepEqual(await turns.next('stack'), { viewType: 'stack' });
  });

  const ends: [name: string, end: (page: Page) => void][] = [
    ['is closed', (page) => page.disposed.fire()],
    [
      'is hidden',
      (page) => {
        page.visible = false;
        page.changed.fire();
      },
    ],
    ['has not come in five seconds', () => mock.timers.tick(5_000)],
  ];
  for (const [name, end] of ends) {
    it(`wait no longer for a page that ${name}, but for the next one`, async () => {
      turns.note(first);
      const second = ask();
      mock.timers.tick(4_999);
      assert.equal(await second(), false);
      end(first);
      assert.equal(await second(), true);
      await setImmediate();
      turns.note(new Page());
      assert.equal(await ask()(), false);
    });
  }
});
