import assert from 'node:assert/strict';
import { changesOnDisk } from '../support/plantedChanges.ts';
import { errorsAreHeard, plantErrors } from '../support/plantedErrors.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { WrittenPatch } from '../support/writtenPatch.ts';

/** Characters of prose that the page has, and that nobody changes. */
const long = `# Long\n\n${'A word and another. '.repeat(6_000)}`;

/** A message that the page was sent: what it asks for, its characters, and the sections of which it says that they weren't seen. */
interface Sent {
  method: string;
  length: number;
  unread: readonly string[];
}

interface Request {
  rpc?: string;
  method?: string;
  parameters?: { unread?: readonly string[] };
}

describe('between a patch document and its window', function () {
  this.timeout(400_000);
  let patch: WrittenPatch;

  before(async () => {
    patch = await WrittenPatch.open(['# First\n\nA few words.', '# Second\n\nSome more.', long]);
    // The page is told of it when something has been read, too.
    await patch.webview.locator('.rail-dot[aria-current="page"][data-mark="partlyRead"]').waitFor();
    await patch.webview.locator('body').evaluate(() => {
      const sent: Sent[] = [];
      Object.assign(globalThis, { sent });
      addEventListener('message', ({ data }: MessageEvent<Request>) => {
        if (data.rpc === 'request') {
          const { method = '', parameters } = data;
          sent.push({ method, length: JSON.stringify(data).length, unread: parameters?.unread ?? [] });
        }
      });
    });
  });

  pictureAfterFailure(() => patch.window);

  after(() => patch.close());

  /** The messages to the page since this was asked last. */
  const sent = (): Promise<Sent[]> =>
    patch.webview.locator('body').evaluate(() => (globalThis as unknown as { sent: Sent[] }).sent.splice(0));

  async function type(words: string, more: string): Promise<void> {
    await patch.edit(words);
    await patch.typeAtEnd(more);
    await patch.webview.locator('.editor-status').getByText('Saved locally').waitFor();
  }

  it('nothing is sent to the page of what is typed in it', async () => {
    await type('A few words', ' And more.');
    await sent();
    await patch.typeAtEnd(' And again.');
    await until(async () => JSON.stringify(await changesOnDisk(patch.editor)).includes('And again.'));
    const told = await sent();
    await patch.save();
    assert.deepEqual(told, []);
  });

  it('how things are is sent once for each save, without what the page has already', async () => {
    await sent();
    // A late message of one save would be counted with the next.
    for (const words of ['Some more', 'A few words', 'Some more']) {
      await type(words, ' Again.');
      await patch.save();
    }
    const messages = await sent();
    const counts = messages.map(({ method, length }) => `${method} ${length}`);
    // One for each beginning of a change, and one for each save.
    assert.deepEqual(
      messages.map(({ method }) => method),
      Array(6).fill('show'),
      counts.join(),
    );
    assert.ok(
      messages.every(({ length }) => length < 5_000),
      counts.join(),
    );
    // The one that is long, and the file after it: nobody has to read what they have written.
    assert.deepEqual(
      messages.map(({ unread }) => unread.length),
      Array(6).fill(2),
    );
  });

  // Where the page is alone, pageErrors.test.ts hears them.
  it('errors that nobody catches are heard', async () => {
    await patch.webview.locator('h1').first().evaluate(plantErrors);
    await errorsAreHeard(patch.window.console);
  });
});
