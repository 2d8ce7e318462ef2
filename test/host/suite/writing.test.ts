import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ApiClient } from '../../../src/api/client.ts';
import type { RecentChange } from '../../../src/ui/recentChanges.ts';
import type { Patch, PatchSection } from '../../../src/api/types/patches.ts';
import type { AskService } from '../../../src/model/askService.ts';
import { fingerprintOf } from '../../../src/model/fingerprint.ts';
import { Model } from '../../../src/model/model.ts';
import { PendingChanges } from '../../../src/model/pending/pendingChanges.ts';
import { Readings } from '../../../src/model/reading/readings.ts';
import { DocumentWriting } from '../../../src/patch/writing/documentWriting.ts';
import { PatchWriting } from '../../../src/patch/writing/patchWriting.ts';
import type { PatchRef } from '../../../src/util/patchRef.ts';
import type { Review } from '../../../src/util/review.ts';
import { silentLog } from '../../support/silentLog.ts';

const patch = { stackUuid: 'stack', changeId: 'change' };
const code = 'why';

/** A patch of some sections on a service that does what it is asked. */
class FakeService {
  readonly orders: (readonly string[])[] = [];
  sections: PatchSection[] = ['why', 'how', 'who'].map((name) => ({
    sectionType: 'text',
    code: name,
    identifier: name,
    text: `${name}\n`,
  }));

  readonly ask = ((operation: (client: ApiClient) => unknown) =>
    Promise.resolve(operation(this.#client as unknown as ApiClient))) as AskService;

  #patch(changeId = 'change'): Patch {
    return { changeId, contributors: [], sections: this.sections };
  }

  readonly #client = {
    news: { isOffered: false },
    patches: {
      get: async (_stack: string, changeId: string) => this.#patch(changeId),
      update: async (_stack: string, _change: string, { sectionOrder = [] }: { sectionOrder?: string[] }) => {
        this.orders.push(sectionOrder);
        this.sections = sectionOrder.map((name) =>
          this.sections.find(({ identifier }) => identifier === name)!,
        );
        return this.#patch();
      },
      getSection: async (_stack: string, _change: string, name: string) =>
        this.sections.find(({ identifier }) => identifier === name),
      updateSection: async (_stack: string, _change: string, name: string, { text }: { text: string }) => {
        this.sections = this.sections.map((section) =>
          section.identifier === name && section.sectionType === 'text' ? { ...section, text } : section,
        );
        return this.sections.find(({ identifier }) => identifier === name);
      },
    },
  };
}

describe('what is written in the document of a patch', () => {
  let directory: string;
  let service: FakeService;
  let pendingChanges: PendingChanges;
  let writing: PatchWriting;
  let document: DocumentWriting;
  let readings: Readings;
  let shown: PatchRef;
  let undone: string[];
  let revealed: string[];
  const signal = new AbortController().signal;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-writing-'));
    service = new FakeService();
    const model = new Model(service.ask);
    pendingChanges = new PendingChanges({ ask: service.ask, model });
    await turnTo('one');
    readings = new Readings({
      folder: path.join(directory, 'one'),
      limit: () => 1_000_000,
      onFailure: (error) => assert.fail(String(error)),
    });
    const nothing = async (): Promise<void> => undefined;
    const actions = {
      resolveShared: async () => undefined,
      compare: nothing,
      resolve: nothing,
      send: nothing,
      takeOver: nothing,
    };
    writing = new PatchWriting(pendingChanges, model, async () => readings, actions, silentLog);
    document = new DocumentWriting(writing, {
      ref: () => shown,
      refuseElsewhere: () => undefined,
      show: nothing,
      reveal: (section) => void revealed.push(section),
      undo: async (change) => void undone.push(change.what),
      goOn: () => assert.fail('Nobody wants to read on.'),
    });
    shown = patch;
    undone = [];
    revealed = [];
  });

  afterEach(async () => {
    writing.dispose();
    await pendingChanges.close();
    await rm(directory, { recursive: true, force: true });
  });

  const folderOf = (account: string): string => path.join(directory, account, 'pending');
  const turnTo = (account: string): Promise<void> => pendingChanges.activate(folderOf(account));
  const kept = (): unknown[] => pendingChanges.list().map(({ content }) => content);
  const saveLocally = (text: string, edition: number) =>
    document.handlers.saveTextLocally(
      { patch, target: { code }, typed: { base: 'why\n', text }, page: 'page', edition },
      signal,
    );
  const restore = (account: string, text: string, base = 'why\n') =>
    document.handlers.restoreTexts(
      {
        patch,
        account,
        texts: [{ target: { code }, base, text, after: 'why\n', page: 'gone', edition: 3 }],
      },
      signal,
    );

