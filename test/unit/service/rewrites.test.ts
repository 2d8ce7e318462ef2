/** The fate of texts, marks and versions when a branch is rewritten, in each of the ways in which people do that. */
import assert from 'node:assert/strict';
import { findPatch, setReview } from '../../../src/service/storage/patches.ts';
import { addTextSection, findSection, updateText } from '../../../src/service/storage/sections.ts';
import { listTextsWithoutPatch } from '../../../src/service/storage/textsWithoutPatch.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { ImportedRepository } from '../../support/importedRepository.ts';

/** One way to rewrite a branch. */
interface Rewriting {
  repository: GitRepository;
  /** The commits before: by the names of their files. */
  a: string;
  b: string;
  c: string;
  /** Goes back to the base, or to another commit. */
  reset: (to?: string) => void;
  /** Puts commits onto what is there, as they are. */
  pick: (...commits: string[]) => void;
  /** Commits the working tree with author and message of another commit. */
  commitAs: (commit: string) => void;
  /** Reads the repository, as if somebody looked at what is there meanwhile. */
  look: () => Promise<void>;
  write: (branch: string, title: string, text: string) => void;
}

/** The patches before: `title vVERSION signed: the sections in order`. */
const before = {
  a: 'Add a v1 signed: Why a. | a.txt | On a',
  b: 'Add b v1 signed: Why b. | On b | b.txt | On bb | bb.txt',
  c: 'Add c v1 signed: Why c. | c.txt | On c',
};

interface Case {
  name: string;
  /** Done before the first look. */
  prepare?: (rewriting: Rewriting) => void | Promise<void>;
  rewrite: (rewriting: Rewriting) => void | Promise<void>;
  /** The branch, when that is not `topic`. */
  branch?: string;
  expected: string[];
  /** `title: text` of the texts without a patch. */
  lost?: string[];
}

const lines = (count: number): string[] => Array.from({ length: count }, (_, line) => `line ${line}`);

/** Commits that are equal but for what they change. */
function alike(sameTime: boolean): Partial<Case> & Pick<Case, 'prepare'> {
  return {
    prepare: ({ repository, reset }) => {
      reset();
      for (const name of ['a', 'b', 'c']) {
        repository.write(`${name}.txt`, `${name}\n`);
        repository.commit('wip');
        if (sameTime) {
          repository.git('commit', '--quiet', '--amend', '--no-edit', '--date=2026-01-01T00:00:00Z');
        }
      }
    },
  };
}

const noted = (name: string) => `wip v1 signed: ${name}.txt | On ${name}`;

/** Commits with a trailer each. */
const withTrailers: Pick<Case, 'prepare'> = {
  prepare: ({ repository, reset }) => {
    reset();
    for (const name of ['a', 'b', 'c']) {
      repository.commitFile(`${name}.txt`, `${name}\n`, `Add ${name}\n\nChange-Id: I${name.repeat(8)}`);
    }
  },
};
const trailed = (name: string) => `Add ${name} v1 signed: ${name}.txt | On ${name}`;

/** Makes the commits anew with other trailers. */
function withOtherTrailers(
  { repository, reset, pick, a, b, c }: Rewriting,
  trailerOf: (name: string) => string,
): void {
  reset();
  for (const [name, commit] of Object.entries({ a, b, c })) {
    pick(commit);
    repository.amend(`Add ${name}${trailerOf(name)}`);
  }
}

