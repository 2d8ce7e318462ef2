import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { FormulaThread } from '../../../src/colors/formulaThread.ts';

/** An extension as VS Code's own is: it draws a formula as itself, shows the options, hangs, ends, fails or takes all memory. */
const extension = `
const { workspace } = require('vscode');
exports.activate = (context) => {
  workspace.onDidChangeConfiguration(() => undefined, undefined, context.subscriptions);
  return {
    extendMarkdownIt(markdown) {
      markdown.core.ruler.push('reset', () => undefined);
      return markdown.use((reader, options) => {
        reader.inline.ruler.after('escape', 'math_inline', () => false);
        reader.block.ruler.after('blockquote', 'math_block', () => false, { alt: [] });
        const draw = (display) => (tokens, index) => {
          const { content } = tokens[index];
          if (content === 'hang') for (;;) {}
          if (content === 'end') process.exit(1);
          if (content === 'throw') throw new Error('No.');
          if (content === 'mistake') return '<span class="katex-error" title="<math>">No.</span>';
          if (content === 'text') return 'no formula';
          if (content === 'long') return '<math>' + 'x'.repeat(100_000);
          if (content === 'memory') { const all = []; for (;;) all.push(new Array(1_000_000).fill(all.length)); }
          if (content === 'define') options.macros['\\\\a'] = 'b';
          if (content === 'options') {
            const { output, trust, globalGroup, macros } = options;
            return '<math>' + JSON.stringify({ output, trust, globalGroup, macros });
          }
          return '<math display=' + display + '>' + content;
        };
        reader.renderer.rules.math_inline = draw(false);
        reader.renderer.rules.math_block = draw(true);
      }, { enableFencedBlocks: true, globalGroup: true, macros: {} });
    },
  };
};`;

const question = (source: string, display = false, macros = {}) => ({ formula: { source, display }, macros });

describe('the thread that draws formulas', function () {
  this.timeout(60_000);
  let folder: string;
  let worker: string;
  let thread: FormulaThread;
  const threadOf = (waitMs?: number, name = 'extension'): FormulaThread =>
    new FormulaThread(worker, { file: path.join(folder, name) }, waitMs);

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'formulas-'));
    worker = path.join(folder, 'worker.cjs');
    await build({
      entryPoints: [path.resolve(import.meta.dirname, '../../../src/colors/formulaWorker.ts')],
      outfile: worker,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
    await writeFile(path.join(folder, 'extension.js'), extension);
    await writeFile(path.join(folder, 'other.js'), "require('node:fs'); exports.activate = () => ({});");
  });
  beforeEach(() => {
    thread = threadOf();
  });
  afterEach(() => thread.dispose());
  after(() => rm(folder, { recursive: true }));

  it('draws each with the extension, in a line and by itself', async () => {
    assert.deepEqual(await thread.draw([question('x'), question('y', true)]), [
      '<math display=false>x',
      '<math display=true>y',
    ]);
  });

  it('draws as browsers show it, trusts nobody, and keeps the macros of one formula from the next', async () => {
    const macros = { '\\R': 'r' };
    const [, options = ''] = await thread.draw([question('define'), question('options', false, macros)]);
    assert.deepEqual(JSON.parse(options!.slice('<math>'.length)), {
      output: 'mathml',
      trust: false,
      globalGroup: false,
      macros,
    });
  });

  it('leaves as it is what has a mistake, is no formula, becomes too long, or fails', async () => {
    const sources = ['mistake', 'text', 'long', 'throw', 'x'];
    assert.deepEqual(await thread.draw(sources.map((source) => question(source))), [
      null,
      null,
      null,
      null,
      '<math display=false>x',
    ]);
  });

  it('goes on after one with which it ended, or ran out of memory', async () => {
    const sources = ['end', 'x', 'memory', 'y'];
    const drawn = await threadOf(60_000).draw(sources.map((source) => question(source)));
    assert.deepEqual(drawn, [null, '<math display=false>x', null, '<math display=false>y']);
  });

  it('gives up a text with one that never ends, and draws the next text', async () => {
    const impatient = threadOf(2_500);
    const hanging = impatient.draw([question('hang'), question('x')]);
    let next = impatient.draw([question('y')]);
    assert.deepEqual(await hanging, [null, null]);
    // A busy computer may take longer for a new thread, too.
    while ((await next)[0] === null) {
      next = impatient.draw([question('y')]);
    }
    impatient.dispose();
  });

  it('draws nothing with an extension that is another one, or not there', async () => {
    assert.deepEqual(await threadOf(60_000, 'other').draw([question('x')]), [null]);
    assert.deepEqual(await threadOf(60_000, 'gone').draw([question('x')]), [null]);
  });
});