  it('is on disk when the page is told that it is kept', async () => {
    for (const [edition, text] of ['because\n', 'because of that\n'].entries()) {
      assert.deepEqual(await saveLocally(text, edition + 1), { sending: false });
      const files = (await readdir(folderOf('one'))).filter((name) => name.endsWith('.json'));
      const [file = '', ...others] = files;
      assert.deepEqual(others, []);
      assert.ok((await readFile(path.join(folderOf('one'), file), 'utf8')).includes(JSON.stringify(text)));
    }
  });

  it('is told as the last change until that is undone, dismissed, over, or the page begins anew', async () => {
    const change = (what: string, over?: AbortSignal): RecentChange => ({
      what,
      before: '',
      after: '',
      undo: async () => undefined,
      ...(over && { over }),
      at: new Date(),
      undone: false,
      requireAccount: () => undefined,
    });
    const last = (): unknown => document.lastChange()?.text;

    document.showChange(change('first'));
    const before = document.lastChange()?.number ?? 0;
    document.showChange(change('second'));
    await document.handlers.undoChange({ patch, change: before }, signal);
    assert.deepEqual([last(), undone], ['second', []], 'what was told before the last stays');
    await document.handlers.undoChange({ patch, change: before + 1 }, signal);
    assert.deepEqual([last(), undone], [undefined, ['second']]);

    document.showChange(change('third'));
    await document.handlers.dismissChange({ patch, change: before + 2 }, signal);
    assert.deepEqual([last(), undone], [undefined, ['second']]);

    const over = new AbortController();
    document.showChange(change('fourth', over.signal));
    assert.equal(last(), 'fourth');
    over.abort();
    assert.equal(last(), undefined);

    document.showChange(change('fifth'));
    document.begin();
    assert.equal(last(), undefined);

    document.showChange(change('sixth'));
    const sixth = document.lastChange()?.number ?? 0;
    shown = { ...patch, changeId: 'next' };
    assert.deepEqual([last(), document.shownChange], [undefined, undefined], 'it is none of the next patch');
    document.showChange(change('seventh'));
    await document.handlers.undoChange({ patch: shown, change: sixth }, signal);
    assert.deepEqual([last(), undone], ['seventh', ['second']], 'nor undone by a button of the one before');
  });

  it('is told with the last edition of its page that was sent, and with none of another page', async () => {
    const typed = (base: string, text: string, page: string, edition: number) => ({
      patch,
      target: { code },
      base,
      text,
      typedOn: { page, edition },
    });
    const editionOf = async (next: ReturnType<typeof typed>): Promise<unknown> => {
      const before = writing.texts.send(typed(next.base, `${next.text}before\n`, 'page', 1));
      const sending = writing.texts.send(typed(next.base, `${next.text}first\n`, 'page', 2));
      // It waits for its turn.
      void writing.texts.saveLocally(next);
      await before;
      const outcome = await sending;
      assert.equal(outcome.kind, 'sent');
      return 'edition' in outcome ? outcome.edition : undefined;
    };
    assert.equal(await editionOf(typed('why\n', 'because\n', 'page', 3)), 3);
    assert.equal(await editionOf(typed('because\n', 'because of that\n', 'another page', 9)), undefined);
  });

  it('is said not to be kept when it is not on disk', async () => {
    await mkdir(path.dirname(folderOf('two')));
    await writeFile(folderOf('two'), 'in the way');
    await turnTo('two');
    const answer = await saveLocally('because\n', 1);
    assert.ok(answer?.notSavedLocally);
  });

  it('goes on where an earlier page ended, for the account that typed it alone', async () => {
    assert.deepEqual(await restore('two', 'theirs\n'), ['waits']);
    assert.deepEqual(kept(), []);
    assert.deepEqual(await restore('one', 'because\n'), ['restored']);
    assert.deepEqual(await restore('one', 'because\n'), ['known']);
    assert.deepEqual(kept(), [{ base: 'why\n', text: 'because\n' }]);
  });

