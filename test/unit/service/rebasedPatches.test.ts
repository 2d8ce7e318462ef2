/** What people said of a patch goes on with it where only its base is another one: not where its author has moved a part of it. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setReview } from '../../../src/service/storage/patches.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { ImportedRepository } from '../../support/importedRepository.ts';

const body = ['  begin();', '  open();', '  read();', '  write();', '  close();', '  end();'];
const guard = '  check();';

/** Two functions that differ in their names alone. @param guarded the one that begins by checking something. */
function functions(guarded?: 'remove' | 'show', above = ''): string {
  const written = ['remove', 'show'].map((name) => {
    const [first = '', second = '', third = '', ...rest] = body;
    const lines = [first, second, third, ...(guarded === name ? [guard] : []), ...rest];
    return `function ${name}() {\n${lines.join('\n')}\n}\n`;
  });
  return above + written.join('');
}

describe('a patch that comes again', () => {
  let repository: GitRepository;
  let imported: ImportedRepository;

  beforeEach(async () => {
    repository = GitRepository.withMain();
    imported = new ImportedRepository(repository);
    repository.commitFile('a.ts', functions(), 'Add functions');
    repository.branch('topic');
    repository.commitFile('a.ts', functions('remove'), 'Check');
    await imported.import();
    for (const { row } of imported.stack('topic').patches) {
      setReview(imported.database, row, imported.owner, true);
    }
  });

  afterEach(() => {
    imported.database.close();
    repository.remove();
  });

  const topic = (branch = 'topic'): string[] =>
    imported
      .stack(branch)
      .patches.map(
        ({ title, row, review_all }) =>
          `${title} v${row.version}${review_all?.signed_off.length === 1 ? ' signed' : ''}`,
      );

  /** Commits something to `main` and puts the branch on it. */
  function moveBase(change: () => void): void {
    repository.switch('main');
    change();
    repository.commit('Go on');
    repository.switch('topic');
    repository.rebase('main');
  }

  it('is the same when its commit alone is another one', async () => {
    repository.git('commit', '--quiet', '--amend', '--no-edit', '--reset-author');
    await imported.import();
    assert.deepEqual(topic(), ['Check v1 signed']);
  });

  it('is the same on another base, whatever that puts above it', async () => {
    moveBase(() => repository.write('a.ts', functions(undefined, '// One.\n// Two.\n')));
    await imported.import();
    assert.deepEqual(topic(), ['Check v1 signed']);
  });

  it('is another one where its author has moved what it adds to lines that look the same', async () => {
    repository.write('a.ts', functions('show'));
    repository.amend();
    await imported.import();
    assert.deepEqual(topic(), ['Check v2']);
  });

  it('is another one where that was moved while the base went on', async () => {
    moveBase(() => repository.write('a.ts', functions(undefined, '// One.\n// Two.\n')));
    repository.write('a.ts', functions('show', '// One.\n// Two.\n'));
    repository.amend();
    await imported.import();
    assert.deepEqual(topic(), ['Check v2']);
  });

  it('is another one where the base alone moved the lines that it stands at', async () => {
    // At the same number of a line as before, and in another function.
    const above = functions()
      .split('\n')
      .slice(0, body.length + 2)
      .join('\n');
    moveBase(() => repository.write('a.ts', functions(undefined, `${above.replace('remove', 'first')}\n`)));
    repository.write(
      'a.ts',
      `${functions('remove').split('}\n')[0]?.replace('remove', 'first') ?? ''}}\n${functions()}`,
    );
    repository.amend();
    await imported.import();
    assert.deepEqual(topic(), ['Check v2']);
  });

  it('is another one where nobody knows any more what it was', async () => {
    moveBase(() => repository.write('a.ts', functions(undefined, '// One.\n')));
    repository.git('update-ref', '-d', 'ORIG_HEAD');
    repository.git('reflog', 'expire', '--expire=now', '--all');
    repository.git('gc', '--quiet', '--prune=now');
    await imported.import();
    assert.deepEqual(topic(), ['Check v2']);
  });

  describe('on a branch on top of another one', () => {
    beforeEach(async () => {
      repository.branch('above');
      repository.commitFile('b.ts', 'b\n', 'Go further');
      // What is read first is written at once, and the others together: this one is read first.
      repository.branch('first', 'main');
      repository.commitFile('c.ts', 'c\n', 'Go elsewhere');
      await imported.import();
      for (const { row } of imported.stack('above').patches) {
        setReview(imported.database, row, imported.owner, true);
      }
    });

    it('is the same on both when both were rebased at once', async () => {
      moveBase(() => repository.write('a.ts', functions(undefined, '// One.\n')));
      repository.git('rebase', '--quiet', '--onto', 'topic', 'above~1', 'above');
      repository.switch('first');
      repository.rebase('main');
      await imported.import();
      assert.deepEqual(
        [topic(), topic('above')],
        [['Check v1 signed'], ['Check v1 signed', 'Go further v1 signed']],
      );
    });

    it('is another one on both when it was moved below', async () => {
      repository.switch('topic');
      repository.write('a.ts', functions('show'));
      repository.amend();
      await imported.import();
      repository.git('rebase', '--quiet', '--onto', 'topic', 'above~1', 'above');
      await imported.import();
      assert.deepEqual([topic(), topic('above')], [['Check v2'], ['Check v2', 'Go further v1 signed']]);
    });
  });

  it('is merged without running or writing anything in the repository', async () => {
    const trace = path.join(repository.directory, 'trace');
    appendFileSync(
      path.join(repository.directory, '.git/config'),
      `[merge "own"]\n\tdriver = touch ${trace} && false\n`,
    );
    mkdirSync(path.join(repository.directory, '.git/info'), { recursive: true });
    appendFileSync(path.join(repository.directory, '.git/info/attributes'), '* merge=own\n');
    repository.switch('main');
    repository.write('a.ts', functions(undefined, '// One.\n'));
    repository.commit('Go on');
    repository.branch('again');
    repository.write('a.ts', functions('remove', '// One.\n'));
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--reuse-message=topic');
    repository.git('branch', '--quiet', '--force', 'topic', 'again');
    repository.switch('topic');
    repository.git('branch', '--quiet', '--delete', '--force', 'again');
    const objects = repository.git('count-objects', '-v');
    await imported.import();
    assert.deepEqual(topic(), ['Check v1 signed']);
    assert.ok(!existsSync(trace));
    assert.equal(repository.git('count-objects', '-v'), objects);
  });
});
