import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ColoringThread } from '../../../src/colors/coloringThread.ts';
import type { CodeToColor } from '../../../src/util/coloring.ts';

/** A thread that colors each line as a whole, hangs at a line that says so, and waits for ever, or until it is told not to, at another. */
const worker = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ id, code, cancel }) => {
  if (cancel) {
    parentPort.postMessage({ id, colored: null });
  } else if (code.lines[0] === 'hang') {
    for (;;) {}
  } else if (code.lines[0] === 'end') {
    process.exit(1);
  } else if (code.lines[0] !== 'wait') {
    parentPort.postMessage({});
    parentPort.postMessage({ id, colored: { styles: [], lines: code.lines.map(({ length }) => [length, 0]) } });
  }
});`;

const code = (line: string): CodeToColor => ({
  name: { path: 'a.ts' },
  theme: { id: 'Dark', kind: 'dark' },
  lines: [line],
  isStart: true,
});
const start = {
  contributed: { languages: [], grammars: [], themes: [], iconThemes: [] },
  settings: { tokens: {}, colors: {}, associations: {} },
  engine: '',
};

describe('the thread that colors code', () => {
  let folder: string;
  let thread: ColoringThread;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'coloring-'));
    await writeFile(path.join(folder, 'worker.cjs'), worker);
  });
  beforeEach(() => {
    thread = new ColoringThread(path.join(folder, 'worker.cjs'), start);
  });
  afterEach(() => thread.dispose());
  after(() => rm(folder, { recursive: true }));

  it('answers each question', async () => {
    const answers = await Promise.all(['a', 'bc'].map((line) => thread.color(code(line))));
    assert.deepEqual(
      answers.map((answer) => answer?.lines),
      [[[1, 0]], [[2, 0]]],
    );
  });

  it('is there again for the next question when it has ended by itself', async () => {
    assert.equal(await thread.color(code('end')), null);
    assert.deepEqual((await thread.color(code('a')))?.lines, [[1, 0]]);
  });

  it('is ended when it hangs, and is there again', async () => {
    const impatient = new ColoringThread(path.join(folder, 'worker.cjs'), start, 2_500);
    assert.equal(await impatient.color(code('hang')), null);
    // A busy computer may take longer for a new one, too.
    while ((await impatient.color(code('a'))) === null) {
      continue;
    }
    impatient.dispose();
  });

  it('lets go of a question that nobody waits for any more', async () => {
    const controller = new AbortController();
    const answer = thread.color(code('wait'), controller.signal);
    controller.abort();
    assert.equal(await answer, null);
  });

  it('leaves nobody waiting when it is disposed of', async () => {
    const answer = thread.color(code('wait'));
    thread.dispose();
    assert.equal(await answer, null);
  });
});
