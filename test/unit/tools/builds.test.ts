/** The builds of `npm start`: what they are named by, that they never change, and which are removed. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { builtFrom, fingerprintOf, takeBuild } from '../../../tools/builds.ts';
import { root } from '../../../tools/provision.ts';

const files: Readonly<Record<string, string>> = {
  'package.json': '{}',
  'package.nls.de.json': '{}',
  'l10n/bundle.l10n.de.json': '{}',
  'media/walkthrough/read.svg': 'picture',
  'src/extension.ts': 'extension',
  'src/ui/forms.css': 'styles',
  'esbuild.mjs': 'build',
  'tools/notices.mjs': 'notices',
  'tsconfig.json': '{}',
  'node_modules/.package-lock.json': '{}',
};

describe('the builds of npm start', () => {
  let directory: string;
  let clone: string;
  let builds: string;
  /** What was made, by the text of the extension. */
  let made: string[];
  const children: ChildProcess[] = [];

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-builds-'));
    clone = path.join(directory, 'clone');
    builds = path.join(directory, 'builds');
    made = [];
    Object.entries(files).forEach(([file, text]) => write(file, text));
  });

  afterEach(() => {
    children.splice(0).forEach((child) => child.kill('SIGKILL'));
    rmSync(directory, { recursive: true, force: true });
  });

  function write(file: string, text: string): void {
    mkdirSync(path.dirname(path.join(clone, file)), { recursive: true });
    writeFileSync(path.join(clone, file), text);
  }

  const said = (): string => readFileSync(path.join(clone, 'src/extension.ts'), 'utf8');

  async function make(target: string): Promise<void> {
    const text = said();
    made.push(text);
    cpSync(path.join(clone, 'src'), target, { recursive: true });
  }

  const take = (text = said()): Promise<{ folder: string; release: () => void }> => {
    write('src/extension.ts', text);
    return takeBuild(clone, builds, make);
  };

  const contentOf = (folder: string): string => readFileSync(path.join(folder, 'extension.ts'), 'utf8');

  /** The builds that are there, by the text of the extension. */
  const there = (): string[] =>
    readdirSync(builds)
      .filter((name) => existsSync(path.join(builds, name, 'extension.ts')))
      .map((name) => contentOf(path.join(builds, name)))
      .sort();

  const leftOver = (): string[] => readdirSync(builds).filter((name) => /part|lock/.test(name));

  /** Another process that takes the build as it is, and stays; its `make` says "making" first, and does these lines. */
  async function takeElsewhere(waitFor: string, lines = ''): Promise<ChildProcess> {
    const module = pathToFileURL(path.join(root, 'tools/builds.ts')).href;
    const program = `import { takeBuild } from ${JSON.stringify(module)};
      import { cpSync } from 'node:fs';
      await takeBuild(${JSON.stringify(clone)}, ${JSON.stringify(builds)}, async (target) => {
        cpSync(${JSON.stringify(path.join(clone, 'src'))}, target, { recursive: true });
        console.log('making');
        ${lines}
      });
      console.log('taken');
      process.stdin.resume();`;
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    for (let output = ''; !output.includes(waitFor);) {
      const [text] = (await once(child.stdout, 'data')) as [Buffer];
      output += text.toString();
    }
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  describe('are named by what they are made of:', () => {
    for (const file of Object.keys(files)) {
      it(`another one with another ${file}`, () => {
        const before = fingerprintOf(clone);
        assert.equal(fingerprintOf(clone), before);
        write(file, `${files[file] ?? ''} `);
        assert.notEqual(fingerprintOf(clone), before);
      });
    }

    it('another one where a file was added, renamed, or taken away, or two became one', () => {
      const seen = [fingerprintOf(clone)];
      const changes = [
        () => write('src/more.ts', 'more'),
        () => renameSync(path.join(clone, 'src/more.ts'), path.join(clone, 'src/moved.ts')),
        () => {
          write('src/moved.ts', 'mo');
          write('src/moved2.ts', 're');
        },
        () => {
          write('src/moved.ts', 'mo\nsrc/moved2.ts\nre');
          rmSync(path.join(clone, 'src/moved2.ts'));
        },
        () => rmSync(path.join(clone, 'src/extension.ts')),
      ];
      for (const change of changes) {
        change();
        seen.push(fingerprintOf(clone));
      }
      assert.equal(new Set(seen).size, seen.length);
    });

    it('the same one whatever else is changed', () => {
      const before = fingerprintOf(clone);
      write('test/unit/some.test.ts', 'test');
      write('dist/extension.cjs', 'built');
      write('docs/some.md', 'text');
      assert.equal(fingerprintOf(clone), before);
    });

    it('in this clone with all that the build imports and the package holds', () => {
      const known = new Set(builtFrom(root).map((file) => file.replaceAll('\\', '/')));
      const { importedFiles } = ts.preProcessFile(readFileSync(path.join(root, 'esbuild.mjs'), 'utf8'), true);
      const imported = importedFiles
        .map(({ fileName }) => fileName)
        .filter((name) => name.startsWith('.'))
        .map((name) => path.posix.normalize(name));
      const packed = readFileSync(path.join(root, '.vscodeignore'), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('!') && !line.startsWith('!dist/'))
        .flatMap((line) => globSync(line.slice(1), { cwd: root }));
      assert.ok(imported.length > 1 && packed.length > 10);
      assert.deepEqual(
        [...imported, ...packed].filter((file) => !known.has(file.replaceAll('\\', '/'))),
        [],
      );
    });
  });

  it('are made once for a clone that is unchanged, and stay as they are when it is not', async () => {
    const first = await take('one');
    assert.equal((await take()).folder, first.folder);
    assert.deepEqual(made, ['one']);
    const second = await take('two');
    assert.notEqual(second.folder, first.folder);
    assert.deepEqual([contentOf(first.folder), contentOf(second.folder)], ['one', 'two']);
    assert.equal((await take('one')).folder, first.folder);
    assert.deepEqual(made, ['one', 'two']);
    assert.deepEqual(leftOver(), []);
  });

  it('are made once by two that begin in the same moment', async () => {
    const [one, other] = await Promise.all([take(), take()]);
    assert.equal(one.folder, other.folder);
    assert.equal(made.length, 1);
  });

  it('are not there before they are whole', async () => {
    const seen: string[][] = [];
    await takeBuild(clone, builds, async (target) => {
      await make(target);
      seen.push(readdirSync(builds).filter((name) => /^\w+$/.test(name) && name !== 'lock'));
    });
    assert.deepEqual([seen, there()], [[[]], ['extension']]);
  });

  it('are made anew where something is saved meanwhile', async () => {
    const { folder } = await takeBuild(clone, builds, async (target) => {
      await make(target);
      write('src/extension.ts', 'saved');
    });
    assert.deepEqual(made, ['extension', 'saved']);
    assert.equal(contentOf(folder), 'saved');
    assert.equal(path.basename(folder), fingerprintOf(clone));
    assert.deepEqual(there(), ['saved']);
  });

  it('are made anew after a failure', async () => {
    const failing = takeBuild(clone, builds, async (target) => {
      await make(target);
      throw new Error('It fails.');
    });
    await assert.rejects(failing, /It fails/);
    const { folder } = await take();
    assert.equal(contentOf(folder), 'extension');
    assert.deepEqual([there(), leftOver()], [['extension'], []]);
  });

  it('are made anew after a process that was killed while it made one', async () => {
    await kill(
      await takeElsewhere('making', 'await new Promise(() => setInterval(() => undefined, 1_000));'),
    );
    assert.equal(made.length, 0);
    const { folder } = await take();
    assert.equal(contentOf(folder), 'extension');
    assert.deepEqual([there(), leftOver()], [['extension'], []]);
  });

  it('are removed when nobody uses them, but for the three newest', async () => {
    for (const [index, text] of ['1', '2', '3', '4', '5'].entries()) {
      const { folder, release } = await take(text);
      utimesSync(folder, 0, index);
      release();
    }
    assert.deepEqual(there(), ['2', '3', '4', '5']);
    await take('6');
    assert.deepEqual(there(), ['3', '4', '5', '6']);
    assert.deepEqual(leftOver(), []);
  });

  it('stay while a process uses them, and no longer', async () => {
    const takeMore = async (...texts: string[]): Promise<void> => {
      for (const text of texts) {
        const { folder, release } = await take(text);
        utimesSync(folder, 0, 1 + Number(text));
        release();
      }
    };
    const { folder } = await take('mine');
    utimesSync(folder, 0, 0);
    write('src/extension.ts', 'of another');
    const other = await takeElsewhere('taken');
    utimesSync(path.join(builds, fingerprintOf(clone)), 0, 0);
    await takeMore('1', '2', '3', '4', '5');
    assert.deepEqual(there(), ['2', '3', '4', '5', 'mine', 'of another']);
    await kill(other);
    await takeMore('6');
    assert.deepEqual(there(), ['3', '4', '5', '6', 'mine']);
    assert.equal(contentOf(folder), 'mine');
  });
});