const cases: Case[] = [
  {
    name: 'amend the content',
    rewrite: ({ repository }) => {
      repository.write('c.txt', 'C\n');
      repository.amend();
    },
    expected: [before.a, before.b, 'Add c v2: Why c. | c.txt | On c'],
  },
  {
    name: 'amend the title',
    rewrite: ({ repository }) => void repository.amend('Bring c\n\nWhy c.'),
    expected: [before.a, before.b, 'Bring c v2: Why c. | c.txt | On c'],
  },
  {
    name: 'amend the body',
    rewrite: ({ repository }) => void repository.amend('Add c\n\nWhy c, really.'),
    expected: [before.a, before.b, 'Add c v2: Why c, really. | c.txt | On c'],
  },
  {
    name: 'amend the body after somebody edited its text',
    prepare: async ({ look, write }) => {
      await look();
      write('topic', 'Add c', 'Edited.');
    },
    rewrite: ({ repository }) => void repository.amend('Add c\n\nWhy c, really.'),
    expected: [before.a, before.b, 'Add c v2: Edited. (Why c. → Why c, really.) | c.txt | On c'],
  },
  {
    name: 'rebase cleanly',
    rewrite: ({ repository }) => {
      repository.switch('main');
      repository.commitFile('z.txt', 'z\n', 'Theirs');
      repository.switch('topic');
      repository.rebase('main');
    },
    expected: [before.a, before.b, before.c],
  },
  {
    name: 'rebase onto another context',
    prepare: ({ repository, reset, pick, a, b, c }) => {
      repository.switch('main');
      repository.commitFile('long.txt', `${lines(9).join('\n')}\n`, 'Long');
      repository.switch('topic');
      reset('main');
      pick(a, b, c);
      repository.write('long.txt', `${lines(9).join('\n').replace('line 4', 'mine')}\n`);
      repository.git('add', '--all');
      repository.amend();
    },
    rewrite: ({ repository }) => {
      repository.switch('main');
      repository.commitFile('long.txt', `${lines(9).join('\n').replace('line 1\n', 'theirs\n')}\n`, 'Theirs');
      repository.switch('topic');
      repository.rebase('main');
    },
    expected: [before.a, before.b, 'Add c v2: Why c. | c.txt | long.txt | On c'],
  },
  {
    name: 'reorder',
    rewrite: ({ reset, pick, a, b, c }) => {
      reset();
      pick(c, a, b);
    },
    expected: [before.c, before.a, before.b],
  },
  {
    name: 'drop',
    rewrite: ({ reset, pick, a, c }) => {
      reset();
      pick(a, c);
    },
    expected: [before.a, before.c],
    lost: ['Add b: On b', 'Add b: On bb'],
  },
  {
    name: 'drop and restore',
    rewrite: async ({ reset, pick, look, a, b, c }) => {
      reset();
      pick(a, c);
      await look();
      reset();
      pick(a, b, c);
    },
    expected: [before.a, before.b, before.c],
  },
  {
    name: 'squash into the one before',
    rewrite: ({ repository, b }) => {
      repository.git('reset', '--quiet', '--soft', b);
      repository.amend();
    },
    expected: [before.a, 'Add b v2: Why b. | On b | b.txt | On bb | bb.txt | c.txt | On c'],
  },
  {
    name: 'squash into the one after',
    rewrite: ({ repository, a, c, commitAs }) => {
      repository.git('reset', '--quiet', '--soft', a);
      commitAs(c);
    },
    expected: [before.a, 'Add c v2: On b | b.txt | On bb | bb.txt | Why c. | c.txt | On c'],
  },
  {
    name: 'squash all',
    rewrite: ({ repository, a, commitAs }) => {
      repository.git('reset', '--quiet', '--soft', 'main');
      commitAs(a);
    },
    expected: ['Add a v2: Why a. | a.txt | On a | On b | b.txt | On bb | bb.txt | c.txt | On c'],
  },
  {
    name: 'squash, and take it apart again',
    rewrite: async ({ repository, reset, pick, look, a, b, c }) => {
      repository.git('reset', '--quiet', '--soft', b);
      repository.amend();
      await look();
      reset();
      pick(a, b, c);
    },
    expected: [before.a, 'Add b v3: Why b. | On b | b.txt | On bb | bb.txt', before.c],
  },
  {
    name: 'split, the first half keeping the message',
    rewrite: ({ repository, reset, pick, a, b, c }) => {
      reset();
      pick(a, b);
      repository.git('rm', '--quiet', 'bb.txt');
      repository.amend();
      repository.commitFile('bb.txt', 'bb\n', 'Add bb');
      pick(c);
    },
    expected: [before.a, 'Add b v2: Why b. | On b | b.txt', 'Add bb v1: On bb | bb.txt', before.c],
  },
  {
    name: 'split, keeping no message',
    rewrite: ({ repository, reset, pick, a, c }) => {
      reset();
      pick(a);
      repository.commitFile('b.txt', 'b\n', 'One half\n\nWhy one.');
      repository.commitFile('bb.txt', 'bb\n', 'Other half');
      pick(c);
    },
    expected: [before.a, 'One half v1: Why one. | On b | b.txt', 'Other half v1: On bb | bb.txt', before.c],
  },
  {
    name: 'insert',
    rewrite: ({ repository, reset, pick, a, b, c }) => {
      reset();
      pick(a);
      repository.commitFile('x.txt', 'x\n', 'Add x\n\nWhy x.');
      pick(b, c);
    },
    expected: [before.a, 'Add x v1: Why x. | x.txt', before.b, before.c],
  },
  {
    name: 'add trailers',
    rewrite: (rewriting) => {
      const { repository, reset, pick, a, b, c } = rewriting;
      reset();
      for (const [name, commit] of Object.entries({ a, b, c })) {
        pick(commit);
        repository.amend(`Add ${name}\n\nWhy ${name}.\n\nChange-Id: I${name.repeat(8)}`);
      }
    },
    expected: [before.a, before.b, before.c],
  },
  {
    name: 'remove trailers',
    ...withTrailers,
    rewrite: (rewriting) => withOtherTrailers(rewriting, () => ''),
    expected: ['a', 'b', 'c'].map(trailed),
  },
  {
    name: 'change trailers',
    ...withTrailers,
    rewrite: (rewriting) => withOtherTrailers(rewriting, (name) => `\n\nChange-Id: I${name.repeat(9)}`),
    expected: ['a', 'b', 'c'].map(trailed),
  },
  {
    name: 'copy a trailer to a new commit before its own',
    ...withTrailers,
    rewrite: ({ repository, reset, pick, a, b, c }) => {
      reset();
      pick(a);
      repository.commitFile('x.txt', 'x\n', 'Add x\n\nChange-Id: Icccccccc');
      pick(b, c);
    },
    expected: [trailed('a'), 'Add x v1: x.txt', trailed('b'), trailed('c')],
  },
  ...([true, false] as const).flatMap((sameTime): Case[] => [
    {
      name: `swap commits of one title and ${sameTime ? 'one time' : 'other times'}`,
      ...alike(sameTime),
      rewrite: ({ reset, pick, a, b, c }) => {
        reset();
        pick(b, a, c);
      },
      expected: ['b', 'a', 'c'].map(noted),
    },
    {
      name: `drop one of commits of one title and ${sameTime ? 'one time' : 'other times'}`,
      ...alike(sameTime),
      rewrite: ({ reset, pick, b, c }) => {
        reset();
        pick(b, c);
      },
      expected: ['b', 'c'].map(noted),
      lost: ['wip: On a'],
    },
  ]),
  {
    name: 'rename a file',
    rewrite: ({ repository, reset, pick, a, b, c }) => {
      reset();
      pick(a, b);
      repository.git('mv', 'b.txt', 'z.txt');
      repository.amend();
      pick(c);
    },
    expected: [before.a, 'Add b v2: Why b. | On b | z.txt | On bb | bb.txt', before.c],
  },
  {
    name: 'rename a file and change a part of it',
    prepare: ({ repository }) => {
      repository.write('c.txt', `${lines(9).join('\n')}\n`);
      repository.write('d.txt', 'd\n');
      repository.amend();
    },
    rewrite: ({ repository }) => {
      repository.git('mv', 'c.txt', 'z.txt');
      repository.write('z.txt', `${lines(10).join('\n')}\n`);
      repository.amend();
    },
    expected: [before.a, before.b, 'Add c v2: Why c. | z.txt | d.txt | On c'],
  },
  {
    name: 'add a file',
    rewrite: ({ repository }) => {
      repository.write('cc.txt', 'cc\n');
      repository.amend();
    },
    expected: [before.a, before.b, 'Add c v2: Why c. | c.txt | cc.txt | On c'],
  },
  {
    name: 'remove a file',
    rewrite: ({ repository, reset, pick, a, b, c }) => {
      reset();
      pick(a, b);
      repository.git('rm', '--quiet', 'bb.txt');
      repository.amend();
      pick(c);
    },
    expected: [before.a, 'Add b v2: Why b. | On b | b.txt | On bb', before.c],
  },
  {
    name: 'land the bottom',
    rewrite: ({ repository, a }) => {
      repository.switch('main');
      repository.git('merge', '--quiet', '--ff-only', a);
      repository.switch('topic');
    },
    expected: [before.b, before.c],
    lost: ['Add a: On a'],
  },
  {
    name: 'merge the base in',
    rewrite: ({ repository }) => {
      repository.switch('main');
      repository.commitFile('z.txt', 'z\n', 'Theirs');
      repository.switch('topic');
      repository.merge('main');
    },
    expected: [before.a, before.b, before.c],
  },
  {
    name: 'give new dates',
    rewrite: ({ repository }) => {
      repository.git('rebase', '--quiet', '--force-rebase', '--ignore-date', 'main');
    },
    expected: [before.a, before.b, before.c],
  },
  {
    name: 'give another e-mail address',
    rewrite: ({ repository }) => {
      repository.git('config', 'user.email', 'new@example.com');
      repository.git(
        'rebase', '--quiet', '--force-rebase', '--exec', 'git commit -q --amend --no-edit --reset-author', 'main',
      ); // prettier-ignore
    },
    expected: [before.a, before.b, before.c],
  },
  {
    name: 'rename the branch',
    rewrite: ({ repository }) => void repository.git('branch', '--move', 'topic', 'subject'),
    branch: 'subject',
    expected: [before.a, before.b, before.c],
  },
  {
    name: 'rename the branch and drop a commit',
    rewrite: ({ repository, reset, pick, a, c }) => {
      repository.git('branch', '--move', 'topic', 'subject');
      reset();
      pick(a, c);
    },
    branch: 'subject',
    expected: [before.a, before.c],
    lost: ['Add b: On b', 'Add b: On bb'],
  },
  {
    name: 'delete the branch, and create it again',
    rewrite: async ({ repository, look, c }) => {
      repository.switch('main');
      repository.git('branch', '--quiet', '--delete', '--force', 'topic');
      await look();
      repository.git('switch', '--quiet', '--create', 'topic', c);
    },
    expected: [before.a, before.b, before.c],
  },
  {
    name: 'reset, and back',
    rewrite: async ({ repository, reset, look, a, c }) => {
      reset(a);
      await look();
      repository.git('reset', '--quiet', '--hard', c);
    },
    expected: [before.a, before.b, before.c],
  },
  {
    name: 'reset to the base, and back',
    rewrite: async ({ repository, reset, look, c }) => {
      reset('main');
      await look();
      repository.git('reset', '--quiet', '--hard', c);
    },
    expected: [before.a, before.b, before.c],
  },
];

