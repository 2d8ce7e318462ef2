import assert from 'node:assert/strict';
import type { PatchView, SectionView } from '../../../src/protocol/patchDocument.ts';
import { Reading } from '../../../src/webview/patchDocument/reading/reading.ts';
import { patchView } from '../../support/patchPage.ts';

const file = (code: string): SectionView => ({
  type: 'diff',
  code,
  path: `${code}.ts`,
  added: 1,
  deleted: 0,
  diffLength: 100,
  diffLines: 3,
});

describe('the ticks of a page', () => {
  let asked: unknown[];
  /** Says that what the person has marked is noted, in the order in which they did. */
  let note: (() => void)[];
  /** Says that it could not be. */
  let refuse: (() => void)[];
  let reading: Reading;
  const codes = ['a', 'b', 'c'] as const;
  const [a, b, c] = codes;
  const patch = (more: Partial<PatchView> = {}): PatchView => patchView(codes.map(file), more);
  const section = (code: string) => reading.section(code)!;
  const ticks = (): string[] => codes.filter((code) => reading.store.value.read.has(code));
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const folded = (): string[] => codes.filter((code) => reading.store.value.ticked.has(code));

  beforeEach(() => {
    asked = [];
    note = [];
    refuse = [];
    reading = new Reading(
      {
        request: (method: string, parameters: unknown) => {
          if (method === 'setRead') {
            asked.push(parameters);
            return new Promise((resolve, reject) => {
              note.push(() => resolve(null));
              refuse.push(() => reject(new Error('It could not be kept.')));
            });
          }
          return Promise.reject(new Error('Nobody answers.'));
        },
      } as never,
      { layout: 'unified', ignoreWhitespace: false, wrap: true },
    );
    reading.begin(patch({ unread: [a, b, c] }));
  });

  it('are those that the person has read, however they did, and only what they ticked begins folded', () => {
    assert.deepEqual(ticks(), []);
    reading.begin(patch({ unread: [c], tickedSections: [b] }));
    assert.deepEqual([ticks(), folded()], [[a, b], [b]]);
    reading.noteSeen([c]);
    assert.deepEqual([ticks(), folded()], [[a, b, c], [b]]);
  });

  it('are the ticked ones alone where nobody knows what was read', () => {
    reading.begin(patch({ tickedSections: [b] }));
    assert.deepEqual(ticks(), [b]);
  });

  it('stay where what comes was made before the page told what was on the screen', () => {
    reading.noteSeen([a]);
    reading.begin(patch({ unread: [a, b, c] }));
    assert.deepEqual(ticks(), [a]);
    reading.begin(patch({ unread: [a, b, c], fingerprint: 'another version' }));
    assert.deepEqual(ticks(), []);
  });

  it('are set and taken away by the person, and what they call unread stays it while it is on the screen', () => {
    reading.noteSeen([a]);
    reading.setRead(section(a), false);
    assert.deepEqual([ticks(), reading.isMarkedUnread(a)], [[], true]);
    reading.noteSeen([a, b]);
    assert.deepEqual(ticks(), [b]);
    reading.begin(patch({ unread: [a, c] }));
    assert.deepEqual(ticks(), [b]);
    reading.setRead(section(a), true);
    assert.deepEqual([ticks(), folded(), reading.isMarkedUnread(a)], [[a, b], [a], false]);
    assert.deepEqual(asked, [
      { code: a, isRead: false },
      { code: a, isRead: true },
    ]);
  });

  it('stay as the person has just set them while a state from before arrives, until that is noted', async () => {
    reading.setRead(section(a), true);
    reading.setRead(section(b), true);
    reading.setRead(section(b), false);
    reading.begin(patch({ unread: [a, c], tickedSections: [b] }));
    assert.deepEqual([ticks(), folded()], [[a], [a]]);
    // The first of the two about b says nothing of the second.
    note.slice(0, 2).forEach((tell) => tell());
    await settle();
    reading.begin(patch({ unread: [c], tickedSections: [a, b] }));
    assert.deepEqual([ticks(), folded()], [[a], [a]]);
    note[2]?.();
    await settle();
    // From then on it is for the host to say, also of another window that has marked something.
    reading.begin(patch({ unread: [a, c], tickedSections: [b] }));
    assert.deepEqual([ticks(), folded()], [[b], [b]]);
  });

  it('are taken back where they could not be kept, but for what the person has marked otherwise meanwhile', async () => {
    reading.setRead(section(a), true);
    reading.setRead(section(b), true);
    reading.setRead(section(c), true);
    reading.setRead(section(c), false);
    refuse[0]?.();
    refuse[2]?.();
    note[1]?.();
    await settle();
    assert.deepEqual([ticks(), folded()], [[b], [b]]);
    refuse[3]?.();
    await settle();
    assert.deepEqual([ticks(), reading.isMarkedUnread(c)], [[b, c], false]);
  });

  it('stay so in no other version', () => {
    reading.setRead(section(a), true);
    reading.begin(patch({ unread: [a, b, c], fingerprint: 'another version' }));
    assert.deepEqual(ticks(), []);
  });

  it('count anew in another version, also what the person had called unread', () => {
    reading.setRead(section(a), false);
    reading.begin(patch({ unread: [a, b, c], fingerprint: 'another version' }));
    assert.equal(reading.isMarkedUnread(a), false);
    reading.noteSeen([a]);
    assert.deepEqual(ticks(), [a]);
  });

  it('are drawn anew only where they are others', () => {
    const before = reading.store.value.read;
    reading.begin(patch({ unread: [a, b, c], title: 'Another title' }));
    assert.equal(reading.store.value.read, before);
  });
});
