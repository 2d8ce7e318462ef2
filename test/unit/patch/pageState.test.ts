import assert from 'node:assert/strict';
import type { PatchSection } from '../../../src/api/types/patches.ts';
import { PageState, type PatchState } from '../../../src/patch/pageState.ts';
import type { ComparisonView, PatchUpdate, RailPatch } from '../../../src/protocol/patchDocument.ts';
import { withKnownSections } from '../../../src/webview/patchDocument/reading/knownSections.ts';
import { patchView } from '../../support/patchPage.ts';

const text = (code: string, content: string): PatchSection => ({
  sectionType: 'text',
  code,
  identifier: code,
  text: content,
});

/** The state of a patch with these sections. */
function stateOf(sections: PatchSection[], title = 'A patch'): PatchState {
  return { view: patchView([], { title }), sections };
}

/** A page that shows what it is sent, as the real one does. */
function page(first: PatchState) {
  const sent: PatchUpdate[] = [];
  const on = { shows: undefined as ReturnType<typeof withKnownSections> };
  const played = {
    now: first as PatchState | undefined,
    forgotten: 0,
    looked: (): Promise<unknown> => Promise.resolve(),
  };
  const state = new PageState({
    look: async () => {
      const { now } = played;
      await played.looked();
      return now;
    },
    send: async (update) => {
      sent.push(update);
      const shows = withKnownSections(update, on.shows);
      on.shows = shows ?? on.shows;
      return shows !== undefined;
    },
    forget: () => {
      played.forgotten += 1;
    },
  });
  return { state, sent, played, on };
}

