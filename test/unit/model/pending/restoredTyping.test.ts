import assert from 'node:assert/strict';
import type { ChangeContent } from '../../../../src/model/pending/kinds/index.ts';
import type { PendingChange, TypedOn } from '../../../../src/model/pending/pendingChange.ts';
import { continuation } from '../../../../src/model/pending/restoredTyping.ts';

const on = (page: string, edition: number): TypedOn => ({ page, edition });
const text = (words: string, base = 'one two'): ChangeContent => ({ base, text: words });
const pending = (content: ChangeContent, typedOn?: TypedOn): PendingChange => ({
  id: 'id',
  subject: { kind: 'form', form: 'feedback' },
  content,
  title: '',
  state: 'editing',
  startedAt: '',
  changedAt: '',
  ...(typedOn && { typedOn }),
});

describe('what a page had kept', () => {
  const kept = { content: text('one two three'), after: text('one two th'), typedOn: on('page', 5) };

  it('is the pending change where there is none', () => {
    const { content, typedOn } = kept;
    assert.deepEqual(continuation(undefined, kept), { kind: 'put', content, typedOn });
  });

  it('is known where the pending change is the same, whoever typed it', () => {
    assert.deepEqual(continuation(pending(text('one two three')), kept), { kind: 'known' });
  });

  it('goes on with what was typed on the same page before, and does not go back', () => {
    const { content, typedOn } = kept;
    const there = (edition: number): PendingChange => pending(text('one two thre'), on('page', edition));
    assert.deepEqual(continuation(there(4), kept), { kind: 'put', content, typedOn });
    assert.deepEqual(continuation(there(5), kept), { kind: 'known' });
    assert.deepEqual(continuation(there(6), kept), { kind: 'known' });
  });

  it('goes on with what it was confirmed last, whichever page that came from', () => {
    const { content, typedOn } = kept;
    for (const before of [on('earlier page', 99), undefined]) {
      assert.deepEqual(continuation(pending(text('one two th'), before), kept), {
        kind: 'put',
        content,
        typedOn,
      });
    }
  });

  it('is joined with what was typed elsewhere, and then nobody’s', () => {
    assert.deepEqual(continuation(pending(text('zero one two'), on('other', 1)), kept), {
      kind: 'put',
      content: text('zero one two three'),
    });
  });

  it('waits where it does not go together with that', () => {
    assert.deepEqual(continuation(pending(text('one two four'), on('other', 1)), kept), { kind: 'beside' });
  });

  it('waits in a form that somebody has gone on with, field for field', () => {
    const form = {
      content: { fields: { message: 'a b' } },
      after: { fields: { message: 'a' } },
      typedOn: on('page', 2),
    };
    const there = (message: string): PendingChange => pending({ fields: { message } }, on('other', 1));
    assert.deepEqual(continuation(there('c'), form), { kind: 'beside' });
    assert.deepEqual(continuation(there('a b'), form), { kind: 'known' });
    assert.deepEqual(continuation(there('a'), form), {
      kind: 'put',
      content: form.content,
      typedOn: form.typedOn,
    });
  });
});
