import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { ApiClient } from '../../../../src/api/client.ts';
import type { PatchSection } from '../../../../src/api/types/patches.ts';
import { sharedConflict } from '../../../../src/model/pending/kinds/sharedConflict.ts';

const subject = {
  kind: 'sharedConflict',
  patch: { stackUuid: 'stack', changeId: 'change' },
  code: 'a',
} as const;
const content = { base: 'two\n', text: 'two\n', before: 'was\n', resolves: ['one'] };
const undecided = { theirs: 'one\n', isShared: true } as const;
const versions = { others: [{ id: 'one', text: 'one\n', before: 'was\n' }] };

/**
 * Sends a decision.
 *
 * @param left The versions that are left beside it.
 * @returns its result, what was asked of the service, and the section that is shown then.
 */
async function send(decided: typeof content, onServer: string, left?: typeof versions) {
  const section: PatchSection = { sectionType: 'text', code: 'a', identifier: 'a', text: onServer, versions };
  const asked: unknown[] = [];
  const result = await sharedConflict.send({
    subject,
    content: decided,
    attempt: undefined,
    begunIn: undefined,
    believed: undefined,
    me: undefined,
    read: async <T>() => section as T,
    write: async <T>(operation: (client: ApiClient, options: object) => Promise<T>) => {
      const updateSection = async (...[, , , update]: Parameters<ApiClient['patches']['updateSection']>) => {
        asked.push(update);
        return {
          sectionType: 'text',
          code: 'a',
          identifier: 'a',
          text: update.text,
          ...(left && { versions: left }),
        };
      };
      return operation({ patches: { updateSection } } as unknown as ApiClient, {});
    },
  });
  return { result, asked };
}

describe('a decision between two versions of a text', () => {
  it('is between them until somebody has decided, and then between that and the text on the server', () => {
    const { sides, resolve } = sharedConflict.conflict;
    assert.deepEqual(sides(content, undecided), { base: 'was\n', mine: 'two\n' });
    const resolved = resolve(content, 'both', undecided);
    assert.deepEqual(resolved, { ...content, text: 'both' });
    assert.deepEqual(sides(resolved, { theirs: 'else' }), { base: 'two\n', mine: 'both' });
    assert.deepEqual(resolve(resolved, 'all', { theirs: 'else' }), { ...content, base: 'else', text: 'all' });
  });

  it('is written over as a text of its section, with what it was decided over, and can be undone', async () => {
    const { result, asked } = await send({ ...content, text: 'both' }, 'two\n');
    assert.deepEqual(asked, [{ text: 'both', resolves: ['one'] }]);
    assert.ok(result.kind === 'sent' && result.written);
    assert.deepEqual(result.written, {
      kind: 'sharedConflict',
      patch: subject.patch,
      code: 'a',
      before: 'two\n',
      after: 'both',
    });
    assert.deepEqual(sharedConflict.inverse(result.written)?.content, { base: 'both', text: 'two\n' });
  });

  it('is written also where it says what is shown, and nothing is there any more to decide then', async () => {
    const { result, asked } = await send(content, 'two\n');
    assert.deepEqual(asked, [{ text: 'two\n', resolves: ['one'] }]);
    assert.ok(result.kind === 'sent' && result.written);
    assert.equal(result.written.kind, 'sharedConflict');
    assert.equal(sharedConflict.inverse(result.written), undefined, 'it would change nothing');
    let shown: PatchSection[] = [];
    const patch = {
      sections: [{ sectionType: 'text', code: 'a', identifier: 'a', text: 'two\n', versions }],
    };
    result.show?.({
      editPatch: (_patch: unknown, edit: (value: typeof patch) => { sections: PatchSection[] }) => {
        shown = edit(patch).sections;
      },
    } as never);
    assert.deepEqual(shown, [{ sectionType: 'text', code: 'a', identifier: 'a', text: 'two\n' }]);
  });

  it('is one of the text alone where other versions are left beside it', async () => {
    const changed = await send({ ...content, text: 'both' }, 'two\n', versions);
    assert.ok(changed.result.kind === 'sent');
    assert.equal(changed.result.written?.kind, 'sectionText');
    const same = await send(content, 'two\n', versions);
    assert.ok(same.result.kind === 'sent');
    assert.equal(same.result.written, undefined);
  });

  it('asks where somebody has decided in another way', async () => {
    assert.deepEqual(await send({ ...content, text: 'both' }, 'theirs'), {
      result: { kind: 'conflict', theirs: 'theirs' },
      asked: [],
    });
  });

  it('of an earlier version of the extension is read, and is one of the text alone', () => {
    const kept = { subject, content: { base: 'two', text: 'both' } };
    assert.deepEqual(v.parse(sharedConflict.schema, kept).content, {
      ...kept.content,
      before: '',
      resolves: [],
    });
  });

  it('becomes a section of its own when that of the text is gone', () => {
    assert.ok(sharedConflict.lost.isLost('deleted'));
    assert.deepEqual(sharedConflict.lost.anew({ subject, content: { ...content, text: 'both' } }, 'new'), {
      subject: { kind: 'newSection', patch: subject.patch, key: 'new' },
      content: { text: 'both', after: 'a' },
    });
  });
});