describe('rewriting a branch', () => {
  let repository: GitRepository;
  let imported: ImportedRepository;

  beforeEach(() => {
    repository = GitRepository.withMain();
    imported = new ImportedRepository(repository);
    repository.branch('topic');
    repository.commitFile('a.txt', 'a\n', 'Add a\n\nWhy a.');
    repository.write('bb.txt', 'bb\n');
    repository.commitFile('b.txt', 'b\n', 'Add b\n\nWhy b.');
    repository.commitFile('c.txt', 'c\n', 'Add c\n\nWhy c.');
  });

  afterEach(() => {
    imported.database.close();
    repository.remove();
  });

  function rewriting(): Rewriting {
    const [a = '', b = '', c = ''] = repository.git('rev-list', '--reverse', 'main..HEAD').split('\n');
    const reset = (to = 'main') => void repository.git('reset', '--quiet', '--hard', to);
    return {
      repository,
      a,
      b,
      c,
      reset,
      pick: (...commits) => void repository.git('cherry-pick', ...commits),
      commitAs: (commit) => void repository.git('commit', '--quiet', `--reuse-message=${commit}`),
      look: async () => {
        await imported.import();
      },
      write(branch, title, text) {
        const { row, texts } = imported.stack(branch).patches.find((patch) => patch.title === title)!;
        const section = findSection(imported.database, row.id, texts[0]!.code)!;
        updateText(imported.database, row, section, text);
      },
    };
  }

  /** Writes texts next to the files, and signs everything off. */
  function review(): void {
    const { uuid, patches } = imported.stack('topic');
    const { database, owner } = imported;
    for (const { row, change_id } of patches) {
      const add = (text: string, position: number) =>
        addTextSection(database, findPatch(database, uuid, change_id!)!, text, position);
      const files = imported.patch(uuid, change_id!).sections.map(({ identifier }) => identifier);
      for (const name of ['a', 'c']) {
        if (files.includes(`${name}.txt`)) {
          add(`On ${name}`, files.length);
        }
      }
      if (files.includes('b.txt')) {
        const place = files.indexOf('b.txt');
        add('On b', files.includes('bb.txt') ? place : files.length);
        if (files.includes('bb.txt')) {
          add('On bb', place + 2);
        }
      }
      setReview(database, row, owner, true);
    }
  }

  function show(branch: string): string[] {
    return imported.stack(branch).patches.map(({ title, version, review_all, sections, row }) => {
      const parts = sections.map((section) => {
        const stored = findSection(imported.database, row.id, section.code)!;
        const changed = stored.edited_message !== null && stored.edited_message !== row.message_body;
        return `${section.data ?? section.identifier}${changed ? ` (${stored.edited_message} → ${row.message_body})` : ''}`;
      });
      const signed = (review_all?.signed_off.length ?? 0) > 0 ? ' signed' : '';
      return `${title} v${version}${signed}: ${parts.join(' | ')}`;
    });
  }

  for (const { name, prepare, rewrite, branch = 'topic', expected, lost = [] } of cases) {
    it(`leaves each text with its change: ${name}`, async () => {
      await prepare?.(rewriting());
      await imported.import();
      review();
      const known = new Map(
        imported.stack('topic').patches.map(({ commit_sha, change_id }) => [commit_sha, change_id]),
      );
      await rewrite(rewriting());
      await imported.import();
      assert.deepEqual(show(branch), expected);
      // A commit that is still there is still the same change.
      for (const { commit_sha, change_id } of imported.stack(branch).patches) {
        assert.match(change_id!, /^I/);
        assert.equal(known.get(commit_sha) ?? change_id, change_id);
      }
      const without = listTextsWithoutPatch(imported.database, imported.row(branch));
      assert.deepEqual(
        without.map(({ patch_title, text }) => `${patch_title}: ${text}`),
        lost,
      );
      const { uuid } = imported.row(branch);
      const again = await imported.import();
      assert.deepEqual(
        again.stacks.map((stack) => [stack.uuid, stack.result]),
        [[uuid, 'unchanged']],
      );
    });
  }
});