  it('goes on from what was sent, when the page ended before it was told so', async () => {
    assert.deepEqual(await restore('one', 'why not\n', 'earlier\n'), ['restored']);
    assert.deepEqual(kept(), [{ base: 'why\n', text: 'why not\n' }]);
  });

  it('is kept beside another change of the same, which it does not fit, and shown once that is gone', async () => {
    const hasOther = (): unknown => document.pending().texts.map((text) => text.hasOther);
    await saveLocally('because\n', 1);
    assert.deepEqual(await restore('one', 'therefore\n'), ['kept']);
    assert.deepEqual(await restore('one', 'therefore\n'), ['known']);
    assert.deepEqual(kept(), [
      { base: 'why\n', text: 'because\n' },
      { base: 'why\n', text: 'therefore\n' },
    ]);
    assert.deepEqual([document.pending().texts.length, hasOther()], [1, [true]]);
    assert.deepEqual(await saveLocally('because of\n', 2), { sending: false, hasOther: true });
    await document.handlers.discardText({ patch, target: { code } }, signal);
    const [shown, ...others] = document.pending().texts;
    assert.deepEqual([shown?.content?.text, shown?.hasOther, others], ['therefore\n', undefined, []]);
    await document.handlers.undoDiscard({ patch, target: { code } }, signal);
    assert.deepEqual([document.pending().texts[0]?.content?.text, hasOther()], ['because of\n', [true]]);
  });

  it('stays with an earlier page while it cannot be written to disk', async () => {
    await mkdir(path.dirname(folderOf('two')));
    await writeFile(folderOf('two'), 'in the way');
    await turnTo('two');
    assert.deepEqual(await restore('two', 'because\n'), ['waits']);
  });

  it('is sent as one order when several moves follow one another', async () => {
    const sent = new Promise<void>((resolve) => pendingChanges.onDidSend(() => resolve()));
    for (const order of [
      ['how', 'why', 'who'],
      ['how', 'who', 'why'],
      ['who', 'how', 'why'],
    ]) {
      await document.handlers.orderSections({ patch, order }, signal);
      // A person takes longer than that.
      await new Promise((resolve) => setTimeout(resolve));
    }
    await sent;
    assert.deepEqual(service.orders, [['who', 'how', 'why']]);
    assert.deepEqual(kept(), []);
  });

