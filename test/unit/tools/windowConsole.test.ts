/** The errors of ours in the console of a window, and what is told of them. */
import assert from 'node:assert/strict';
import type Mocha from 'mocha';
import { TestTimes } from '../../support/underWay.ts';
import { describeError, WindowConsole, type ConsoleLine } from '../../support/windowConsole.ts';

const page = 'https://abc.vscode-cdn.net/stable/out/vs/workbench/contrib/webview/page.js';
const line = (text: string, more: Partial<ConsoleLine> = {}): ConsoleLine => ({
  type: 'error',
  text,
  url: '',
  at: 0,
  ...more,
});
const rejected = '[patch-stacks.patch-stacks]Cannot read properties of undefined';
const stack = (file: string): string =>
  `TypeError: Cannot read properties of undefined\n    at read (${file}:1:2)`;

/** The errors that a console is left with. */
function errorsIn(lines: readonly ConsoleLine[], expected?: RegExp): WindowConsole['errors'] {
  const console = new WindowConsole(expected);
  lines.forEach((one) => console.take(one));
  return console.errors;
}

describe('the console of a window', () => {
  it('has errors of ours: those of our pages, of our part of the extension host, and of a policy', () => {
    const errors = errorsIn(
      [
        line('of VS Code'),
        line('of a page', { url: page }),
        line('a warning of a page', { url: page, type: 'warning' }),
        line('[patch-stacks.patch-stacks]of the host'),
        line('Refused by the Content Security Policy', { type: 'info' }),
        line('Failed to load resource', { url: page }),
        line('inline style', { url: page }),
      ],
      /^inline/,
    );
    assert.deepEqual(
      errors.map(({ text, isOfHost }) => [text, isOfHost]),
      [
        ['of a page', false],
        ['[patch-stacks.patch-stacks]of the host', true],
        ['Refused by the Content Security Policy', false],
        [`Failed to load resource: ${page}`, false],
      ],
    );
  });

  it('says where an error of the host happened on the next line, and drops one that is none of ours', () => {
    const [ours] = errorsIn([
      line(rejected),
      line(stack('/clone/dist/patch.js')),
      line(stack('/clone/other.js')),
    ]);
    assert.equal(ours?.stack, stack('/clone/dist/patch.js'));
    assert.deepEqual(errorsIn([line(rejected), line(stack('/clone/code-server-4/out/host.js'))]), []);
    const [without] = errorsIn([
      line(rejected),
      line('Something else\n    at read (/clone/dist/patch.js:1:2)'),
    ]);
    assert.equal(without?.stack, undefined);
  });

  it('has what was thrown in a page and not caught, but for what VS Code alone has thrown', () => {
    const workbench = 'http://127.0.0.1:1/stable-1/static/out/vs/code/browser/workbench/workbench.js';
    const frame = 'https://abc.vscode-cdn.net/stable/out/vs/workbench/contrib/webview/browser/pre/index.html';
    const inline = frame.replace('index', 'fake');
    const script = 'https://file+.vscode-resource.vscode-cdn.net/clone/dist/webview/patchDocument.mjs';
    const stackOf = (...places: string[]): string =>
      ['TypeError: x is undefined', ...places.map((place) => `    at read (${place}:1:2)`)].join('\n');
    const thrown = (text: string, url: string, stack: string): boolean => {
      const console = new WindowConsole(/^Error: expected$/);
      const error = console.takeThrown({ text, url, stack, at: 7 });
      assert.deepEqual(console.errors, error === undefined ? [] : [error]);
      assert.deepEqual(console.lines, [`not caught: ${text}`]);
      return error !== undefined;
    };
    for (const [url, stack] of [
      [script, stackOf(script)],
      [script, stackOf(script, frame)],
      [workbench, stackOf(workbench, script)],
      [inline, stackOf(inline)],
      [script, ''],
      ['', ''],
      ['https://page.test/patchDocument.mjs', ''],
    ] as const) {
      assert.ok(thrown('TypeError: x is undefined', url, stack), `${url} ${stack}`);
    }
    for (const [text, url, stack] of [
      ['TypeError: x is undefined', workbench, stackOf(workbench, workbench)],
      ['TypeError: x is undefined', frame, stackOf(frame)],
      ['some words', workbench, ''],
      ['Error: expected', script, stackOf(script)],
    ] as const) {
      assert.ok(!thrown(text, url, stack), `${text} ${url} ${stack}`);
    }

    const console = new WindowConsole();
    console.take(line('a line', { type: 'log' }));
    const told = { text: 'Error: no', url: script, stack: stackOf(script), at: 7 };
    assert.deepEqual(console.takeThrown(told), {
      text: 'Not caught: Error: no',
      at: 7,
      isOfHost: false,
      before: ['log: a line'],
      stack: told.stack,
    });
    assert.ok(!('stack' in (console.takeThrown({ ...told, stack: '' }) ?? {})));
  });

  it('is told with an error: what came before it, where it happened, and in which test it was written', () => {
    const times = new TestTimes();
    const note = (title: string, at: number, test?: string): void =>
      times.note(
        {
          title,
          fullTitle: () => `suite ${title}`,
          ctx: { currentTest: test === undefined ? undefined : { fullTitle: () => `suite ${test}` } },
        } as unknown as Mocha.Runnable,
        at,
      );
    note('"before all" hook', 0);
    note('"before each" hook', 1_000, 'reads');
    note('reads', 2_000);
    note('writes', 10_000);
    note('"after each" hook', 10_500, 'writes');
    const told = (at: number, text = rejected): string => {
      const [error] = errorsIn([
        ...Array.from({ length: 20 }, (_value, index) => line(`line ${index}\n1\n2\n3\n4`, { type: 'log' })),
        line(text, { at, url: page }),
        line(stack('/clone/dist/patch.js'), { at }),
      ]);
      assert.ok(error);
      error.picture = 'error-1.png';
      return describeError(error, times);
    };
    assert.deepEqual(told(12_000).split('\n'), [
      rejected,
      '  in the test: suite writes',
      '  a picture: error-1.png',
      '  TypeError: Cannot read properties of undefined',
      '      at read (/clone/dist/patch.js:1:2)',
      '  the console before it:',
      ...Array.from({ length: 8 }, (_value, index) => [
        `    log: line ${12 + index}`,
        ...['1', '2', '3'].map((rest) => `    ${rest}`),
      ]).flat(),
    ]);
    assert.match(told(500), /in the test: suite "before all" hook\n/);
    assert.match(told(1_500, 'of a page'), /in the test: suite reads\n {2}a picture/);
    // VS Code says so a second after it happened.
    assert.match(told(10_100), /in the test: suite writes\n {2}or, a second before: suite reads\n/);
    assert.match(told(10_100, 'of a page'), /in the test: suite writes\n {2}a picture/);
  });
});
