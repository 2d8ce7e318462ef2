import assert from 'node:assert/strict';
import type { Patch } from '../../../../src/api/types/patches.ts';
import type { PatchStack } from '../../../../src/api/types/stacks.ts';
import { WrittenVersions } from '../../../../src/model/prose/writtenIn.ts';

const patch = (version: string, ...texts: (string | undefined)[]): Patch => ({
  changeId: 'I1',
  contributors: [],
  version,
  sections: texts.map((text, index) => ({
    sectionType: 'text',
    code: String(index),
    identifier: String(index),
    ...(text !== undefined && { text }),
  })),
});

/** The versions of a patch whose older ones are these, the newest first; each that is asked for is noted. */
function versionsOf(
  older: Record<string, Patch | Error>,
  { createdAt, stacks }: { createdAt?: string; stacks?: Promise<never> } = {},
): { versions: WrittenVersions; asked: string[] } {
  const asked: string[] = [];
  const known = Object.keys(older).map((uuid): PatchStack => ({
    uuid,
    branchId: 'topic',
    ...(uuid !== '' && { createdAt: uuid }),
    contributors: [],
  }));
  const model = {
    located: () => ({ projectId: '1', branchId: 'topic', stackUuid: 'shown', changeId: 'I1' }),
    stacks: () => {
      asked.push('stacks');
      return stacks ?? Promise.resolve({ value: known, asOf: new Date() });
    },
    patchUnopened: async ({ stackUuid, changeId }: { stackUuid: string; changeId: string }) => {
      asked.push(`${stackUuid} ${changeId}`);
      const version = older[stackUuid];
      if (!version || version instanceof Error) {
        throw version ?? new Error('unknown');
      }
      return version;
    },
  } as unknown as ConstructorParameters<typeof WrittenVersions>[0];
  const shown = patch('shown', 'Why.');
  return {
    versions: new WrittenVersions(model, { stackUuid: 'shown', changeId: 'I1' }, shown, createdAt),
    asked,
  };
}

describe('the version that something was written in', () => {
  it('is the oldest of the ten before that have it one after another, each asked for once', async () => {
    const names = Array.from({ length: 12 }, (_value, index) => `v${String(12 - index).padStart(2, '0')}`);
    const { versions, asked } = versionsOf(
      Object.fromEntries(names.map((name) => [name, patch(name, 'Why.\n\nAnd so.')])),
    );
    const { patch: found, stackUuid } = await versions.of('Why.');
    assert.deepEqual([found.version, stackUuid], ['v03', 'v03']);
    assert.equal((await versions.of('And so.')).stackUuid, 'v03');
    assert.deepEqual(asked, ['stacks', ...names.slice(0, 10).map((name) => `${name} I1`)]);
  });

  it('is that which is shown where nobody knows of others, or they cannot be had', async () => {
    const { versions } = versionsOf({}, { stacks: Promise.reject(new Error('offline')) });
    const { patch: shown, stackUuid } = await versions.of('Why.');
    assert.deepEqual([shown.version, stackUuid], ['shown', undefined]);
    const older = versionsOf({ v3: patch('v3', 'Why.'), v2: new Error('gone'), v1: patch('v1', 'Why.') });
    assert.equal((await older.versions.of('Why.')).stackUuid, 'v3');
    assert.deepEqual(older.asked, ['stacks', 'v3 I1', 'v2 I1']);
  });

  it('is one of those that are older than what is shown, if somebody knows when that was made', async () => {
    const all = { v2: patch('v2', 'Why.'), v1: patch('v1', 'Why.'), '': patch('', 'Why.') };
    const of = async (createdAt?: string): Promise<string[]> => {
      const { versions, asked } = versionsOf(all, createdAt === undefined ? {} : { createdAt });
      await versions.of('Why.');
      return asked.slice(1);
    };
    // Nothing that has an empty name is asked for twice.
    assert.deepEqual(await of(), ['v2 I1', 'v1 I1', ' I1']);
    assert.deepEqual(await of('v2'), ['v1 I1', ' I1']);
    assert.deepEqual(await of('v1'), [' I1']);
  });

  it('is told by whole texts and paragraphs, of texts alone', async () => {
    const older = patch('v1', 'One.\n\nTwo.', undefined);
    older.sections?.push({ sectionType: 'diff', code: 'd', identifier: 'Three.' });
    const { versions } = versionsOf({ v1: older });
    const found = async (passage: string): Promise<boolean> =>
      (await versions.of(passage)).stackUuid === 'v1';
    for (const passage of ['One.\n\nTwo.', 'One.', 'Two.', '']) {
      assert.ok(await found(passage), passage);
    }
    for (const passage of ['Three.', 'One', 'One.\n\n']) {
      assert.ok(!(await found(passage)), passage);
    }
    const bare = versionsOf({ v1: { changeId: 'I1', contributors: [] } });
    assert.equal((await bare.versions.of('One.')).stackUuid, undefined);
  });
});
