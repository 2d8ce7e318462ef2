import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Patch, PatchSection } from '../../../../src/api/types/patches.ts';
import type { Model } from '../../../../src/model/model.ts';
import { sectionText, sendText } from '../../../../src/model/pending/kinds/sectionText.ts';
import type { ChangeAttempt } from '../../../../src/model/pending/sending.ts';

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
    believed: undefined,
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
  result.show?.({ editPatch } as unknown as Model);
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

describe('a text that is to be sent', () => {
  const base = 'One.';
  const text = 'Two.';
  const attempt: ChangeAttempt = { text: 'Two', typed: 'Two', before: base };
  const cases: Record<
    string,
    [isRead: boolean, change: Partial<Parameters<typeof sendText>[0]>, ...string[]]
  > = {
    'is not read where the service compares it with what is known': [false, {}],
    'is read where it has to be compared with what is known here': [true, { believed: undefined }],
    'is read where it is not known': [true, { believed: [{ ...textOf(base), code: 'b' }] }],
    'is read where another text is known than it was begun from': [true, { believed: [textOf('Three.')] }],
    'is read where it is what it was begun from, which is not written': [
      true,
      { content: { base, text: base } },
    ],
    'is read where a try before may have arrived': [true, { attempt }],
    'is read where other versions of it are decided over': [true, {}, 'a version'],
  };
  for (const [name, [isRead, change, ...resolves]] of Object.entries(cases)) {
    it(name, async () => {
      const asked: string[] = [];
      const answer = async <T>(kind: string, section: PatchSection): Promise<T> => {
        asked.push(kind);
        return section as T;
      };
      const result = await sendText(
        {
          ...{ subject: { patch, code: 'a' }, content: { base, text }, believed: [textOf(base)] },
          ...{ attempt: undefined, begunIn: undefined, me: undefined },
          read: () => answer('read', textOf(base)),
          write: () => answer('write', textOf(text)),
          ...change,
        },
        resolves,
      );
      assert.equal(result.kind, 'sent');
      assert.equal(asked.includes('read'), isRead);
    });
  }
});

/** Each step changes a line, or sends: `lost` when the answer gets lost, `cut` when the service never hears of it. */
type Step = { line: number; word: string } | { send: 'taken' | 'lost' | 'cut' };

describe('a text of which answers got lost', () => {
  const lineCount = 6;
  /** Even lines are mine, odd ones someone else's: nobody changes what the other does. */
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ line: fc.nat(lineCount - 1), word: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ send: fc.constantFrom('taken' as const, 'lost' as const, 'cut' as const) }),
  );
  const joined = (lines: readonly string[]): string => lines.join('\n\nbetween\n\n');

  it('conflicts with nothing that only its own tries have written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const begun = Array.from({ length: lineCount }, (_, line) => `line ${line}`);
        const wanted = [...begun];
        let content = { base: joined(begun), text: joined(begun) };
        let there = joined(begun);
        let attempt: ChangeAttempt | undefined;
        /** What the service has of an unknown try: nobody else writes until that is known. */
        const tried = { isUnknown: false };
        const send = async (fate: 'taken' | 'lost' | 'cut'): Promise<void> => {
          const result = await sectionText
            .send({
              subject: { kind: 'sectionText', patch, code: 'a' },
              content,
              attempt,
              begunIn: undefined,
              believed: undefined,
              me: undefined,
              read: async <T>() => textOf(there) as T,
              write: async <T>(_operation: unknown, trying?: { attempt?: ChangeAttempt }) => {
                attempt = trying?.attempt;
                if (fate !== 'cut') {
                  there = attempt!.text;
                }
                if (fate !== 'taken') {
                  tried.isUnknown ||= fate === 'lost';
                  throw new Error('cut');
                }
                return textOf(there) as T;
              },
            })
            .catch(() => undefined);
          if (result) {
            assert.equal(result.kind, 'sent');
            attempt = undefined;
            tried.isUnknown = false;
            assert.equal(there, joined(wanted));
            // The editor shows what was merged.
            content = { base: there, text: there };
          }
        };
        for (const each of steps) {
          if ('send' in each) {
            await send(each.send);
          } else if (each.line % 2 === 0) {
            const shown = content.text.split('\n\nbetween\n\n');
            shown[each.line] = wanted[each.line] = `mine ${each.word}`;
            content = { ...content, text: joined(shown) };
          } else if (!tried.isUnknown) {
            const shown = there.split('\n\nbetween\n\n');
            shown[each.line] = wanted[each.line] = `theirs ${each.word}`;
            there = joined(shown);
          }
        }
        await send('taken');
      }),
      { numRuns: 500 },
    );
  });
});