describe('the state of a page', () => {
  const long = text('b', 'x'.repeat(100_000));

  it('tells a comparison that the page has by its name alone', async () => {
    const comparison: ComparisonView = {
      with: { kind: 'lastRead' },
      verdict: 'changed',
      isFromDiffs: false,
      sections: {
        a: { verdict: 'changed', isMoved: false, isFolded: false, wasRead: true, diff: long.code },
      },
      removed: [],
    };
    const compared = (title: string, of?: ComparisonView): PatchState => ({
      view: { ...stateOf([], title).view, ...(of && { comparison: of }) },
      sections: [text('a', 'One.')],
    });
    const { state, sent, played, on } = page(compared('A patch', comparison));
    on.shows = await state.begin(() => Promise.resolve(compared('A patch', comparison)));
    played.now = compared('Another', comparison);
    await state.show();
    assert.deepEqual([sent[0]?.comparison, on.shows.comparison], ['same', comparison]);
    played.now = compared('Another');
    await state.show();
    assert.deepEqual([sent[1]?.comparison, on.shows.comparison], [undefined, undefined]);
    const other = { ...comparison, verdict: 'rebased' as const };
    played.now = compared('Another', other);
    await state.show();
    assert.deepEqual(on.shows.comparison, other);
    on.shows = undefined;
    played.now = compared('Again', other);
    await state.show();
    assert.equal(played.forgotten, 1);
  });

  it('tells the stack that the page has by its name alone, and a patch that was read since with all of it', async () => {
    const rail = (mark: RailPatch['mark']): RailPatch[] =>
      ['one', 'two'].map((changeId) => ({ changeId, title: changeId, mark, words: '' }));
    const inStack = (title: string, mark: RailPatch['mark']): PatchState => ({
      view: { ...stateOf([], title).view, rail: rail(mark) },
      sections: [],
    });
    const { state, sent, played, on } = page(inStack('A patch', 'unread'));
    on.shows = await state.begin(() => Promise.resolve(inStack('A patch', 'unread')));
    played.now = inStack('Another', 'unread');
    await state.show();
    assert.deepEqual([sent[0]?.rail, on.shows.rail], ['same', rail('unread')]);
    played.now = inStack('Another', 'read');
    await state.show();
    assert.deepEqual(on.shows.rail, rail('read'));
    on.shows = undefined;
    played.now = inStack('Again', 'read');
    await state.show();
    assert.equal(played.forgotten, 1);
  });

  it('tells marks that the page has by their name alone', async () => {
    const marked = (title: string, unexplained?: PatchState['view']['unexplained']): PatchState => ({
      view: { ...stateOf([], title).view, ...(unexplained && { unexplained }) },
      sections: [],
    });
    const marks = { a: 'all' as const };
    const { state, sent, played, on } = page(marked('A patch', marks));
    on.shows = await state.begin(() => Promise.resolve(marked('A patch', marks)));
    played.now = marked('Another', marks);
    await state.show();
    assert.deepEqual([sent[0]?.unexplained, on.shows.unexplained], ['same', marks]);
    played.now = marked('Another', {});
    await state.show();
    assert.deepEqual(on.shows.unexplained, {});
    on.shows = undefined;
    played.now = marked('Again', {});
    await state.show();
    assert.equal(played.forgotten, 0);
    on.shows = undefined;
    played.now = marked('And again', played.now.view.unexplained);
    await state.show();
    assert.equal(played.forgotten, 1);
  });

  it('comes whole at first, and then without what the page has', async () => {
    const { state, sent, played, on } = page(stateOf([text('a', 'One.'), long]));
    on.shows = await state.begin(() => Promise.resolve(stateOf([text('a', 'One.'), long])));
    played.now = stateOf([text('a', 'Two.'), { ...long }, text('c', 'New.')]);
    await state.show();
    assert.equal(sent.length, 1);
    assert.ok(JSON.stringify(sent).length < 1_000);
    assert.deepEqual(
      on.shows.sections.map((section) => section.type === 'text' && section.text),
      ['Two.', 'x'.repeat(100_000), 'New.'],
    );
  });

  it('leaves what was made of a section that is the same', async () => {
    const { state, played, on } = page(stateOf([text('a', 'One.'), long]));
    on.shows = await state.begin(() => Promise.resolve(stateOf([text('a', 'One.'), long])));
    const before = on.shows;
    played.now = stateOf([text('a', 'Two.'), long]);
    await state.show();
    assert.equal(on.shows.sections[1], before.sections[1]);
    played.now = stateOf([text('a', 'Two.'), long], 'Another title');
    const between = on.shows;
    await state.show();
    assert.equal(on.shows.sections, between.sections);
    assert.equal(on.shows.title, 'Another title');
  });

  it('is not sent when it is what the page shows, however it was read', async () => {
    const { state, sent, played } = page(stateOf([text('a', 'One.')]));
    await state.begin(() => Promise.resolve(stateOf([text('a', 'One.')])));
    played.now = stateOf([text('a', 'One.')]);
    await state.show();
    assert.deepEqual(sent, []);
  });

  it('is sent once for all that changes at one time, as it is in the end', async () => {
    const { state, sent, played } = page(stateOf([text('a', 'One.')]));
    await state.begin(() => Promise.resolve(stateOf([text('a', 'One.')])));
    const shows: Promise<void>[] = [];
    for (const word of ['Two.', 'Three.', 'Four.']) {
      played.now = stateOf([text('a', word)]);
      shows.push(state.show());
    }
    await Promise.all(shows);
    assert.deepEqual(
      sent.map(({ sections }) => sections),
      [[{ type: 'text', code: 'a', text: 'Four.' }]],
    );
  });

  it('has the last change in it when it resolves, also when one is on its way', async () => {
    const { state, sent, played } = page(stateOf([text('a', 'One.')]));
    await state.begin(() => Promise.resolve(stateOf([text('a', 'One.')])));
    const gate = Promise.withResolvers<undefined>();
    const looking = Promise.withResolvers<undefined>();
    played.looked = () => {
      looking.resolve(undefined);
      return gate.promise;
    };
    played.now = stateOf([text('a', 'Two.')]);
    const first = state.show();
    await looking.promise;
    played.now = stateOf([text('a', 'Three.')]);
    const second = state.show();
    gate.resolve(undefined);
    await first;
    assert.deepEqual(sent.at(-1)?.sections, [{ type: 'text', code: 'a', text: 'Two.' }]);
    await second;
    assert.deepEqual(sent.at(-1)?.sections, [{ type: 'text', code: 'a', text: 'Three.' }]);
  });

  it('comes whole again when the page does not have what it was thought to', async () => {
    const { state, sent, played, on } = page(stateOf([text('a', 'One.'), long]));
    await state.begin(() => Promise.resolve(stateOf([text('a', 'One.'), long])));
    // The page has been loaded anew meanwhile, and knows nothing.
    played.now = stateOf([text('a', 'Two.'), long]);
    await state.show();
    await new Promise(setImmediate);
    assert.equal(sent.length, 2);
    assert.equal(played.forgotten, 1);
    assert.deepEqual(
      on.shows?.sections.map(({ code }) => code),
      ['a', 'b'],
    );
  });

  it('is sent again after a look that failed, which only who asked for it hears of', async () => {
    const { state, sent, played } = page(stateOf([text('a', 'One.')]));
    await state.begin(() => Promise.resolve(stateOf([text('a', 'One.')])));
    played.looked = () => Promise.reject(new Error('It is out of reach.'));
    const failed = state.show();
    const alsoFailed = state.show();
    await assert.rejects(failed, /out of reach/);
    await assert.rejects(alsoFailed, /out of reach/);
    played.looked = () => Promise.resolve();
    played.now = stateOf([text('a', 'Two.')]);
    await state.show();
    assert.deepEqual(sent.at(-1)?.sections, [{ type: 'text', code: 'a', text: 'Two.' }]);
  });

  it('is looked at while a failing look is on its way, and that fails alone', async () => {
    const { state, sent, played } = page(stateOf([text('a', 'One.')]));
    await state.begin(() => Promise.resolve(stateOf([text('a', 'One.')])));
    const looking = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<undefined>();
    played.looked = () => {
      looking.resolve(undefined);
      return gate.promise;
    };
    const failing = assert.rejects(state.show(), /out of reach/);
    await looking.promise;
    const next = state.show();
    played.looked = () => Promise.resolve();
    played.now = stateOf([text('a', 'Two.')]);
    gate.reject(new Error('It is out of reach.'));
    await failing;
    await next;
    assert.equal(sent.length, 1);
  });

  it('is not sent to a page that is gone, nor while nothing is known', async () => {
    const { state, sent, played } = page(stateOf([text('a', 'One.')]));
    await state.show();
    await state.begin(() => Promise.resolve(stateOf([text('a', 'One.')])));
    played.now = undefined;
    await state.show();
    state.end();
    played.now = stateOf([text('a', 'Two.')]);
    await state.show();
    assert.deepEqual(sent, []);
  });

  it('is not sent to a page that was gone before it was loaded', async () => {
    const { state, sent, played } = page(stateOf([text('a', 'One.')]));
    const loading = Promise.withResolvers<PatchState>();
    const begun = state.begin(() => loading.promise);
    state.end();
    loading.resolve(stateOf([text('a', 'One.')]));
    await begun;
    played.now = stateOf([text('a', 'Two.')]);
    await state.show();
    assert.deepEqual([sent, state.fingerprint], [[], undefined]);
  });

  it('is sent to the page that is there again, whatever the one before is still loading', async () => {
    const { state, sent, played } = page(stateOf([text('a', 'One.')]));
    const loading = Promise.withResolvers<PatchState>();
    const before = state.begin(() => loading.promise);
    state.end();
    await state.begin(() => Promise.resolve(stateOf([text('a', 'Two.')])));
    loading.resolve(stateOf([text('a', 'One.')]));
    await before;
    played.now = stateOf([text('a', 'Two.')]);
    await state.show();
    assert.deepEqual(sent, []);
  });
});
