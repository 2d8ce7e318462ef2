import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Patch } from '../../../../src/api/types/patches.ts';
import { fingerprintOf } from '../../../../src/model/fingerprint.ts';
import { signOff } from '../../../../src/model/pending/kinds/signOff.ts';

const me = { id: '7', login: 'ada' };
const users = [{ id: '7', login: 'ada' }];
const nobody = { viewed: [], signedOff: [], rejected: [] };
const signed = { reviewAll: { ...nobody, signedOff: users } };
const before: Patch = {
  changeId: 'change',
  commitSha: 'abc',
  version: '3',
  title: 'Title',
  description: 'Words',
  contributors: [],
  sections: [{ sectionType: 'text', code: 'a', identifier: 'a', text: 'Words' }],
  reviewAll: nobody,
};
/** Another content of each field that a person sees. */
const others: Partial<Patch> = {
  commitSha: 'def',
  version: '4',
  title: 'Another title',
  description: 'Other words',
  sections: [{ sectionType: 'text', code: 'a', identifier: 'a', text: 'Other words' }],
};
const fieldNames = ['commitSha', 'version', 'title', 'description', 'sections'] as const;

/** The fields of an answer: each is as it was, left out, or another one. */
const answers = fc.record(
  Object.fromEntries(fieldNames.map((name) => [name, fc.constantFrom('same', 'left out', 'other')])),
) as fc.Arbitrary<Record<(typeof fieldNames)[number], 'same' | 'left out' | 'other'>>;

function patchFrom(told: Record<string, string>): Patch {
  const patch = { changeId: before.changeId, contributors: [] } as Patch;
  for (const name of fieldNames) {
    if (told[name] !== 'left out') {
      Object.assign(patch, { [name]: (told[name] === 'same' ? before : others)[name] });
    }
  }
  return patch;
}

describe('a sign-off', () => {
  it('is said to be of something that was changed meanwhile where the service tells so, and nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(answers, fc.boolean(), answers, async (answered, saysMarks, lookedUp) => {
        const read = [before, { ...patchFrom(lookedUp), ...signed }];
        const result = await signOff.send({
          subject: { kind: 'signOff', patch: { stackUuid: 'stack', changeId: 'change' } },
          content: { review: 'signedOff', seen: fingerprintOf(before) },
          attempt: undefined,
          begunIn: undefined,
          believed: undefined,
          me,
          read: async <T>() => read.shift() as T,
          write: async <T>() => ({ ...patchFrom(answered), ...(saysMarks && signed) }) as T,
        });
        const tellsAll = saysMarks && !Object.values(answered).includes('other');
        assert.equal(read.length, tellsAll ? 1 : 0, 'it is looked up where the answer leaves it open');
        const isOther = !tellsAll && Object.values(lookedUp).includes('other');
        assert.equal(result.kind, isOther ? 'changedMeanwhile' : 'sent');
      }),
    );
  });
});
