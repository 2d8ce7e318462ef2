import assert from 'node:assert/strict';
import type { Patch, PatchSection } from '../../../../src/api/types/patches.ts';
import type { Model } from '../../../../src/model/model.ts';
import { sectionText } from '../../../../src/model/pending/kinds/sectionText.ts';

const patch = { stackUuid: 'stack', changeId: 'change' };
const textOf = (text?: string): PatchSection => ({
  sectionType: 'text',
  code: 'a',
  identifier: 'a',
  ...(text !== undefined && { text }),
});

/** Sends a text. @returns what is said to be written, and what is shown afterwards. */
async function send(typed: string, answer: PatchSection): Promise<[written: unknown, shown: PatchSection[]]> {
  const result = await sectionText.send({
    subject: { kind: 'sectionText', patch, code: 'a' },
    content: { base: 'One.', text: typed },
    attempt: undefined,
    begunIn: undefined,
    me: undefined,
    read: async <T>() => textOf('One.') as T,
    write: async <T>() => answer as T,
  });
  assert.ok(result.kind === 'sent');
  let shown: PatchSection[] = [];
  const editPatch = (_ref: unknown, edit: (patch: Patch) => Patch): void => {
    const sections = [textOf('One.'), { ...textOf('Other.'), code: 'b' }];
    shown = edit({ sections } as Patch).sections ?? [];
  };
  result.show({ editPatch } as unknown as Model);
  return [result.written?.after, shown];
}

describe('a text that was sent', () => {
  it('is shown as the service says that it has it, and undone from there', async () => {
    const [written, shown] = await send('Two.  \r\n', textOf('Two.\n'));
    assert.equal(written, 'Two.\n');
    assert.deepEqual(shown, [textOf('Two.\n'), { ...textOf('Other.'), code: 'b' }]);
  });

  it('is shown as it was sent when the service does not say', async () => {
    for (const answer of [textOf(), { ...textOf(), sectionType: 'unknown' } as PatchSection]) {
      const [written, shown] = await send('Two.', answer);
      assert.equal(written, 'Two.');
      assert.deepEqual(shown[0], textOf('Two.'));
    }
  });
});
