/** Repositories that nobody would make by hand, with whatever git can hold. */
import { GitRepository } from './gitRepository.ts';
import type { Random } from './random.ts';

type Mode = '100644' | '100755' | '120000' | '160000';

interface File {
  mode: Mode;
  /** In bytes as Latin-1; the id of a commit for a submodule. */
  content: string;
}

type Files = ReadonlyMap<string, File>;

const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const folders = ['', 'src/', 'a folder/', bytesOf('größe/'), 'deep/er/and/deeper/'];
const names = [
  'plain.txt',
  'no extension',
  '"quoted".txt',
  'tab\tand\nline.txt',
  'back\\slash',
  bytesOf('日本.txt'),
  bytesOf('😀.md'),
  'caf\xe9.txt',
  '-dash',
  ' blank ',
  '@@ -1 +1 @@',
  'README',
];
const lines = [
  'return;',
  '}',
  '',
  '@@ -1,2 +1,2 @@',
  'diff --git a/x b/x',
  '--- a/x',
  '+++ b/x',
  'Binary files a/x and b/x differ',
  '\\ No newline at end of file',
  ':100644 100644 abc def M\tx',
  '0123456789abcdef0123456789abcdef01234567',
  bytesOf('größer 日本 😀 \u2028'),
  '\ttab and trailing blank ',
  '\f\v\x01',
  // In Latin-1, and in Shift_JIS.
  'cr\xe8me br\xfbl\xe9e',
  '\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x5c\x81\x5b\x83\x58',
];

/** Branches of so many commits beside `main`, with changes of all kinds; some of them are merged into one another. */
export function generateRepository(
  random: Random,
  { branches, commits }: { branches: number; commits: number },
): GitRepository {
  const repository = GitRepository.create();
  const stream = new CommitStream();
  const start: Files = new Map(Array.from({ length: 8 }, () => inventFile(random)));
  let main = { mark: stream.add('main', [], new Map(), start), files: start };
  const tips: { mark: string; files: Files }[] = [];
  for (let branch = 0; branch < branches; branch += 1) {
    let tip = main;
    for (let commit = 0; commit < commits; commit += 1) {
      const [merged] = random.oneIn(5) ? tips : [];
      const files = inventChanges(tip.files, random);
      const parents = [tip.mark, ...(merged ? [merged.mark] : [])];
      tip = { mark: stream.add(`topic/${branch}`, parents, tip.files, files), files };
    }
    tips.push(tip);
    const files = inventChanges(main.files, random);
    main = { mark: stream.add('main', [main.mark], main.files, files), files };
  }
  repository.gitWithInput(stream.bytes(), 'fast-import', '--quiet', '--force');
  return repository;
}

/** Commits as `git fast-import` reads them. */
class CommitStream {
  readonly #pieces: string[] = [];
  #marks = 0;

  /** Adds a commit, with the files it differs in from its first parent; gives the name that it goes by in this stream. */
  add(branch: string, parents: readonly string[], before: Files, files: Files): string {
    this.#marks += 1;
    const who = bytesOf(`Gräfin <g@example.com> ${1_700_000_000 + this.#marks} +0000`);
    const message = bytesOf(
      `Change ${this.#marks}: größer\nin two lines\n\nBecause of 日本.\n\n  Indented.\n`,
    );
    const [from, ...merged] = parents;
    this.#pieces.push(
      `commit refs/heads/${branch}\nmark :${this.#marks}\nauthor ${who}\ncommitter ${who}\n`,
      `data ${message.length}\n${message}`,
      ...(from === undefined ? [] : [`from ${from}\n`]),
      ...merged.map((mark) => `merge ${mark}\n`),
      ...[...before.keys()].filter((name) => !files.has(name)).map((name) => `D ${quote(name)}\n`),
      ...[...files].filter(([name, file]) => before.get(name) !== file).map(fileLine),
      '\n',
    );
    return `:${this.#marks}`;
  }

  bytes(): Buffer {
    return Buffer.from(this.#pieces.join(''), 'latin1');
  }
}

function fileLine([name, { mode, content }]: [string, File]): string {
  return mode === '160000'
    ? `M ${mode} ${content} ${quote(name)}\n`
    : `M ${mode} inline ${quote(name)}\ndata ${content.length}\n${content}\n`;
}

function quote(name: string): string {
  return `"${name.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

function inventText(random: Random): string {
  const text = Array.from({ length: random.below(60) }, () =>
    random.oneIn(3) ? `${random.pick(lines)}` : `line ${random.below(1000)}`,
  );
  const end = random.oneIn(6) ? '\r\n' : '\n';
  return text.join(end) + (random.oneIn(4) || text.length === 0 ? '' : end);
}

function inventFile(random: Random): [string, File] {
  const name = `${random.pick(folders)}${random.below(4)}${random.pick(names)}`;
  const kind = random.below(12);
  if (kind === 0) {
    return [name, { mode: '120000', content: `to/${random.below(100)}` }];
  }
  if (kind === 1) {
    const id = Array.from({ length: 40 }, () => random.below(16).toString(16)).join('');
    return [name, { mode: '160000', content: id }];
  }
  if (kind === 2) {
    return [name, { mode: '100644', content: `\0\x01\xff${random.below(1e6)}` }];
  }
  return [name, { mode: random.oneIn(8) ? '100755' : '100644', content: inventText(random) }];
}

function inventChanges(before: Files, random: Random): Files {
  const files = new Map(before);
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const [name, file] = random.pick([...files]) ?? [undefined, undefined];
    const kind = random.below(7);
    if (name === undefined || kind < 2) {
      // One that is there already gets another kind, or another content.
      const [added, content] = inventFile(random);
      files.set(added, content);
    } else if (kind === 2) {
      files.delete(name);
    } else if (kind === 3) {
      files.delete(name);
      files.set(inventFile(random)[0], file);
    } else if (kind === 4 && file.mode.startsWith('100')) {
      files.set(name, { ...file, mode: file.mode === '100644' ? '100755' : '100644' });
    } else if (file.mode.startsWith('100')) {
      const content = file.content.split(/(?<=\n)/);
      content.splice(
        random.below(content.length + 1),
        random.below(3),
        ...inventText(random)
          .split(/(?<=\n)/)
          .slice(0, 4),
      );
      files.set(name, { ...file, content: content.join('') });
    }
  }
  return files;
}
