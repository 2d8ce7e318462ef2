/** Holds the imports of src/ against the plan of the house: they run one way, among files and among folders. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Each file with those that it imports; imports of types and those that are loaded later count like all others. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

function importsOf(files: readonly string[], read: (file: string) => string): Imports {
  return new Map(
    files.map((file) => [
      file,
      new Set(
        ts
          .preProcessFile(read(file), true, true)
          .importedFiles.map(({ fileName }) => path.posix.join(path.posix.dirname(file), fileName))
          .filter((name) => files.includes(name)),
      ),
    ]),
  );
}

/** The same among what stands directly in a folder: its files, and its folders as wholes. */
function roomsOf(folder: string, imports: Imports): Imports {
  const roomOf = (file: string): string | undefined =>
    file.startsWith(`${folder}/`) ? file.split('/', folder.split('/').length + 1).join('/') : undefined;
  const rooms = new Map<string, Set<string>>();
  for (const [from, targets] of imports) {
    const room = roomOf(from);
    if (room !== undefined) {
      const known = rooms.get(room) ?? new Set();
      for (const target of targets) {
        const other = roomOf(target);
        if (other !== undefined && other !== room) {
          known.add(other);
        }
      }
      rooms.set(room, known);
    }
  }
  return rooms;
}

/** A circle as the way round it; empty when there is none. */
function findCircle(imports: Imports): string[] {
  const left = new Map(imports);
  const isLeft = (name: string): boolean => left.has(name);
  let ends: string[];
  do {
    // A file that imports nothing that is left is on no circle.
    ends = [...left].filter(([, targets]) => ![...targets].some(isLeft)).map(([name]) => name);
    ends.forEach((name) => left.delete(name));
  } while (ends.length > 0);
  const way: string[] = [];
  let next = [...left.keys()][0];
  while (next !== undefined && !way.includes(next)) {
    way.push(next);
    next = [...(left.get(next) ?? [])].find(isLeft);
  }
  return next === undefined ? [] : [...way.slice(way.indexOf(next)), next];
}

describe('the imports of src/', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const imports = importsOf(files, read);

  it('lead from no file back to it', () => {
    assert.ok([...imports.values()].some((targets) => targets.size > 0));
    assert.deepEqual(findCircle(imports), []);
  });

  const folders = new Set(
    files.flatMap((file) =>
      file.split('/').flatMap((_, depth, names) => (depth > 0 ? [names.slice(0, depth).join('/')] : [])),
    ),
  );
  for (const folder of folders) {
    it(`lead from nothing in ${folder}/ back to it`, () => {
      assert.deepEqual(findCircle(roomsOf(folder, imports)), []);
    });
  }

  it('lead down the list of docs/architecture.md, which names every room', () => {
    const list = /^src\/\n([^]*?)^test\/\n/m.exec(read('docs/architecture.md'))?.[1] ?? '';
    const rooms = [...list.matchAll(/^ {2}([\w.]+)/gm)].map(([, name = '']) => `src/${name}`);
    const arrows = roomsOf('src', imports);
    assert.deepEqual([...arrows.keys()].sort(), [...rooms].sort());
    const upward = [...arrows].flatMap(([from, targets]) =>
      [...targets].filter((to) => rooms.indexOf(to) < rooms.indexOf(from)).map((to) => `${from} → ${to}`),
    );
    assert.deepEqual(upward, []);
  });

  it('take something of each file outside the pages: what is imported for its effects alone is not in the build', () => {
    const bare = files
      .filter((file) => !file.startsWith('src/webview/'))
      .filter((file) => /^import ['"]/m.test(read(file)));
    assert.deepEqual(bare, []);
  });

  it('are seen whatever they import, and a circle of them is found', () => {
    const sources: Record<string, string> = {
      'src/a/one.ts': "import type { Two } from '../b/two.ts';",
      'src/b/two.ts': "export const later = () => import('../c/three.ts');",
      'src/c/three.ts': "export { one } from '../a/other.ts';",
      'src/a/other.ts': 'export const one = 1;',
    };
    const planted = importsOf(Object.keys(sources), (file) => sources[file] ?? '');
    assert.deepEqual(findCircle(planted), []);
    assert.deepEqual(findCircle(roomsOf('src', planted)), ['src/a', 'src/b', 'src/c', 'src/a']);
    sources['src/a/other.ts'] = "import '../a/one.ts';";
    assert.equal(findCircle(importsOf(Object.keys(sources), (file) => sources[file] ?? '')).length, 5);
  });
});

describe('the papers for those who build this', () => {
  const tracked = globSync(['{src,test,tools,docs}/**/*', '*'], { cwd: root }).map((file) =>
    file.replaceAll('\\', '/'),
  );

  for (const paper of ['docs/architecture.md', 'CONTRIBUTING.md']) {
    it(`${paper} names no file that isn't there`, () => {
      const names = [...read(paper).matchAll(/`([\w./-]+\.(?:tsx?|mjs|json|md))`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !/\b(NAME|FEATURE)\b/.test(name));
      assert.ok(names.length > 10);
      const isThere = (name: string): boolean =>
        tracked.some((file) => file === name || file.endsWith(`/${name}`));
      assert.deepEqual(
        names.filter((name) => !isThere(name)),
        [],
      );
    });
  }
});
