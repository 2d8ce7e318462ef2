import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { describeImport } from '../../../src/service/describeImport.ts';
import { largestDiff } from '../../../src/service/git/diffs.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { Importer } from '../../../src/service/git/importer.ts';
import { findPatch, setReview } from '../../../src/service/storage/patches.ts';
import { canWrite } from '../../../src/service/storage/projects.ts';
import {
  addTextSection,
  deleteSection,
  findSection,
  newSectionCode,
  reorderSections,
  updateText,
  listSections,
} from '../../../src/service/storage/sections.ts';
import {
  createStack,
  findLatestStack,
  listStacks,
  updateStack,
} from '../../../src/service/storage/stacks.ts';
import { createUser, findUserByEmail } from '../../../src/service/storage/users.ts';
import { ada, grace, GitRepository } from '../../support/gitRepository.ts';
import { ImportedRepository } from '../../support/importedRepository.ts';

describe('importing a git repository', () => {
  let repository: GitRepository;
  let imported: ImportedRepository;

  beforeEach(() => {
    repository = GitRepository.withMain();
    imported = new ImportedRepository(repository);
  });

  afterEach(() => {
    imported.database.close();
    repository.remove();
  });

  describe('makes of a branch', () => {
    it('a stack of its commits, base to tip, with their authors', async () => {
      repository.branch('feature/add-login_page');
      const first = repository.commitFile(
        'a.txt',
        'one\n',
        'Add a\n\nBecause *we* need it.\n\nCo-authored-by: Ada Lovelace <ada@example.com>\n',
        grace,
      );
      const second = repository.commitFile('b.txt', 'two\n', 'Add b');
      const summary = await imported.import();
      const stack = imported.stack('feature/add-login_page');

      assert.deepEqual(summary.stacks, [
        { branch: 'feature/add-login_page', base: 'main', uuid: stack.uuid, result: 'new' },
      ]);
      assert.deepEqual(summary.bases, ['main']);
      assert.equal(summary.headDetached, false);
      assert.equal(summary.project, 'ada/example');
      assert.equal(stack.title, 'feature/add-login_page');
      assert.equal(stack.status, 'active');
      assert.equal(stack.version, 1);
      assert.equal(stack.oplog_sha, second);
      assert.equal(stack.stack_size, 2);
      assert.deepEqual(
        stack.patches.map(({ title, commit_sha, position, version }) => ({
          title,
          commit_sha,
          position,
          version,
        })),
        [
          { title: 'Add a', commit_sha: first, position: 0, version: 1 },
          { title: 'Add b', commit_sha: second, position: 1, version: 1 },
        ],
      );
      const [a, b] = stack.patches;
      assert.deepEqual(
        a!.contributors?.map(({ email, user }) => [email, user?.name]),
        [
          [grace.email, grace.name],
          [ada.email, ada.name],
        ],
      );
      assert.deepEqual(stack.contributors.map(({ email }) => email).sort(), [ada.email, grace.email]);
      assert.equal(
        a!.sections[0]!.data,
        'Because *we* need it.\n\nCo-authored-by: Ada Lovelace <ada@example.com>',
      );
      assert.deepEqual(
        a!.sections.map(({ section_type }) => section_type),
        ['text', 'diff'],
      );
      assert.deepEqual(
        b!.sections.map(({ section_type }) => section_type),
        ['diff'],
      );
      assert.deepEqual(a!.statistics, {
        file_count: 1,
        section_count: 2,
        lines: 1,
        deletions: 0,
        files: ['a.txt'],
      });
      assert.equal(a!.created_at, '2026-01-01T12:02:00.000Z');
    });

    it('work of those who are named in its commits, who may go on with it', async () => {
      const authors = [grace, ada, grace, { name: 'Grace H', email: 'grace.h@example.com' }, grace];
      repository.branch('topic');
      authors.forEach((author, index) => repository.commitFile(`${index}`, 'x', `Add ${index}`, author));
      await imported.import();
      assert.deepEqual(
        imported
          .stack('topic')
          .patches.map(({ contributors }) => contributors?.map(({ user }) => user?.name)),
        authors.map(({ name }) => [name]),
      );
      for (const { email } of authors) {
        const user = findUserByEmail(imported.database, email);
        assert.ok(user && canWrite(imported.database, user, imported.project), email);
      }
    });

    it('a stack titled after its only commit', async () => {
      repository.branch('x');
      repository.commitFile('a', 'a', 'The only one');
      await imported.import();
      assert.equal(imported.row('x').title, 'The only one');
    });

    it('texts, each with a code that no other one has', () => {
      const codes = Array.from({ length: 1000 }, newSectionCode);
      assert.ok(codes.every((code) => /^[0-9a-f]{16}$/.test(code)));
      assert.equal(new Set(codes).size, codes.length);
    });

    it('nothing where it is not ahead of the default branch', async () => {
      repository.git('branch', 'same');
      const summary = await imported.import();
      assert.deepEqual(summary.stacks, []);
    });

    it('a stack whatever it is called', async () => {
      const names = ['feature/ä#1', 'a%2Fb', 'weiß/日本?'.replace('?', ''), '-dash'.slice(1), 'emoji-😀'];
      for (const name of names) {
        repository.switch('main');
        repository.branch(name);
        repository.commit(`On ${name}`);
      }
      const summary = await imported.import();
      assert.deepEqual(summary.stacks.map(({ branch }) => branch).sort(), [...names].sort());
    });

    it('a stack even where it shares no history with the default branch', async () => {
      repository.git('switch', '--quiet', '--orphan', 'island');
      repository.commitFile('only.txt', 'x\n', 'Root');
      await imported.import();
      const [root] = imported.stack('island').patches;
      assert.equal(root!.files.get('only.txt')!.old_path, null);
    });
  });

  describe('makes of a commit', () => {
    /** The patch of one commit on a branch of its own. */
    async function patchOf(prepare: () => void) {
      repository.branch('topic');
      prepare();
      await imported.import();
      return imported.stack('topic').patches.at(-1)!;
    }

    it('diff sections that Git can apply, with sizes, counts and SHAs', async () => {
      repository.write('lines.txt', Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join(''));
      repository.commit('Lines');
      const old = repository.git('rev-parse', 'HEAD:lines.txt');
      const content = Array.from({ length: 40 }, (_, line) =>
        line === 3 || line === 30 ? `LINE ${line}\nmore\n` : `line ${line}\n`,
      ).join('');
      const patch = await patchOf(() => repository.commitFile('lines.txt', content, 'Change'));
      const file = patch.files.get('lines.txt')!;
      assert.deepEqual(
        { ...file, diff_patch: undefined, id: 0, code: '', diff_sha: '' },
        {
          id: 0,
          section_type: 'diff',
          identifier: 'lines.txt',
          version: 1,
          type: 'diff',
          code: '',
          position: 0,
          title: 'lines.txt',
          data: null,
          old_path: 'lines.txt',
          new_path: 'lines.txt',
          old_size: 310,
          new_size: Buffer.byteLength(content),
          hunks: 2,
          lines: 4,
          deletions: 2,
          diff_sha: '',
          base_file_sha: old,
          new_file_sha: repository.git('rev-parse', 'HEAD:lines.txt'),
          diff_patch: undefined,
        },
      );
      assert.equal(file.diff_patch, `${repository.git('diff', '--full-index', 'HEAD~', 'HEAD')}\n`);
      repository.switch('main');
      repository.gitWithInput(file.diff_patch, 'apply');
      assert.equal(readFileSync(`${repository.directory}/lines.txt`, 'utf8'), content);
    });

    it('hashes of all of its lines, however long they are', async () => {
      const sha1 = (data: string | Buffer): Buffer => createHash('sha1').update(data).digest();
      for (const length of [3990, 4000, 9000, 21_000, 65_530, 65_535, 65_536, 70_000]) {
        const name = `long${length}.txt`;
        const text = `short\n${'x'.repeat(length)}\nend\n${'y\n'.repeat(length)}`;
        const patch = await patchOf(() => repository.commitFile(name, text, `Long ${length}`));
        const file = patch.files.get(name)!;
        const expected = createHash('sha256').update(file.diff_patch!).digest('hex');
        assert.equal(file.diff_sha, expected, `with a line of ${length} characters`);
        const [, changes = ''] = /^@@ .*\n([^]*)/m.exec(file.diff_patch!) ?? [];
        const ofFile = sha1(`${JSON.stringify(['A', null, name, null, '100644'])}${changes}`);
        assert.equal(patch.patch_sha, sha1(ofFile).toString('hex'), `with a line of ${length} characters`);
        repository.switch('main');
        repository.git('branch', '-D', 'topic');
      }
    });

    it('sections for added, deleted, renamed and copied-over files', async () => {
      repository.write('keep.txt', 'keep\n'.repeat(20));
      repository.write('gone.txt', 'gone\n');
      repository.commit('Files');
      const patch = await patchOf(() => {
        repository.git('mv', 'keep.txt', 'moved.txt');
        repository.git('rm', '--quiet', 'gone.txt');
        repository.write('new.txt', 'new\n');
        repository.write('moved.txt', `${'keep\n'.repeat(20)}more\n`);
        repository.commit('Move');
      });
      const paths = [...patch.files.values()].map(({ old_path, new_path, old_size, new_size }) => [
        old_path,
        new_path,
        old_size,
        new_size,
      ]);
      assert.deepEqual(paths, [
        ['gone.txt', null, 5, 0],
        ['keep.txt', 'moved.txt', 100, 105],
        [null, 'new.txt', 0, 4],
      ]);
      assert.match(patch.files.get('moved.txt')!.diff_patch!, /rename from keep.txt\nrename to moved.txt\n/);
      assert.deepEqual(patch.statistics?.files, ['gone.txt', 'moved.txt', 'new.txt']);
    });

    it('sections for binary files, modes, links, submodules and changes of kind', async () => {
      repository.write('picture.png', Buffer.from([0x89, 0x50, 0, 1, 2]));
      repository.write('run.sh', 'echo\n');
      repository.git('config', 'core.symlinks', 'true');
      repository.commit('Files');
      const patch = await patchOf(() => {
        repository.write('picture.png', Buffer.from([0x89, 0x50, 0, 1, 2, 3]));
        repository.git('add', '--all');
        repository.git('update-index', '--chmod=+x', 'run.sh');
        const link = repository.gitWithInput('run.sh', 'hash-object', '-w', '--stdin');
        repository.git('update-index', '--add', '--cacheinfo', `120000,${link},link`);
        repository.git('update-index', '--add', '--cacheinfo', `160000,${repository.head()},module`);
        repository.git('update-index', '--cacheinfo', `120000,${link},README.md`);
        repository.git('commit', '--quiet', '-m', 'Kinds');
      });
      const picture = patch.files.get('picture.png')!;
      assert.deepEqual([picture.hunks, picture.lines, picture.old_size, picture.new_size], [0, 0, 5, 6]);
      assert.match(picture.diff_patch!, /^Binary files a\/picture.png and b\/picture.png differ$/m);
      assert.match(patch.files.get('run.sh')!.diff_patch!, /^old mode 100644\nnew mode 100755$/m);
      assert.match(patch.files.get('link')!.diff_patch!, /^new file mode 120000$/m);
      const module = patch.files.get('module')!;
      assert.match(module.diff_patch!, /^\+Subproject commit [0-9a-f]{40}$/m);
      assert.equal(module.new_size, null);
      const readme = patch.files.get('README.md')!;
      assert.match(readme.diff_patch!, /^deleted file mode 100644$/m);
      assert.match(readme.diff_patch!, /^new file mode 120000$/m);
      assert.deepEqual([readme.hunks, readme.lines, readme.deletions], [2, 1, 1]);
      assert.equal(patch.files.size, 5);
    });

    describe('a file of another kind, with the sizes of both sides:', () => {
      // A submodule is a commit of another repository: its size isn't known.
      const kinds = { file: ['100644', 8], link: ['120000', 6], submodule: ['160000', null] } as const;
      type Kind = keyof typeof kinds;
      const contents: Record<Kind, string> = { file: 'content\n', link: 'target', submodule: '' };

      function put(kind: Kind): void {
        const [mode] = kinds[kind];
        const sha =
          kind === 'submodule'
            ? repository.head()
            : repository.gitWithInput(contents[kind], 'hash-object', '-w', '--stdin');
        repository.git('update-index', '--add', '--cacheinfo', `${mode},${sha},it`);
        repository.git('commit', '--quiet', '-m', `A ${kind}`);
      }

      for (const before of ['file', 'link', 'submodule'] as const) {
        for (const after of (['file', 'link', 'submodule'] as const).filter((kind) => kind !== before)) {
          it(`${before} → ${after}`, async () => {
            put(before);
            const patch = await patchOf(() => put(after));
            const it = patch.files.get('it')!;
            assert.deepEqual([it.old_size, it.new_size], [kinds[before][1], kinds[after][1]]);
            assert.match(
              it.diff_patch!,
              new RegExp(
                `^deleted file mode ${kinds[before][0]}\\n[^]*^new file mode ${kinds[after][0]}\\n`,
                'm',
              ),
            );
          });
        }
      }
    });

    it('sections for names and contents of any bytes, one for each file', async () => {
      const patch = await patchOf(() => {
        repository.write(Buffer.from('caf\xe9.txt', 'latin1'), Buffer.from('cr\xe8me\n', 'latin1'));
        repository.write(Buffer.from('caf\xe8.txt', 'latin1'), 'x\n');
        repository.write('ü "quoted"\nname.txt', 'no newline at the end');
        repository.write('crlf.txt', 'a\r\nb\r\n');
        repository.write('tricky.txt', '@@ -1 +1 @@\ndiff --git a/x b/x\n0123456789abcdef\n\\ No newline\n');
        repository.commit('Names');
      });
      assert.deepEqual([...patch.files.keys()].sort(), [
        '"caf\\350.txt"',
        '"caf\\351.txt"',
        'crlf.txt',
        'tricky.txt',
        'ü "quoted"\nname.txt',
      ]);
      // They are called by their bytes, and shown as people read them.
      assert.equal(patch.files.get('"caf\\351.txt"')!.new_path, 'café.txt');
      assert.equal(patch.files.get('"caf\\350.txt"')!.new_path, 'cafè.txt');
      assert.match(patch.files.get('"caf\\351.txt"')!.diff_patch!, /^\+crème$/m);
      assert.match(
        patch.files.get('ü "quoted"\nname.txt')!.diff_patch!,
        /\+no newline at the end\n\\ No newline at end of file\n$/,
      );
      assert.match(patch.files.get('crlf.txt')!.diff_patch!, /\+a\r\n\+b\r\n$/);
      assert.equal(patch.files.get('tricky.txt')!.lines, 4);
    });

    it('whole sections for files of 50,000 lines', async () => {
      const lines = Array.from({ length: 50_000 }, (_, line) => `line ${line}\n`);
      repository.write('long.txt', lines.join(''));
      repository.commit('Long');
      const patch = await patchOf(() => {
        repository.write('long.txt', lines.map((line) => `new ${line}`).join(''));
        repository.commit('Longer');
      });
      const file = patch.files.get('long.txt')!;
      assert.deepEqual([file.lines, file.deletions, file.hunks], [50_000, 50_000, 1]);
      assert.equal(file.diff_patch!.split('\n').length, 100_000 + 6);
    });

    it('a section without its diff, but with its counts, where no one could read that', async () => {
      const line = `${'x'.repeat(99)}\n`;
      const patch = await patchOf(() => {
        repository.write('huge.txt', line.repeat(largestDiff / line.length));
        repository.commitFile('small.txt', 'small\n', 'Huge');
      });
      const huge = patch.files.get('huge.txt')!;
      assert.deepEqual([huge.diff_patch, huge.hunks, huge.lines], [null, 1, Math.floor(largestDiff / 100)]);
      assert.match(patch.files.get('small.txt')!.diff_patch!, /^\+small$/m);
    });

    it('a section with its diff up to the last byte that is kept, and without it from the next one on', async () => {
      const patch = await patchOf(() => {
        const small = 'x\n';
        repository.commitFile('small', small, 'Small');
        const others = repository.git('diff', '--full-index', 'HEAD~', 'HEAD').length + 1 - small.length;
        const content = `${'x'.repeat(largestDiff - others - 1)}\n`;
        repository.write('whole', content);
        repository.commitFile('above', `x${content}`, 'Large');
      });
      assert.equal(patch.files.get('whole')!.diff_patch?.length, largestDiff);
      assert.equal(patch.files.get('above')!.diff_patch, null);
    });

    it('a patch where the message or the change is empty', async () => {
      repository.branch('empty');
      repository.commit('');
      repository.commit('Nothing changes\n\nBut there is something to say.');
      repository.commitFile('a', 'a', '');
      await imported.import();
      const patches = imported.stack('empty').patches;
      assert.deepEqual(
        patches.map(({ title, sections }) => [title, sections.length]),
        [
          ['', 0],
          ['Nothing changes', 1],
          ['', 1],
        ],
      );
      assert.equal(new Set(patches.map(({ change_id }) => change_id)).size, 3);
    });

    it('a title of all lines before the blank one, in any characters and encodings', async () => {
      repository.branch('titles');
      repository.commit('Ein Titel\nin zwei Zeilen – 日本 😀\n\nText\r\nmit CRLF');
      repository.git('config', 'i18n.commitEncoding', 'ISO-8859-1');
      repository.write('x', 'x');
      repository.git('add', '--all');
      repository.gitWithInput(Buffer.from('Gr\xfc\xdfe', 'latin1'), 'commit', '--quiet', '--file=-');
      await imported.import();
      const [first, second] = imported.stack('titles').patches;
      assert.equal(first!.title, 'Ein Titel in zwei Zeilen – 日本 😀');
      assert.equal(first!.sections[0]!.data, 'Text\r\nmit CRLF');
      assert.equal(second!.title, 'Grüße');
    });
  });

  describe('of merges', () => {
    it('leaves out those that only bring the default branch up to date', async () => {
      repository.branch('topic');
      repository.commitFile('a', 'a', 'Mine');
      repository.switch('main');
      repository.commitFile('b', 'b', 'Theirs');
      repository.switch('topic');
      repository.merge('main');
      repository.commitFile('c', 'c', 'Mine too');
      await imported.import();
      assert.deepEqual(
        imported.stack('topic').patches.map(({ title }) => title),
        ['Mine', 'Mine too'],
      );
    });

    it('shows the commits of merged branches in their place', async () => {
      repository.branch('side');
      repository.commitFile('s', 's', 'Side');
      repository.git('switch', '--quiet', 'main');
      repository.branch('topic');
      repository.commitFile('a', 'a', 'Mine');
      repository.merge('side');
      repository.commitFile('c', 'c', 'After');
      await imported.import();
      const titles = imported.stack('topic').patches.map(({ title }) => title);
      assert.deepEqual([...titles].sort(), ['After', 'Mine', 'Side']);
      assert.equal(titles.at(-1), 'After');
    });

    it('shows what someone resolved by hand, and nothing else of the merge', async () => {
      repository.commitFile('conflict.txt', 'old\n', 'Base');
      repository.branch('topic');
      repository.commitFile('conflict.txt', 'mine\n', 'Mine');
      repository.switch('main');
      repository.write('other.txt', 'other\n');
      repository.commitFile('conflict.txt', 'theirs\n', 'Theirs');
      repository.switch('topic');
      assert.throws(() => repository.merge('main'));
      repository.commitFile('conflict.txt', 'both\n', 'Merge main into topic');
      await imported.import();
      const patches = imported.stack('topic').patches;
      assert.deepEqual(
        patches.map(({ title }) => title),
        ['Mine', 'Merge main into topic'],
      );
      assert.deepEqual([...patches[1]!.files.keys()], ['conflict.txt']);
      assert.match(patches[1]!.files.get('conflict.txt')!.diff_patch!, /^-mine\n\+both$/m);
      assert.equal(patches[1]!.statistics?.file_count, 1);
    });
  });

  describe('a second time', () => {
    /** Everything that is stored, to compare. */
    function everything() {
      return [
        'users',
        'projects',
        'stacks',
        'patches',
        'sections',
        'patch_contributors',
        'imported_branches',
        'diffs',
      ].map((table) => imported.database.query(`SELECT * FROM ${table}`).all());
    }

    it('does nothing where nothing is new', async () => {
      repository.branch('topic');
      repository.commitFile('a', 'a', 'Mine');
      await imported.import();
      const before = everything();
      const summary = await imported.import();
      assert.deepEqual(everything(), before);
      assert.deepEqual(
        summary.stacks.map(({ result }) => result),
        ['unchanged'],
      );
    });

    it('keeps what people do with the version before while a long one loads', async () => {
      repository.branch('topic');
      const tip = repository.commitFile('a.txt', 'a\n', 'First');
      repository.commitFile('b.txt', 'b\n', 'Second');
      await imported.import();
      const { uuid } = imported.row('topic');
      const { change_id } = imported.stack('topic').patches[0]!;
      // More commits than are written at once.
      const commits = Array.from({ length: 250 }, (_, index) => [
        `commit refs/heads/topic\ncommitter Ada <ada@example.com> ${1_700_000_000 + index} +0000`,
        `data 1\nN\n${index === 0 ? `from ${tip}\n` : ''}M 100644 inline ${index}.txt\ndata 1\nx`,
      ]);
      repository.git('switch', '--quiet', '--detach');
      repository.gitWithInput(`${commits.flat().join('\n')}\n`, 'fast-import', '--quiet', '--force');
      let isLoading = false;
      await imported.import({
        onProgress: ({ done }) => {
          if (done === 200 && !isLoading) {
            isLoading = true;
            const patch = findPatch(imported.database, uuid, change_id!)!;
            addTextSection(imported.database, patch, 'Meanwhile.', 0);
            setReview(imported.database, patch, imported.owner, true);
          }
        },
      });
      const { version, patches } = imported.stack('topic');
      const [first] = patches;
      assert.deepEqual([isLoading, version, patches.length], [true, 2, 251]);
      assert.deepEqual(
        first!.sections.map(({ data, identifier }) => data ?? identifier),
        ['Meanwhile.', 'a.txt'],
      );
      assert.equal(first!.review_all!.signed_off.length, 1);
    });

    it('makes no version when only the default branch has moved', async () => {
      repository.branch('topic');
      repository.commitFile('a', 'a', 'Mine');
      await imported.import();
      repository.switch('main');
      repository.commitFile('b', 'b', 'Theirs');
      const { uuid } = imported.row('topic');
      await imported.import();
      assert.equal(imported.row('topic').uuid, uuid);
    });

    it('recognizes amended commits, and keeps what people wrote and the order they chose', async () => {
      repository.branch('topic');
      repository.commitFile('a.txt', 'a\n', 'First\n\nThe message.');
      repository.write('b.txt', 'b\n');
      repository.commitFile('c.txt', 'c\n', 'Second\n\nThe second message.');
      await imported.import();
      const before = imported.stack('topic');
      const second = before.patches[1]!;
      const { database } = imported;
      const patch = findPatch(database, before.uuid, second.change_id!)!;
      const note = addTextSection(database, patch, 'A note.', 0);
      reorderSections(database, patch, [
        note.id,
        ...['c.txt', second.texts[0]!.code, 'b.txt'].map((code) => findSection(database, patch.id, code)!.id),
      ]);

      repository.write('bb.txt', 'new\n');
      repository.write('c.txt', 'C\n');
      repository.amend('Second, better\n\nAnother message.');
      const summary = await imported.import();
      const after = imported.stack('topic');

      assert.deepEqual(
        summary.stacks.map(({ result }) => result),
        ['new version'],
      );
      assert.equal(after.version, 2);
      assert.equal(imported.stackOf(before.uuid).status, 'inactive');
      assert.deepEqual(
        after.patches.map(({ change_id }) => change_id),
        before.patches.map(({ change_id }) => change_id),
      );
      assert.deepEqual(
        after.patches.map(({ version }) => version),
        [1, 2],
      );
      const amended = after.patches[1]!;
      assert.equal(amended.title, 'Second, better');
      assert.deepEqual(
        amended.sections.map(({ identifier, data, version }) => [data ?? identifier, version]),
        [
          ['A note.', 1],
          ['c.txt', 2],
          ['Another message.', 2],
          ['b.txt', 1],
          ['bb.txt', 1],
        ],
      );
      assert.equal(amended.texts[0]!.code, note.code);
      assert.equal(amended.texts[1]!.code, second.texts[0]!.code);
      assert.deepEqual(
        amended.sections.map(({ position }) => position),
        [0, 1, 2, 3, 4],
      );
      // The version before is still as it was read.
      assert.deepEqual(imported.stackOf(before.uuid).patches[1]!.title, 'Second');
    });

    it('keeps an edited message, and a deleted one stays deleted', async () => {
      repository.branch('topic');
      repository.commitFile('a.txt', 'a\n', 'First\n\nMessage one.');
      repository.commitFile('b.txt', 'b\n', 'Second\n\nMessage two.');
      await imported.import();
      const { database } = imported;
      const [first, second] = imported.stack('topic').patches;
      updateText(
        database,
        first!.row,
        findSection(database, first!.row.id, first!.texts[0]!.code)!,
        'Edited.',
      );
      deleteSection(database, second!.row, findSection(database, second!.row.id, second!.texts[0]!.code)!);
      repository.switch('main');
      repository.commitFile('z', 'z', 'Theirs');
      repository.switch('topic');
      repository.rebase('main');
      await imported.import();
      const after = imported.stack('topic');
      assert.equal(after.version, 2);
      assert.deepEqual(
        after.patches[0]!.texts.map(({ data, version }) => [data, version]),
        [['Edited.', 2]],
      );
      assert.deepEqual(after.patches[1]!.texts, []);
      assert.deepEqual(
        after.patches.map(({ change_id }) => change_id),
        [first!.change_id, second!.change_id],
      );
    });

    it('recognizes rebased, reordered and dropped commits, and duplicates none', async () => {
      repository.branch('topic');
      for (const name of ['a', 'b', 'c']) {
        repository.commitFile(`${name}.txt`, `${name}\n`, `Add ${name}`);
      }
      await imported.import();
      const before = imported.stack('topic');
      const [a, , c] = before.patches;
      repository.switch('main');
      repository.commitFile('z', 'z', 'Theirs');
      repository.git('switch', '--quiet', '--force-create', 'topic', 'main');
      repository.git('cherry-pick', c!.commit_sha!, a!.commit_sha!);
      await imported.import();
      assert.deepEqual(
        imported
          .stack('topic')
          .patches.map(({ change_id, position, version }) => [change_id, position, version]),
        [
          [c!.change_id, 0, 1],
          [a!.change_id, 1, 1],
        ],
      );
      assert.equal(listStacks(imported.database, imported.project.id, { status: 'all' }).length, 2);
      assert.equal(listStacks(imported.database, imported.project.id, { status: 'active' }).length, 1);
    });

    it('takes Change-Id trailers as change ids, and does not show them', async () => {
      repository.branch('topic');
      repository.commitFile('a.txt', 'a\n', 'First\n\nText.\n\nChange-Id: I0123456789\n');
      repository.commitFile('b.txt', 'b\n', 'Second\n\nChange-Id: Iabcdef\n');
      await imported.import();
      const [first, second] = imported.stack('topic').patches;
      assert.deepEqual([first!.change_id, second!.change_id], ['I0123456789', 'Iabcdef']);
      assert.deepEqual(
        first!.texts.map(({ data }) => data),
        ['Text.'],
      );
      assert.deepEqual(second!.texts, []);
    });

    it('keeps texts and reviews when trailers are added, and finds the change by them afterwards', async () => {
      repository.branch('topic');
      repository.commitFile('a.txt', 'a\n', 'First');
      repository.commitFile('b.txt', 'b\n', 'Second');
      await imported.import();
      const { database } = imported;
      const before = imported.stack('topic').patches;
      for (const { row, title } of before) {
        addTextSection(database, row, `About ${title}`, 0);
        setReview(database, row, imported.owner, true);
      }
      const textsOf = () =>
        imported
          .stack('topic')
          .patches.map(({ change_id, texts }) => [change_id, ...texts.map(({ data }) => data)]);
      const expected = before.map(({ change_id, title }) => [change_id, `About ${title}`]);
      repository.git('switch', '--quiet', '--force-create', 'topic', 'main');
      for (const { title, commit_sha } of before) {
        repository.git('cherry-pick', commit_sha!);
        repository.amend(`${title}\n\nChange-Id: I${title}`);
      }
      await imported.import();
      assert.deepEqual(textsOf(), expected);
      const signed = 'SELECT 1 FROM patch_marks WHERE patch_id = ? AND signed_off_at IS NOT NULL';
      for (const { row } of imported.stack('topic').patches) {
        assert.ok(database.query(signed).get(row.id), row.title);
      }

      // Nothing else is as it was.
      repository.git('switch', '--quiet', '--force-create', 'topic', 'main');
      repository.commitFile('c.txt', 'c\n', 'Another second\n\nChange-Id: ISecond');
      repository.commitFile('d.txt', 'd\n', 'Another first\n\nChange-Id: IFirst');
      await imported.import();
      assert.deepEqual(textsOf(), expected.toReversed());
    });

    describe('of commits that were squashed', () => {
      /** Three commits with a text each, and an edited message; then something is done to them. */
      async function textsAfter(rewrite: () => void): Promise<string[][]> {
        repository.branch('topic');
        for (const name of ['a', 'b', 'c']) {
          repository.commitFile(`${name}.txt`, `${name}\n`, `Add ${name}\n\nMessage of ${name}.`);
        }
        await imported.import();
        const { database } = imported;
        for (const { row, title, texts } of imported.stack('topic').patches) {
          updateText(database, row, findSection(database, row.id, texts[0]!.code)!, `${title}, edited`);
          addTextSection(database, row, `About ${title}`, undefined);
        }
        rewrite();
        await imported.import();
        return imported
          .stack('topic')
          .patches.map(({ title, texts }) => [title ?? '', ...texts.map(({ data }) => data ?? '')]);
      }

      const textsOf = (name: string): string[] => [`Add ${name}, edited`, `About Add ${name}`];

      it('keeps all texts, in order, where one goes into the one before it', async () => {
        const texts = await textsAfter(() => {
          repository.git('reset', '--quiet', '--soft', 'HEAD~1');
          repository.amend();
        });
        assert.deepEqual(texts, [
          ['Add a', ...textsOf('a')],
          ['Add b', ...textsOf('b'), ...textsOf('c')],
        ]);
      });

      it('keeps all texts, in order, where one goes into the one after it', async () => {
        const texts = await textsAfter(() => {
          repository.git('reset', '--quiet', '--soft', 'HEAD~2');
          repository.git('commit', '--quiet', '--reuse-message=ORIG_HEAD');
        });
        assert.deepEqual(texts, [
          ['Add a', ...textsOf('a')],
          ['Add c', ...textsOf('b'), ...textsOf('c')],
        ]);
      });

      it('keeps all texts, in order, where all go into the last one', async () => {
        const texts = await textsAfter(() => {
          repository.git('reset', '--quiet', '--soft', 'main');
          repository.git('commit', '--quiet', '--reuse-message=ORIG_HEAD');
        });
        assert.deepEqual(texts, [['Add c', ...['a', 'b', 'c'].flatMap(textsOf)]]);
      });

      it('keeps all texts where all become a new one', async () => {
        const texts = await textsAfter(() => {
          repository.git('reset', '--quiet', '--soft', 'main');
          repository.commit('All of it', grace);
        });
        assert.deepEqual(texts, [['All of it', ...['a', 'b', 'c'].flatMap(textsOf)]]);
      });

      it('gives no text of one that was dropped to another one', async () => {
        const texts = await textsAfter(() => {
          repository.git('reset', '--quiet', '--hard', 'HEAD~1');
          repository.write('b.txt', 'B\n');
          repository.amend();
        });
        assert.deepEqual(texts, [
          ['Add a', ...textsOf('a')],
          ['Add b', ...textsOf('b')],
        ]);
      });
    });

    it('carries a review along as long as the patch says and does the same', async () => {
      const reviewer = createUser(imported.database, {
        name: 'R',
        email: 'r@example.com',
        login: 'r',
        role: 'user',
      });
      repository.branch('topic');
      repository.commitFile('a.txt', 'a\n', 'First');
      repository.commitFile('b.txt', 'b\n', 'Second');
      await imported.import();
      for (const { row } of imported.stack('topic').patches) {
        setReview(imported.database, row, imported.owner, true);
        setReview(imported.database, row, reviewer, false);
      }
      repository.switch('main');
      repository.commitFile('z', 'z', 'Theirs');
      repository.switch('topic');
      repository.rebase('main');
      repository.write('b.txt', 'B\n');
      repository.amend();
      await imported.import();
      const [first, second] = imported.stack('topic').patches;
      assert.deepEqual([first!.review_all?.signed_off.length, first!.review_all?.rejected.length], [1, 1]);
      assert.deepEqual([second!.review_all?.signed_off.length, second!.review_all?.rejected.length], [0, 0]);
    });

    describe('takes for another change, and carries no review along, what differs in nothing but', () => {
      /** What a file is: nothing, or its mode and its content. */
      type State = readonly [mode: string, content: string] | undefined;
      const cases: Record<string, { from: State; to: State; then: { from?: State; to?: State } }> = {
        'the mode of a new file': {
          from: undefined,
          to: ['100644', 'it\n'],
          then: { to: ['100755', 'it\n'] },
        },
        'the mode that a changed file gets': {
          from: ['100644', 'old\n'],
          to: ['100644', 'new\n'],
          then: { to: ['100755', 'new\n'] },
        },
        'the mode that a deleted file had': {
          from: ['100644', 'it\n'],
          to: undefined,
          then: { from: ['100755', 'it\n'] },
        },
        'what a new binary file is': {
          from: undefined,
          to: ['100644', '\0one'],
          then: { to: ['100644', '\0two'] },
        },
        'what a deleted binary file was': {
          from: ['100644', '\0one'],
          to: undefined,
          then: { from: ['100644', '\0two'] },
        },
        'where the link leads that a file becomes': {
          from: ['100644', 'one'],
          to: ['120000', 'one'],
          then: { to: ['120000', 'two'] },
        },
        'what the file was that becomes a link': {
          from: ['100644', 'one'],
          to: ['120000', 'one'],
          then: { from: ['100644', 'two'] },
        },
        'what the binary file was that becomes a link': {
          from: ['100644', '\0one'],
          to: ['120000', 'one'],
          then: { from: ['100644', '\0two'] },
        },
        'what the binary file is that a link becomes': {
          from: ['120000', 'one'],
          to: ['100644', '\0one'],
          then: { to: ['100644', '\0two'] },
        },
      };

      function put(state: State, message: string): void {
        if (state) {
          const [mode, content] = state;
          const sha = repository.gitWithInput(content, 'hash-object', '-w', '--stdin');
          repository.git('update-index', '--add', '--cacheinfo', `${mode},${sha},it`);
        } else {
          repository.git('update-index', '--force-remove', 'it');
        }
        repository.git('commit', '--quiet', '--allow-empty', '-m', message);
      }

      /** Makes the branch anew on the default one, and gives the patch that goes from the one to the other. */
      async function change(from: State, to: State) {
        repository.git('checkout', '--quiet', '--force', '-B', 'topic', 'main');
        put(from, 'Before');
        put(to, `It\n\nChange-Id: I${'0a1b2c3d'.repeat(5)}`);
        await imported.import();
        return imported.stack('topic').patches.at(-1)!;
      }

      for (const [what, { from, to, then }] of Object.entries(cases)) {
        it(what, async () => {
          setReview(imported.database, (await change(from, to)).row, imported.owner, true);
          repository.git('checkout', '--quiet', '--force', 'main');
          repository.commitFile('theirs.txt', 'theirs\n', 'Theirs');
          const same = await change(from, to);
          assert.equal(same.review_all?.signed_off.length, 1);
          const other = await change('from' in then ? then.from : from, 'to' in then ? then.to : to);
          assert.equal(other.review_all?.signed_off.length, 0);
          assert.notEqual(other.patch_sha, same.patch_sha);
        });
      }
    });

    it('keeps the titles people gave, and leaves closed stacks closed', async () => {
      repository.branch('topic');
      repository.commitFile('a.txt', 'a\n', 'First');
      await imported.import();
      updateStack(imported.database, imported.row('topic').uuid, {
        title: 'My title',
        description: 'Mine',
        status: 'closed',
      });
      repository.commitFile('b.txt', 'b\n', 'Second');
      await imported.import();
      const { title, description, status, version } = imported.row('topic');
      assert.deepEqual([title, description, status, version], ['My title', 'Mine', 'closed', 2]);
    });

    it('makes the stacks of merged and deleted branches inactive, and active again when they are back', async () => {
      for (const name of ['merged', 'deleted']) {
        repository.switch('main');
        repository.branch(name);
        repository.commitFile(name, 'x', `Add ${name}`);
      }
      const tip = repository.head();
      await imported.import();
      const { uuid } = imported.row('deleted');
      repository.switch('main');
      repository.merge('merged');
      repository.git('branch', '--delete', '--force', 'deleted');
      const summary = await imported.import();
      assert.deepEqual(summary.stacks, []);
      assert.deepEqual(
        [imported.row('merged').status, imported.row('deleted').status],
        ['inactive', 'inactive'],
      );
      repository.git('branch', 'deleted', tip);
      await imported.import();
      assert.deepEqual([imported.row('deleted').status, imported.row('deleted').uuid], ['active', uuid]);
    });

    it('takes texts along when a branch is renamed', async () => {
      repository.branch('old-name');
      repository.commitFile('a.txt', 'a\n', 'First');
      await imported.import();
      const [patch] = imported.stack('old-name').patches;
      addTextSection(imported.database, patch!.row, 'A note.', 0);
      repository.git('branch', '--move', 'old-name', 'new-name');
      await imported.import();
      const [renamed] = imported.stack('new-name').patches;
      assert.equal(renamed!.change_id, patch!.change_id);
      assert.deepEqual(
        renamed!.texts.map(({ data }) => data),
        ['A note.'],
      );
    });
  });

  describe('compares with', () => {
    it('the default branch of the remote it was cloned from', async () => {
      repository.git('branch', '--move', 'main', 'trunk');
      const clone = GitRepository.create('clone');
      const copy = new ImportedRepository(clone);
      try {
        clone.git('remote', 'add', 'origin', repository.directory);
        clone.git('fetch', '--quiet', 'origin');
        clone.git('remote', 'set-head', 'origin', 'trunk');
        clone.git('switch', '--quiet', '--create', 'topic', 'origin/trunk');
        clone.commitFile('a', 'a', 'Mine');
        const summary = await copy.import();
        assert.deepEqual(summary.bases, ['origin/trunk']);
        assert.deepEqual(
          summary.stacks.map(({ branch }) => branch),
          ['topic'],
        );
      } finally {
        copy.database.close();
        clone.remove();
      }
    });

    it('master where there is no main', async () => {
      repository.git('branch', '--move', 'main', 'master');
      repository.branch('topic');
      repository.commit('Mine');
      assert.deepEqual((await imported.import()).bases, ['master']);
    });

    /** The base of each stack, by its branch, and the number of its patches. */
    async function comparisons(base?: string): Promise<Record<string, string>> {
      const importer = new Importer(imported.database, imported.owner.id, { base });
      const { stacks } = await imported.import({}, importer);
      return Object.fromEntries(
        stacks.map((stack) => [
          stack.branch,
          `${imported.stack(stack.branch).stack_size} on ${stack.base ?? 'nothing'}`,
        ]),
      );
    }

    /** Makes a branch at a remote, as a fetch would have. */
    function atRemote(remote: string, branch: string, commit = 'HEAD'): void {
      repository.git('config', `remote.${remote}.url`, `https://example.com/${remote}/it`);
      repository.git('config', `remote.${remote}.fetch`, `+refs/heads/*:refs/remotes/${remote}/*`);
      repository.git('update-ref', `refs/remotes/${remote}/${branch}`, commit);
    }

    function commits(count: number, what: string): void {
      for (let index = 0; index < count; index++) {
        repository.commit(`${what} ${index}`);
      }
    }

    it('what the branch tracks, where the fork of the person is far behind', async () => {
      atRemote('origin', 'main');
      repository.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
      commits(4, 'Theirs');
      atRemote('upstream', 'main');
      repository.git('switch', '--quiet', '--create', 'topic', '--track', 'upstream/main');
      repository.commit('Mine');
      repository.git('update-ref', 'refs/heads/main', 'refs/remotes/upstream/main');
      repository.git('branch', '--quiet', '--set-upstream-to=upstream/main', 'main');
      assert.deepEqual(await comparisons(), { topic: '1 on upstream/main' });
    });

    it('the nearest trunk, where the branch tracks nothing or the copy of itself that was pushed', async () => {
      atRemote('origin', 'main');
      repository.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
      commits(4, 'Theirs');
      atRemote('upstream', 'main');
      repository.git('switch', '--quiet', '--create', 'topic');
      repository.commit('Mine');
      atRemote('origin', 'topic');
      repository.git('branch', '--quiet', '--set-upstream-to=origin/topic', 'topic');
      repository.git('branch', '--quiet', 'untracked');
      repository.git('update-ref', 'refs/heads/main', 'refs/remotes/upstream/main');
      repository.git('branch', '--quiet', '--set-upstream-to=upstream/main', 'main');
      assert.deepEqual(await comparisons(), {
        topic: '1 on upstream/main',
        untracked: '1 on upstream/main',
      });
    });

    it('the only remote, whatever it is called, and without a HEAD', async () => {
      atRemote('company/code', 'main');
      repository.commit('Not pushed');
      assert.deepEqual(await comparisons(), { main: '1 on company/code/main' });
      repository.branch('topic');
      repository.commit('Mine');
      assert.deepEqual(await comparisons(), {
        main: '1 on company/code/main',
        topic: '2 on company/code/main',
      });
    });

    it('trunk without a remote, and never another feature', async () => {
      repository.git('branch', '--move', 'main', 'trunk');
      repository.branch('a-feature');
      commits(3, 'Feature');
      repository.git('switch', '--quiet', '--create', 'topic', '--track', 'a-feature');
      repository.commit('Mine');
      assert.deepEqual(await comparisons(), { 'a-feature': '3 on trunk', topic: '4 on trunk' });
    });

    it('develop where that is nearer than main, without a remote too', async () => {
      repository.branch('develop');
      commits(4, 'Next');
      repository.branch('topic');
      repository.commit('Mine');
      repository.switch('main');
      repository.branch('hotfix');
      repository.commit('Now');
      assert.deepEqual(await comparisons(), {
        develop: '4 on main',
        hotfix: '1 on main',
        topic: '1 on develop',
      });
    });

    it('a branch of a release that the branch tracks', async () => {
      atRemote('origin', 'main');
      repository.branch('release-1');
      commits(5, 'Release');
      atRemote('origin', 'release/1.x');
      repository.git('switch', '--quiet', '--create', 'fix', '--track', 'origin/release/1.x');
      repository.git('branch', '--quiet', '--delete', '--force', 'release-1');
      repository.commit('Mine');
      assert.deepEqual(await comparisons(), { fix: '1 on origin/release/1.x' });
    });

    it('what is pushed, where something was merged here only', async () => {
      atRemote('origin', 'main');
      repository.branch('topic');
      repository.commit('Mine');
      repository.switch('main');
      repository.git('merge', '--quiet', 'topic');
      assert.deepEqual(await comparisons(), { main: '1 on origin/main', topic: '1 on origin/main' });
    });

    it('what the person names, for one start or for the repository', async () => {
      repository.branch('one');
      commits(2, 'One');
      repository.git('switch', '--quiet', '--create', 'two');
      repository.commit('Two');
      assert.deepEqual(await comparisons(), { one: '2 on main', two: '3 on main' });
      assert.deepEqual(await comparisons('one'), { two: '1 on one' });
      repository.git('config', 'patchStacks.base', 'HEAD~2');
      assert.deepEqual(await comparisons(), { one: '1 on HEAD~2', two: '2 on HEAD~2' });
      for (const wrong of ['nowhere', '--all', 'HEAD:README.md', '']) {
        await assert.rejects(comparisons(wrong), { code: 'no_base' }, wrong);
      }
    });

    it('the branch most others forked from, where none has a usual name', async () => {
      repository.git('branch', '--move', 'main', 'stem');
      for (const name of ['a', 'b', 'c']) {
        repository.switch('stem');
        repository.commit(`More of the stem for ${name}`);
        repository.branch(name);
        repository.commit(`On ${name}`);
      }
      const summary = await imported.import();
      assert.deepEqual(summary.bases, ['stem']);
      assert.deepEqual(
        summary.stacks.map(({ branch }) => branch),
        ['a', 'b', 'c'],
      );
    });
  });

  it('names the project after the remote, and makes its owner an organization', async () => {
    repository.git('remote', 'add', 'origin', 'git@example.com:acme/tool.git');
    const summary = await imported.import();
    assert.equal(summary.project, 'acme/tool');
    assert.equal(imported.project.name, 'example');
  });

  it('makes users of the authors of commits', async () => {
    repository.branch('topic');
    repository.commitFile('a', 'a', 'Hers', grace);
    repository.commitFile('b', 'b', 'His', { name: 'Bot', email: '123+the-bot@users.noreply.github.com' });
    await imported.import();
    assert.equal(findUserByEmail(imported.database, grace.email)?.login, 'grace');
    assert.equal(
      findUserByEmail(imported.database, '123+the-bot@users.noreply.github.com')?.login,
      'the-bot',
    );
  });

  it('imports the branches at a detached HEAD, and says so', async () => {
    repository.branch('topic');
    repository.commit('Mine');
    repository.git('switch', '--quiet', '--detach');
    const summary = await imported.import();
    assert.equal(summary.headDetached, true);
    assert.equal(summary.stacks.length, 1);
  });

  it('works from a folder within, and on a bare repository', async () => {
    repository.branch('topic');
    repository.commitFile('deep/down/file.txt', 'a', 'Mine');
    const bare = GitRepository.create('bare');
    const copy = new ImportedRepository(bare);
    try {
      const inside = await imported.importer.import(`${repository.directory}/deep/down`);
      assert.equal(inside.stacks.length, 1);
      bare.git('clone', '--quiet', '--bare', repository.directory, 'copy.git');
      const summary = await copy.importer.import(`${bare.directory}/copy.git`);
      assert.equal(summary.stacks.length, 1);
      assert.match(summary.project, /copy$/);
    } finally {
      copy.database.close();
      bare.remove();
    }
  });

  it('says what is wrong with a folder that has no commits, no repository, or is not there', async () => {
    const empty = GitRepository.create();
    try {
      const code = (expected: string) => (error: unknown) =>
        error instanceof ServiceError && error.code === expected;
      await assert.rejects(imported.importer.import(empty.directory), code('empty_repository'));
      await assert.rejects(imported.importer.import(`${empty.directory}/..`), code('no_repository'));
      await assert.rejects(imported.importer.import(`${empty.directory}/nowhere`), code('no_repository'));
    } finally {
      empty.remove();
    }
  });

  describe('where the repository lacks something', () => {
    /** Takes an object away, out of the working tree too, where git would find it; gives what puts it back. */
    function lose(revision: string): () => void {
      const sha = repository.git('rev-parse', revision);
      repository.switch('main');
      const file = `${repository.directory}/.git/objects/${sha.slice(0, 2)}/${sha.slice(2)}`;
      renameSync(file, `${file}.away`);
      return () => renameSync(`${file}.away`, file);
    }

    it('says of that file alone what to do, and reads it once it is there', async () => {
      repository.branch('topic');
      repository.commitFile('a.txt', 'a\n', 'Good');
      repository.write('b.txt', 'b\n');
      repository.commitFile('c.txt', 'c\n', 'Damaged');
      const sha = repository.commitFile('d.txt', 'd\n', 'Good again');
      const restore = lose('HEAD:b.txt');
      await imported.import();
      const { uuid, patches } = imported.stack('topic');
      assert.deepEqual(
        patches.map(({ title, files }) => [title, ...files.keys()]),
        [
          ['Good', 'a.txt'],
          ['Damaged', 'b.txt', 'c.txt'],
          ['Good again', 'd.txt'],
        ],
      );
      assert.match(
        patches[1]!.files.get('b.txt')!.diff_patch!,
        /doesn't have the content.*git fsck.*git fetch/,
      );
      assert.match(patches[1]!.files.get('c.txt')!.diff_patch!, /^\+c$/m);
      assert.equal(patches[2]!.commit_sha, sha);

      assert.equal((await imported.import()).stacks[0]!.result, 'unchanged');
      assert.equal(imported.stack('topic').uuid, uuid);
      restore();
      assert.equal((await imported.import()).stacks[0]!.result, 'new version');
      assert.match(imported.stack('topic').patches[1]!.files.get('b.txt')!.diff_patch!, /^\+b$/m);
      assert.equal((await imported.import()).stacks[0]!.result, 'unchanged');
    });

    for (const [side, revision] of [
      ['before', 'HEAD~:it'],
      ['after', 'HEAD:it'],
    ] as const) {
      it(`says so of a file that becomes a link, where only what it was ${side} is missing`, async () => {
        repository.branch('topic');
        repository.commitFile('it', 'content\n', 'A file');
        const link = repository.gitWithInput('target', 'hash-object', '-w', '--stdin');
        repository.git('update-index', '--cacheinfo', `120000,${link},it`);
        repository.git('commit', '--quiet', '-m', 'A link');
        repository.git('checkout', '--quiet', '--force', 'HEAD');
        const restore = lose(revision);
        await imported.import();
        const text = (): string => imported.stack('topic').patches[1]!.files.get('it')!.diff_patch!;
        assert.match(text(), /^Git doesn't have the content of this file\./);
        restore();
        await imported.import();
        assert.match(text(), /^-content$[^]*^\+target$/m);
      });
    }

    it('knows the sizes of all but the files of the commit at which git ends', async () => {
      repository.commitFile('old.txt', 'old\n', 'Old');
      const sha = repository.git('rev-parse', 'HEAD:old.txt');
      repository.branch('topic');
      repository.commitFile('a.txt', 'a\n', 'Before');
      chmodSync(`${repository.directory}/old.txt`, 0o755);
      repository.commit('Made executable');
      repository.commitFile('b.txt', 'bb\n', 'After');
      const file = `${repository.directory}/.git/objects/${sha.slice(0, 2)}/${sha.slice(2)}`;
      chmodSync(file, 0o600);
      writeFileSync(file, deflateSync('nothing 4\0old\n'));
      await imported.import();
      assert.deepEqual(
        imported
          .stack('topic')
          .patches.map(({ files }) => Array.from(files.values(), ({ new_size }) => new_size)),
        [[2], [null], [3]],
      );
    });

    it('says of a commit whose files nobody can list what to do', async () => {
      repository.branch('topic');
      repository.commitFile('deep/a.txt', 'a\n', 'Damaged\n\nMessage.');
      repository.commitFile('b.txt', 'b\n', 'Good');
      lose('HEAD~:deep');
      await imported.import();
      const [damaged, good] = imported.stack('topic').patches;
      assert.match(damaged!.texts[0]!.data!, /^Message\.\n\nGit can't read which files.*git fsck/s);
      assert.equal(damaged!.files.size, 0);
      assert.equal(good!.title, 'Good');
    });

    it('shows the branches whose commits are there, and says which are not', async () => {
      repository.branch('broken');
      repository.commitFile('a.txt', 'a\n', 'Lost');
      repository.commitFile('b.txt', 'b\n', 'After it');
      repository.git('branch', 'fine', 'main');
      repository.switch('fine');
      repository.commitFile('c.txt', 'c\n', 'Fine');
      lose('broken~');
      const summary = await imported.import();
      assert.deepEqual(
        summary.stacks.map(({ branch }) => branch),
        ['fine'],
      );
      assert.deepEqual(
        summary.unreadable.map(({ branch }) => branch),
        ['broken'],
      );
      assert.match(describeImport(summary).join(' '), /The commits of broken couldn't be listed\. /);
    });

    /** Clones the repository in some way, and imports the clone. */
    async function inClone(
      options: string[],
      look: (copy: ImportedRepository, clone: GitRepository) => Promise<void>,
    ) {
      repository.git('config', 'uploadpack.allowFilter', 'true');
      const parent = GitRepository.create('parent');
      parent.git('clone', '--quiet', '--no-local', ...options, `file://${repository.directory}`, 'clone');
      const clone = GitRepository.at(`${parent.directory}/clone`);
      const copy = new ImportedRepository(clone);
      try {
        await look(copy, clone);
      } finally {
        copy.database.close();
        parent.remove();
      }
    }

    it('says in a partial clone what downloads the file', async () => {
      repository.branch('topic');
      repository.commitFile('a.txt', 'a\n', 'Mine');
      repository.switch('main');
      await inClone(['--filter=blob:none'], async (copy, clone) => {
        clone.git('branch', '--quiet', 'topic', 'origin/topic');
        await copy.import();
        const [patch] = copy.stack('topic').patches;
        const text = patch!.files.get('a.txt')!.diff_patch!;
        const [, command = ''] = /The clone is partial: run "git (show \w+)"/.exec(text) ?? [];
        clone.git(...command.split(' '));
        await copy.import();
        assert.match(copy.stack('topic').patches[0]!.files.get('a.txt')!.diff_patch!, /^\+a$/m);
      });
    });

    it('says where a shallow clone begins, instead of showing all files as new', async () => {
      repository.branch('topic');
      repository.commitFile('a.txt', 'a\n', 'First');
      repository.commitFile('b.txt', 'b\n', 'Second');
      repository.switch('main');
      await inClone(['--depth=2', '--no-single-branch'], async (copy, clone) => {
        clone.git('branch', '--quiet', 'topic', 'origin/topic');
        await copy.import();
        const [first, second] = copy.stack('topic').patches;
        assert.equal(first!.files.size, 0);
        assert.match(first!.texts[0]!.data!, /This clone is shallow.*git fetch --unshallow/);
        assert.deepEqual([...second!.files.keys()], ['b.txt']);
        clone.git('fetch', '--quiet', '--unshallow');
        await copy.import();
        const { patches } = copy.stack('topic');
        assert.deepEqual([...patches[0]!.files.keys()], ['a.txt']);
        assert.deepEqual(patches[0]!.texts, []);
      });
    });
  });

  it('takes commits that claim to be from any time', async () => {
    repository.branch('topic');
    const commit = [
      `tree ${repository.git('rev-parse', 'HEAD^{tree}')}`,
      `parent ${repository.head()}`,
      'author A <a@example.com> 99999999999999 +0000',
      'committer A <a@example.com> 99999999999999 +0000',
      '',
      'From the future',
    ].join('\n');
    const sha = repository.gitWithInput(
      commit,
      'hash-object',
      '-t',
      'commit',
      '-w',
      '--literally',
      '--stdin',
    );
    repository.git('update-ref', 'refs/heads/topic', sha);
    await imported.import();
    const [patch] = imported.stack('topic').patches;
    assert.equal(patch!.title, 'From the future');
    assert.match(patch!.created_at!, /^\+?\d+-\d\d-\d\dT/);
  });

  it('runs nothing that the repository configures', async () => {
    repository.branch('topic');
    const witness = `${repository.directory}/../ran`;
    const command = `touch '${witness}'; cat`;
    for (const [setting, value] of [
      ['core.fsmonitor', command],
      ['core.pager', command],
      ['diff.external', command],
      ['diff.evil.textconv', command],
      ['diff.evil.command', command],
      ['gpg.program', command],
      ['log.showSignature', 'true'],
      ['core.sshCommand', command],
    ] as const) {
      repository.git('config', setting, value);
    }
    repository.write('.gitattributes', '* diff=evil\n');
    repository.write('a.txt', 'a\n');
    const quietly = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
    repository.git(...quietly, 'add', '--all');
    repository.git(...quietly, 'commit', '--quiet', '-m', 'Mine');
    repository.write('.git/hooks/post-index-change', `#!/bin/sh\n${command}\n`);
    chmodSync(`${repository.directory}/.git/hooks/post-index-change`, 0o755);
    assert.throws(() => readFileSync(witness), { code: 'ENOENT' });
    await imported.import();
    assert.match(imported.stack('topic').patches[0]!.files.get('a.txt')!.diff_patch!, /^\+a$/m);
    assert.throws(() => readFileSync(witness), { code: 'ENOENT' });
  });

  it('is not led astray by how the person configured git', async () => {
    for (const [setting, value] of [
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['diff.renames', 'false'],
      ['diff.context', '0'],
      ['color.ui', 'always'],
      ['core.quotePath', 'true'],
      ['log.follow', 'true'],
      ['format.pretty', 'oneline'],
      ['i18n.logOutputEncoding', 'ISO-8859-1'],
      ['diff.submodule', 'log'],
    ] as const) {
      repository.git('config', setting, value);
    }
    repository.branch('topic');
    repository.git('mv', 'README.md', 'LIESMICH.md');
    repository.commit('Übersetze');
    await imported.import();
    const [patch] = imported.stack('topic').patches;
    assert.equal(patch!.title, 'Übersetze');
    assert.match(patch!.files.get('LIESMICH.md')!.diff_patch!, /^diff --git a\/README.md b\/LIESMICH.md\n/);
  });

  it('has the branch that is checked out first, to be read while the others are', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      repository.addCommits(name, 30, 'main');
    }
    repository.switch('c');
    const seen: { branch: string; done: number }[] = [];
    let readable: { done: number; branches: string[] } | undefined;
    await imported.import({
      onProgress: ({ branch, done }) => seen.push({ branch, done }),
      onReadable: (left) => {
        assert.equal(left, 90);
        const active = imported.database.query<{ branch_id: string }>(
          `SELECT branch_id FROM stacks WHERE status = 'active'`,
        );
        readable = {
          done: seen.at(-1)?.done ?? 0,
          branches: active.all().map(({ branch_id }) => branch_id),
        };
      },
    });
    assert.deepEqual(readable, { done: 30, branches: ['c'] });
    assert.deepEqual([...new Set(seen.map(({ branch }) => branch))], ['c', 'a', 'b', 'd', 'main']);
  });

  it('leaves the version before as the newest while the next one loads', async () => {
    repository.addCommits('topic', 1, 'main');
    await imported.import();
    const { uuid, project_id: projectId } = imported.row('topic');
    createStack(imported.database, {
      projectId,
      branchId: 'topic',
      oplogSha: 'next',
      title: 'Next',
      status: 'loading',
    });
    assert.equal(findLatestStack(imported.database, projectId, 'topic')?.uuid, uuid);
  });

  it('can be ended, and then leaves nothing half-done', async () => {
    repository.addCommits('first', 1, 'main');
    await imported.import();
    repository.addCommits('many', 300, 'main');
    const stop = new AbortController();
    const running = imported.import({
      signal: stop.signal,
      onProgress: ({ done }) => {
        if (done === 150) {
          stop.abort(new Error('Enough.'));
        }
      },
    });
    await assert.rejects(running, /Enough/);
    const count = (table: string) =>
      imported.database.query<{ all: number }>(`SELECT count(*) AS "all" FROM ${table}`).get()?.all;
    assert.deepEqual([count('stacks'), count('patches')], [1, 1]);
    const summary = await imported.import();
    assert.equal(summary.stacks.length, 2);
    assert.equal(imported.row('many').version, 1);
  });

  it('imports 2,000 commits on 10 branches in bounded memory, with progress', async () => {
    for (let branch = 0; branch < 10; branch++) {
      repository.addCommits(`branch-${branch}`, 200, 'main');
    }
    const seen: number[] = [];
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let most = before;
    await imported.import({
      onProgress: ({ done, total }) => {
        assert.equal(total, 2000);
        seen.push(done);
        most = Math.max(most, process.memoryUsage().rss);
      },
    });
    assert.equal(seen.at(-1), 2000);
    assert.ok(seen.every((done, index) => index === 0 || done >= seen[index - 1]!));
    assert.equal(imported.stack('branch-9').stack_size, 200);
    // The diffs alone are some 8 MB of text, most of it in the database in memory.
    assert.ok(
      most - before < 150 * 1024 * 1024,
      `memory grew by ${Math.round((most - before) / 1024 / 1024)} MB`,
    );
  });

  it('publishes the next version of a branch that has not changed, also of one of its older commits', async () => {
    repository.branch('topic');
    const first = repository.commitFile('a', 'a', 'First');
    repository.commitFile('b', 'b', 'Second');
    await imported.import();
    const again = await imported.importer.publish(imported.project, 'topic', 'event-7');
    assert.deepEqual([again!.version, again!.oplog_sha], [2, 'event-7']);
    assert.equal(listSections(imported.database, imported.stack('topic').patches[0]!.row.id).length, 1);
    const older = await imported.importer.publish(imported.project, 'topic', first);
    assert.equal(older!.version, 3);
    assert.equal(imported.stack('topic').stack_size, 1);
    assert.equal(await imported.importer.publish(imported.project, 'main', 'x'), undefined);
    assert.equal(await imported.importer.publish(imported.project, 'nowhere', 'x'), undefined);
    await imported.import();
    assert.equal(imported.row('topic').version, 3);
  });
});
