import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DiffSection, Patch } from '../../../src/api/types/patches.ts';
import type { Model } from '../../../src/model/model.ts';
import { comparePatches } from '../../../src/model/reading/comparePatches.ts';
import { Readings } from '../../../src/model/reading/readings.ts';
import { showComparison } from '../../../src/model/reading/showComparison.ts';
import { SinceSignOff } from '../../../src/patch/sinceSignOff.ts';
import type { SinceSignOffView } from '../../../src/protocol/patchDocument.ts';

const ref = { projectId: '1', branchId: 'topic', stackUuid: 's', changeId: 'I1' };
const stack = { projectId: '1', branchId: 'topic' };

/** A version of a patch that changes a file, at a line, between two contents. */
function patch(version: string, line: number, [baseFileSha, newFileSha]: string[] = []): Patch {
  const diffPatch = `--- a/a\n+++ b/a\n@@ -${line},2 +${line},3 @@\n in front\n+more\n behind\n`;
  const file: DiffSection = {
    sectionType: 'diff',
    code: 'a',
    identifier: 'a',
    oldPath: 'a',
    newPath: 'a',
    diffPatch,
    ...(baseFileSha !== undefined && { baseFileSha }),
    ...(newFileSha !== undefined && { newFileSha }),
  };
  return { changeId: 'I1', title: 'Title', version, contributors: [], sections: [file] };
}

describe('what is said of the time since a sign-off', () => {
  let storage: string;
  let readings: Readings;

  beforeEach(async () => {
    storage = await mkdtemp(path.join(tmpdir(), 'patch-stacks-since-'));
    readings = new Readings({
      folder: storage,
      limit: () => 1_000_000,
      onFailure: (error) => assert.fail(String(error)),
    });
  });
  afterEach(() => rm(storage, { recursive: true, force: true }));

  /** What is said of a version of which no more is known than the service tells. */
  async function said(signed: Patch, now: Patch): Promise<SinceSignOffView | undefined> {
    await readings.noteReview(stack, signed, 'signedOff');
    const model = {
      located: (of: unknown) => of,
      opinions: () => ({}),
      me: 'ada',
      stacks: async () => ({ value: [] }),
    } as unknown as Model;
    const found = Promise.withResolvers<undefined>();
    const since = new SinceSignOff(
      {
        model,
        readings: async () => readings,
        compareVersions: async ([older, newer]) => showComparison(older, newer, comparePatches(older, newer)),
        log: { warn: (text: string) => found.reject(new Error(text)) } as never,
      },
      () => found.resolve(undefined),
    );
    assert.equal(since.view(ref, now), undefined);
    await found.promise;
    return since.view(ref, now);
  }

  const [base, otherBase, mine, other] = ['1', '2', '3', '4'].map((digit) => digit.repeat(40)) as [
    string,
    string,
    string,
    string,
  ];

  it('is that nothing has changed where the contents are the same', async () => {
    assert.deepEqual(await said(patch('1', 5, [base, mine]), patch('2', 5, [base, mine])), {
      text: 'You signed off version 1. Nothing has changed since then.',
      canCompare: false,
    });
  });

  it('is no more than the diffs show where those alone are known', async () => {
    for (const now of [patch('2', 9), patch('2', 9, [otherBase, other])]) {
      assert.deepEqual(await said(patch('1', 5, [base, mine]), now), {
        text: 'You signed off version 1. As far as the diffs show, nothing has changed since then.',
        canCompare: true,
      });
    }
  });

  it('is that texts are new, gone, or changed, each for itself', async () => {
    const written = (version: string, ...texts: [code: string, words: string][]): Patch => {
      const { sections = [], ...rest } = patch(version, 5, [base, mine]);
      const more = texts.map(([code, text]) => ({
        sectionType: 'text' as const,
        code,
        identifier: code,
        text,
      }));
      return { ...rest, sections: [...sections, ...more] };
    };
    const before = written('1', ['a', 'Why this is done'], ['b', 'How it works']);
    for (const [now, sentence] of [
      [
        [
          ['a', 'Why this is done'],
          ['b', 'How it works'],
          ['c', 'A guide'],
        ],
        '1 new text',
      ],
      [[['a', 'Why this is done']], '1 text removed'],
      [
        [
          ['a', 'Why this is done'],
          ['b', 'How it works now'],
        ],
        '1 text changed',
      ],
      [
        [
          ['b', 'How it works now'],
          ['c', 'A guide'],
          ['d', 'Another'],
        ],
        '1 text changed, 2 new texts, 1 text removed',
      ],
    ] as const) {
      assert.deepEqual(await said(before, written('2', ...(now as unknown as [string, string][]))), {
        text: `You signed off version 1. Since then: ${sentence}.`,
        canCompare: true,
      });
    }
  });

  it('is that a file has changed where its content is another one on the same base, however alike the diffs are', async () => {
    assert.deepEqual(await said(patch('1', 5, [base, mine]), patch('2', 9, [base, other])), {
      text: 'You signed off version 1. Since then: 1 file changed.',
      canCompare: true,
    });
  });
});