  describe('as a sign-off', () => {
    const place = { projectId: '', branchId: 'stack' };
    const now = async (): Promise<Patch> => (await writing.model.patch(patch)).value;
    const see = async (...codes: string[]): Promise<void> => {
      await readings.note(place, await now(), codes, { seen: true });
      await document.noteRead();
    };
    const signOff = async (anyway = false): Promise<void> => {
      const seen = fingerprintOf(await now());
      const saying = { patch, review: 'signedOff', seen, ...(anyway && { anyway }) } as const;
      await document.handlers.review(saying, signal);
    };
    const unseen = async (): Promise<string[] | undefined> => document.unseen(fingerprintOf(await now()));

    it('is not said of sections that were never on the screen: they are named, and the first is gone to', async () => {
      await see('how');
      await signOff();
      assert.deepEqual([await unseen(), revealed, kept()], [['why', 'who'], ['why'], []]);
      assert.equal(document.unseen('another version'), undefined);
      await see('why');
      assert.deepEqual([await unseen(), revealed], [['who'], ['why']]);
      await signOff();
      assert.deepEqual([await unseen(), revealed, kept()], [['who'], ['why', 'who'], []]);
      await see('who');
      assert.equal(await unseen(), undefined);
      await signOff();
      assert.deepEqual([kept().length, revealed], [1, ['why', 'who']]);
    });

    it('is said anyway when the person says so', async () => {
      await signOff();
      await signOff(true);
      assert.deepEqual(
        [await unseen(), kept()],
        [undefined, [{ review: 'signedOff', seen: fingerprintOf(await now()) }]],
      );
    });

    it('says no more of what was not seen when the person does not want to hear of it', async () => {
      await signOff();
      await document.handlers.dismissUnseen({ patch }, signal);
      assert.deepEqual([await unseen(), kept()], [undefined, []]);
    });

    it('does not say it again when it was dismissed while that was looked at', async () => {
      await signOff();
      const looking = document.noteRead();
      await document.handlers.dismissUnseen({ patch }, signal);
      await looking;
      assert.equal(await unseen(), undefined);
    });

    it('says nothing of the next patch, and signs it off with no button of the one before', async () => {
      const next = { ...patch, changeId: 'next' };
      await signOff();
      shown = next;
      const other = (await writing.model.patch(next)).value;
      await document.noteRead();
      assert.equal(document.unseen(fingerprintOf(other)), undefined);
      await document.handlers.dismissUnseen({ patch: next }, signal);
      const saying = { patch: next, review: 'signedOff', seen: fingerprintOf(other), anyway: true } as const;
      await document.handlers.review(saying, signal);
      assert.deepEqual(kept(), []);
      assert.deepEqual(document.unseen(fingerprintOf(other)), ['why', 'how', 'who']);
      // Now they have been told of this one.
      await document.handlers.review(saying, signal);
      assert.deepEqual(
        pendingChanges.list().map(({ subject }) => 'patch' in subject && subject.patch.changeId),
        ['next'],
      );
    });

    it('says what keeps the next patch from it, also while it is looked at what the one before still lacks', async () => {
      const next = { ...patch, changeId: 'next' };
      await signOff();
      shown = next;
      const other = (await writing.model.patch(next)).value;
      const { signOff: asked } = writing;
      const look = asked.unseen.bind(asked);
      const { promise: isNextLookedAt, resolve: lookAtNext } = Promise.withResolvers<undefined>();
      let looks = 0;
      asked.unseen = async (of, version) => {
        if (of.changeId !== 'next') {
          await isNextLookedAt;
        } else if (++looks === 2) {
          // It has been refused, and what is to be said of it is looked at.
          lookAtNext(undefined);
          await looking;
        }
        return look(of, version);
      };
      const looking = document.noteRead();
      const saying = { patch: next, review: 'signedOff', seen: fingerprintOf(other) } as const;
      await document.handlers.review(saying, signal);
      assert.deepEqual(document.unseen(fingerprintOf(other)), ['why', 'how', 'who']);
      assert.deepEqual(kept(), []);
    });

    it('is not said anyway of another version than the person was told of', async () => {
      await signOff();
      const saying = { patch, review: 'signedOff', seen: 'another version', anyway: true } as const;
      await document.handlers.review(saying, signal);
      assert.deepEqual([await unseen(), kept()], [['why', 'how', 'who'], []]);
    });

    const addSection = async (): Promise<void> => {
      const added: PatchSection = { sectionType: 'text', code: 'new', identifier: 'new', text: 'New\n' };
      service.sections = [...service.sections, added];
      await writing.model.refreshPatch(patch);
    };

    it('says what was not seen of a version that the page has not drawn yet, and of no other', async () => {
      const seen = fingerprintOf(await now());
      await see('why', 'how', 'who');
      await addSection();
      await document.handlers.review({ patch, review: 'signedOff', seen }, signal);
      assert.deepEqual([await unseen(), document.unseen(seen), revealed], [['new'], undefined, ['new']]);
      assert.deepEqual(kept(), []);
      await signOff(true);
      assert.deepEqual(kept(), [{ review: 'signedOff', seen: fingerprintOf(await now()) }]);
    });

    it('says what was not seen of the version that is known once the document is drawn, by the palette', async () => {
      await see('why', 'how');
      await addSection();
      await document.tellUnseen(patch);
      assert.deepEqual([await unseen(), revealed], [['who', 'new'], ['who']]);
      await see('who', 'new');
      assert.equal(await unseen(), undefined);
    });

    it('does not go to a section of the patch that was told of, in the next one', async () => {
      await now();
      const telling = document.tellUnseen(patch);
      shown = { ...patch, changeId: 'next' };
      await telling;
      assert.deepEqual(revealed, []);
    });

    it('is what was said last, when both are said at once', async () => {
      await see('why', 'how', 'who');
      const seen = fingerprintOf(await now());
      const say = async (review: Review): Promise<null> =>
        document.handlers.review({ patch, review, seen }, signal);
      await Promise.all([say('signedOff'), say('changesRequested')]);
      assert.deepEqual(kept(), [{ review: 'changesRequested', seen }]);
    });

    it('has nothing to do with requested changes', async () => {
      const saying = { patch, review: 'changesRequested', seen: fingerprintOf(await now()) } as const;
      await document.handlers.review(saying, signal);
      assert.deepEqual([await unseen(), kept().length], [undefined, 1]);
    });
  });
});
