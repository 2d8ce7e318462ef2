import assert from 'node:assert/strict';
import type { PatchSection } from '../../../../src/api/types/patches.ts';
import { sharedConflict } from '../../../../src/model/pending/kinds/sharedConflict.ts';
import { markConflict } from '../../../../src/util/sharedConflict.ts';

const subject = {
  kind: 'sharedConflict',
  patch: { stackUuid: 'stack', changeId: 'change' },
  code: 'a',
} as const;
const base = `around\n${markConflict({ before: 'was', earlier: 'one', later: 'two' })}`;
const undecided = { theirs: 'around\none\n', isShared: true } as const;

/** Sends a resolution. @returns its result, and the text that was written. */
async function send(content: { base: string; text: string }, onServer: string) {
  const section: PatchSection = { sectionType: 'text', code: 'a', identifier: 'a', text: onServer };
  let written: string | undefined;
  const result = await sharedConflict.send({
    subject,
    content,
    attempt: undefined,
    begunIn: undefined,
    me: undefined,
    read: async <T>() => section as T,
    write: async <T>(_operation: unknown, { attempt }: { attempt?: { text: string } } = {}) => {
      written = attempt?.text;
      return { ...section, text: written } as T;
    },
  });
  return { result, written };
}

describe('a conflict that two others have left', () => {
  it('is between their texts until somebody resolves it, and then between that and the text on the server', () => {
    const { sides, resolve } = sharedConflict.conflict;
    assert.deepEqual(sides({ base, text: base }, undecided), {
      base: 'around\nwas\n',
      mine: 'around\ntwo\n',
    });
    const resolved = resolve({ base, text: base }, 'both', undecided);
    assert.deepEqual(resolved, { base, text: 'both' });
    assert.deepEqual(sides(resolved, { theirs: 'else' }), { base, mine: 'both' });
    assert.deepEqual(resolve(resolved, 'all', { theirs: 'else' }), { base: 'else', text: 'all' });
  });

  it('is written over as a text of its section, which can be undone', async () => {
    const { result, written } = await send({ base, text: 'both' }, base);
    assert.equal(written, 'both');
    assert.ok(result.kind === 'sent' && result.written);
    assert.deepEqual(result.written, {
      kind: 'sectionText',
      patch: subject.patch,
      code: 'a',
      before: base,
      after: 'both',
    });
    assert.deepEqual(sharedConflict.inverse(result.written).content, { base: 'both', text: base });
  });

  it('writes nothing where it is resolved already, and asks where somebody has resolved it in another way', async () => {
    assert.equal((await send({ base, text: base }, 'theirs')).written, undefined);
    assert.deepEqual(await send({ base, text: 'both' }, 'theirs'), {
      result: { kind: 'conflict', theirs: 'theirs' },
      written: undefined,
    });
  });

  it('becomes a section of its own when that of the text is gone', () => {
    assert.ok(sharedConflict.lost.isLost('deleted'));
    assert.deepEqual(sharedConflict.lost.anew({ subject, content: { base, text: 'both' } }, 'new'), {
      subject: { kind: 'newSection', patch: subject.patch, key: 'new' },
      content: { text: 'both', after: 'a' },
    });
  });
});
