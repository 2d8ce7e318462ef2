import assert from 'node:assert/strict';
import { install, type Clock } from '@sinonjs/fake-timers';
import fc from 'fast-check';
import type { TextEdit } from '../../../../src/webview/patchDocument/writing/textEdit.ts';
import { isFull } from '../../../support/full.ts';
import { playBrowser, WritingBench, type BareEditor } from '../../../support/writingBench.ts';

describe('writing on a page', () => {
  let clock: Clock;
  let endBrowser: () => void;

  beforeEach(() => {
    clock = install({ toFake: ['setTimeout', 'clearTimeout'] });
    endBrowser = playBrowser();
  });

  afterEach(() => {
    clock.uninstall();
    endBrowser();
  });

  /** Lets everything happen that is under way. */
  async function settle(): Promise<void> {
    for (let round = 0; round < 5; round += 1) {
      await clock.tickAsync(100);
      await new Promise(setImmediate);
    }
  }

  /** A bench on which each thing happens as soon as it can. */
  const bench = (texts: Record<string, string> = { a: 'First.', b: 'Second.' }): WritingBench =>
    new WritingBench(async () => undefined, texts);

  /** A bench on which the steps that are named wait until they are let go. */
  function heldBench(held: Set<string>, texts: Record<string, string> = { a: 'First.', b: 'Second.' }) {
    let letGo: (() => void)[] = [];
    const on = new WritingBench(
      (step) => (held.has(step) ? new Promise((resolve) => letGo.push(resolve)) : Promise.resolve()),
      texts,
    );
    const release = async (): Promise<void> => {
      held.clear();
      letGo.forEach((resolve) => resolve());
      letGo = [];
      await settle();
    };
    return { on, release };
  }

  async function begin(on: WritingBench, key: string): Promise<[edit: TextEdit, editor: BareEditor]> {
    assert.ok(on.writing.edit(key) || on.writing.editOf(key));
    const edit = on.writing.editOf(key);
    const editor = await on.editor(key);
    assert.ok(edit && editor);
    return [edit, editor];
  }

  it('begins a new section before another, whatever else is new', async () => {
    const on = bench({ a: 'First.', b: 'Second.' });
    const begun = (before: string | undefined): unknown => {
      on.writing.addBefore(before);
      const { target } = on.writing.edits.at(-1) ?? assert.fail();
      return 'after' in target && target.after;
    };
    assert.deepEqual(['a', 'b', 'b', 'gone', undefined].map(begun), [null, 'a', 'a', null, null]);
  });

  async function addAfter(
    on: WritingBench,
    after: string | null,
  ): Promise<[edit: TextEdit, editor: BareEditor]> {
    const before = new Set(on.writing.edits);
    on.writing.add(after);
    const edit = on.writing.edits.find((one) => !before.has(one));
    const editor = edit && (await on.editor(edit.key));
    assert.ok(edit && editor);
    return [edit, editor];
  }

  it('keeps what is typed, and says how far that is', async () => {
    const on = bench();
    const [edit, editor] = await begin(on, 'a');
    assert.equal(edit.status.progress, 'unchanged');
    editor.type(' More.');
    assert.equal(edit.status.progress, 'typing');
    await settle();
    assert.deepEqual(edit.status, { progress: 'savedLocally' });
    assert.equal(on.journal.get('a')?.text, 'First. More.');
    assert.equal(on.outbox.size, 0);
    assert.deepEqual(on.shown, ['[First. More.]', 'Second.']);
  });

  it('tells of a burst of keys once, and of the next ones what they change', async () => {
    const on = bench({ a: 'x'.repeat(10_000) });
    const [, editor] = await begin(on, 'a');
    for (const key of 'one burst') {
      editor.type(key);
    }
    await settle();
    editor.type('and', 0);
    editor.type(' ends', 3);
    editor.type('.');
    editor.type('', 0, 2);
    await settle();
    assert.equal(on.journal.get('a')?.text, `d ends${'x'.repeat(10_000)}one burst.`);
    assert.deepEqual(on.asked, ['saveTextLocally', 'saveTextLocally']);
    // The first is told all of it, the second what it changes.
    assert.deepEqual(
      on.lengths.map((length) => length > 10_000),
      [true, false],
    );
  });

  it('says when what is typed cannot be written to disk, and holds it here until it is', async () => {
    const on = bench();
    on.diskProblem = 'The disk is full.';
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    assert.deepEqual(edit.status, { progress: 'savedLocally', notSavedLocally: 'The disk is full.' });
    assert.equal(on.outbox.get('a')?.text, 'First. More.');
    on.diskProblem = undefined;
    on.push();
    await settle();
    assert.deepEqual(edit.status, { progress: 'savedLocally' });
    assert.equal(on.outbox.size, 0);
  });

  it('holds here no longer what could not be written to disk and was taken back', async () => {
    const on = bench();
    on.diskProblem = 'The disk is full.';
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    await on.writing.cancel(edit);
    assert.equal(on.outbox.size, 0);
  });

  it('says that another text waits, and shows that one once its own was taken back', async () => {
    const on = bench();
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    assert.equal(edit.status.hasOther, undefined);
    on.besides.set('a', { target: { code: 'a' }, base: 'First.', text: 'Another.', sending: false });
    on.writing.noteRestored([{ target: { code: 'a' }, outcome: 'kept' }]);
    on.push();
    await settle();
    assert.deepEqual([edit.status.hasOther, on.writing.announcement], [true, 'kept']);
    assert.equal(on.writing.isRestored('a'), false);
    await on.writing.cancel(edit);
    await settle();
    assert.deepEqual([on.shown, on.writing.edits.length], [['[Another.]', 'Second.'], 1]);
    assert.equal(on.writing.editOf('a')?.status.hasOther, undefined);
  });

  it('shows what the service has once that has taken it, and the editor until then', async () => {
    const { on, release } = heldBench(new Set(['the service']));
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    void on.writing.save(edit);
    await settle();
    assert.deepEqual([on.shown, edit.status.progress], [['[First. More.]', 'Second.'], 'sending']);
    await release();
    assert.deepEqual([on.shown, on.writing.edits], [['First. More.', 'Second.'], []]);
    assert.equal(on.writing.announcement, 'saved');
    assert.equal(on.outbox.size, 0);
  });

  it('never shows the text of before between the editor and what was saved', async () => {
    let look = (): void => undefined;
    const on = new WritingBench(async () => look(), { a: 'First.' });
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    const texts: string[] = [];
    look = () => void texts.push(on.shown[0] ?? '');
    on.writing.onDidChange(look);
    void on.writing.save(edit);
    await settle();
    const closed = texts.findIndex((text) => !text.startsWith('['));
    assert.ok(closed > 0);
    assert.deepEqual(new Set(texts.slice(closed)), new Set(['First. More.']));
  });

  it('shows what the service has joined, and says so at the section', async () => {
    const on = bench();
    on.verdicts = ['merged'];
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await on.writing.save(edit);
    assert.deepEqual(on.shown, ['First. More. And theirs.', 'Second.']);
    assert.equal(on.writing.noteAt('a')?.text, 'merged');
    assert.equal(on.writing.announcement, 'merged');
  });

  it('puts a new section in its place, without showing it twice while it is on its way', async () => {
    const { on, release } = heldBench(new Set(['answer to sendText']));
    const [edit, editor] = await addAfter(on, 'a');
    editor.type('New.');
    void on.writing.save(edit);
    await settle();
    assert.deepEqual(on.shown, ['First.', '[New.]', 'Second.']);
    await release();
    assert.deepEqual(on.shown, ['First.', 'New.', 'Second.']);
  });

  it('shows one editor of a new section that is typed into while it is on its way', async () => {
    const { on, release } = heldBench(new Set(['the service']));
    const [edit, editor] = await addAfter(on, 'a');
    editor.type('New.');
    void on.writing.save(edit);
    await settle();
    editor.type(' And more.');
    await settle();
    const seen = new Set<number>();
    on.writing.onDidChange(() => seen.add(on.writing.edits.length));
    await release();
    assert.deepEqual(on.shown, ['First.', '[New. And more.]', 'Second.']);
    assert.deepEqual([...seen], [1]);
  });

  it('closes what is saved without a change, and asks nobody', async () => {
    const on = bench();
    const [edit] = await begin(on, 'a');
    await on.writing.save(edit);
    assert.deepEqual([on.shown, on.asked], [['First.', 'Second.'], []]);
  });

  it('keeps what is typed while the text is on its way, as a change of what was saved', async () => {
    const { on, release } = heldBench(new Set(['the service']));
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    void on.writing.save(edit);
    await settle();
    editor.type(' And more.');
    await settle();
    await release();
    assert.deepEqual([on.service.get('a'), on.journal.get('a')?.base], ['First. More.', 'First. More.']);
    assert.deepEqual(on.shown, ['[First. More. And more.]', 'Second.']);
    assert.deepEqual(on.writing.editOf('a')?.status, { progress: 'savedLocally' });
  });

  it('closes what was typed while the text waited for its turn, and was sent with it', async () => {
    const { on, release } = heldBench(new Set(['the service']));
    const [first, editor] = await begin(on, 'a');
    editor.type(' One.');
    const [second, other] = await begin(on, 'b');
    other.type(' Two.');
    void on.writing.save(first);
    void on.writing.save(second);
    other.type(' Three.');
    await settle();
    await release();
    assert.deepEqual(on.shown, ['First. One.', 'Second. Two. Three.']);
    assert.deepEqual([on.journal.size, on.outbox.size], [0, 0]);
  });

  it('keeps nothing under the name that a new section had, whatever is typed before it hears of its code', async () => {
    const sent = Promise.withResolvers<undefined>();
    const saved = Promise.withResolvers<undefined>();
    const waits: Record<string, Promise<undefined>> = {
      'answer to sendText': sent.promise,
      'answer to saveTextLocally': saved.promise,
    };
    const on = new WritingBench((step) => waits[step] ?? Promise.resolve(), { a: 'First.' });
    const [edit, editor] = await addAfter(on, 'a');
    editor.type('New.');
    void on.writing.save(edit);
    editor.type(' More.');
    await settle();
    sent.resolve(undefined);
    await settle();
    assert.deepEqual([...on.outbox.keys()], ['added1']);
    void on.writing.save(edit);
    await settle();
    saved.resolve(undefined);
    await settle();
    assert.deepEqual([on.shown, on.outbox.size], [['First.', 'New. More.'], 0]);
  });

  it('goes on with what is sent when another extension host tells of what is on disk before it hears of that', async () => {
    const { on, release } = heldBench(new Set(['sendText']));
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    on.restart();
    editor.type(' And more.');
    void on.writing.save(edit);
    on.push();
    await settle();
    assert.deepEqual(on.shown, ['[First. More. And more.]', 'Second.']);
    await release();
    assert.deepEqual(on.shown, ['First. More. And more.', 'Second.']);
  });

  it('keeps what is typed while a text is refused of which the page has heard nothing since', async () => {
    const { on, release } = heldBench(new Set(['saveTextLocally']));
    on.verdicts = ['refused'];
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    // The answer to what was told fails in the moment in which the text is sent: the page has to be told whole texts from then on.
    on.noticeSilence(true);
    void on.writing.save(edit);
    editor.type(' And more.');
    await release();
    assert.deepEqual(on.shown, ['[First. More. And more.]', 'Second.']);
    assert.equal(on.journal.get('a')?.text, 'First. More. And more.');
  });

  it('tells nothing once more that was told with the whole text', async () => {
    const { on, release } = heldBench(new Set<string>());
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    on.restart();
    editor.type(' And more.');
    editor.blur();
    editor.type(' Still more.');
    await release();
    assert.deepEqual(on.asked, ['saveTextLocally', 'saveTextLocally', 'saveTextLocally']);
    assert.deepEqual(edit.status, { progress: 'savedLocally' });
    assert.equal(on.journal.get('a')?.text, 'First. More. And more. Still more.');
    assert.equal(on.outbox.size, 0);
  });

  it('leaves open what the service refuses, with the reason, until it is taken', async () => {
    const on = bench();
    on.verdicts = ['refused'];
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await on.writing.save(edit);
    assert.deepEqual(edit.status, { progress: 'savedLocally', refusal: { kind: 'unsent', text: 'refused' } });
    editor.type(' And more.');
    assert.deepEqual(edit.status, { progress: 'typing', refusal: { kind: 'unsent', text: 'refused' } });
    await settle();
    await on.writing.save(edit);
    assert.deepEqual(on.shown, ['First. More. And more.', 'Second.']);
  });

  it('shows the reason of what was sent from elsewhere, too, and closes what that has saved', async () => {
    const on = bench();
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    on.verdicts = ['conflict', 'taken'];
    await on.sendElsewhere('a');
    await settle();
    assert.deepEqual(edit.status, {
      progress: 'savedLocally',
      refusal: { kind: 'conflict', text: 'conflict' },
    });
    await on.sendElsewhere('a');
    await settle();
    assert.deepEqual(on.shown, ['First. More.', 'Second.']);
  });

  it('takes back what was typed, and brings it back with Undo', async () => {
    const on = bench();
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await on.writing.cancel(edit);
    assert.deepEqual(on.shown, ['First.', 'Second.']);
    assert.deepEqual([on.journal.size, on.outbox.size], [0, 0]);
    const note = on.writing.noteAt('a');
    assert.equal(note?.text, 'discarded');
    note.action?.run();
    await settle();
    assert.deepEqual(on.shown, ['[First. More.]', 'Second.']);
    assert.equal(on.writing.noteAt('a'), undefined);
    assert.equal(on.journal.get('a')?.text, 'First. More.');
  });

  it('does not bring back what was taken back when another extension host does not know it', async () => {
    const { on, release } = heldBench(new Set<string>());
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    on.restart();
    editor.type(' And more.');
    await on.writing.cancel(edit);
    await release();
    assert.deepEqual([on.shown, on.journal.size], [['First.', 'Second.'], 0]);
  });

  it('begins with what is pending, and with what another window or an earlier one has typed since', async () => {
    const on = bench();
    on.typeElsewhere('b', 'Second, typed elsewhere.');
    await settle();
    assert.deepEqual(on.shown, ['First.', '[Second, typed elsewhere.]']);
    const edit = on.writing.editOf('b');
    assert.equal(edit?.base, 'Second.');
    assert.deepEqual(edit.status, { progress: 'savedLocally' });
  });

  it('takes in what is typed into the same text in a text editor', async () => {
    const on = bench();
    const [, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    on.typeElsewhere('a', 'First. More. And elsewhere.');
    await settle();
    assert.equal(editor.text, 'First. More. And elsewhere.');
    editor.type(' Then here.');
    await settle();
    assert.equal(on.journal.get('a')?.text, 'First. More. And elsewhere. Then here.');
  });

  it('makes nothing else of it when what was typed elsewhere is as long', async () => {
    const on = bench();
    const [, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    on.typeElsewhere('a', 'First. Much!');
    await settle();
    editor.type(' Then here.');
    await settle();
    assert.equal(on.journal.get('a')?.text, 'First. Much! Then here.');
  });

  it('shows what is pending when what is saved here and what is typed elsewhere cross', async () => {
    const { on, release } = heldBench(new Set(['show']));
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    on.verdicts = ['refused'];
    on.typeElsewhere('a', 'First. Elsewhere.');
    void on.writing.save(edit);
    await settle();
    await release();
    assert.equal(editor.text, on.journal.get('a')?.text);
    assert.equal(edit.status.refusal?.text, 'refused');
  });

  it('leaves open what is typed elsewhere while it is saved here', async () => {
    const { on, release } = heldBench(new Set(['the service']));
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    void on.writing.save(edit);
    await settle();
    on.typeElsewhere('a', 'First. More. Elsewhere.');
    await release();
    assert.deepEqual(on.shown, ['[First. More. Elsewhere.]', 'Second.']);
    assert.equal(on.service.get('a'), 'First. More.');
  });

  it('goes on with what is typed here when the same text is changed elsewhere at that moment', async () => {
    const on = bench();
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    editor.type(' Here.');
    on.typeElsewhere('a', 'Elsewhere.');
    await settle();
    editor.type(' And on.');
    await settle();
    assert.equal(editor.text, 'First. More. Here. And on.');
    assert.equal(on.journal.get('a')?.text, editor.text);
    assert.deepEqual(edit.status, { progress: 'savedLocally' });
  });

  it('shows an order at once, and the last one when several are on their way', async () => {
    const { on, release } = heldBench(new Set(['ordered']), { a: 'A', b: 'B', c: 'C' });
    on.writing.reorder(['b', 'a', 'c']);
    on.writing.reorder(['b', 'c', 'a']);
    const seen = new Set<string>();
    on.writing.onDidChange(() => seen.add(on.shown.join('')));
    on.push();
    await settle();
    assert.deepEqual(on.shown, ['B', 'C', 'A']);
    await release();
    assert.deepEqual([...seen], ['BCA']);
    assert.deepEqual(
      [on.shown, on.order],
      [
        ['B', 'C', 'A'],
        ['b', 'c', 'a'],
      ],
    );
  });

  it('shows the order that there is again when another one is not taken, and says why', async () => {
    const { on, release } = heldBench(new Set(['ordered']), { a: 'A', b: 'B' });
    on.refusesOrders = true;
    on.writing.reorder(['b', 'a']);
    assert.deepEqual(on.shown, ['B', 'A']);
    await release();
    assert.deepEqual(on.shown, ['A', 'B']);
    assert.equal(on.writing.announcement, 'It cannot be moved.');
  });

  it('shows the last order also when the one before it is answered first', async () => {
    const answers: (() => void)[] = [];
    const on = new WritingBench(
      (step) => (step === 'ordered' ? new Promise((resolve) => answers.push(resolve)) : Promise.resolve()),
      { a: 'A', b: 'B', c: 'C' },
    );
    on.writing.reorder(['b', 'a', 'c']);
    on.writing.reorder(['b', 'c', 'a']);
    await settle();
    answers.shift()?.();
    await settle();
    assert.deepEqual(on.shown, ['B', 'C', 'A']);
    answers.shift()?.();
    await settle();
    assert.deepEqual(on.shown, ['B', 'C', 'A']);
  });

  it('says what was changed last until the person has heard enough of it, and then what is changed next', async () => {
    const on = bench();
    const said = (): string | undefined => on.writing.lastChange?.text;
    on.lastChange = { number: 1, text: 'Deleted "First".', undoable: true };
    on.push();
    await settle();
    assert.equal(said(), 'Deleted "First".');
    on.push();
    on.writing.dismissLastChange();
    assert.equal(said(), undefined, 'at once');
    await settle();
    assert.equal(said(), undefined, 'nor because of a message that was on its way');
    assert.equal(on.lastChange, undefined);
    on.lastChange = { number: 2, text: 'Signed off.', undoable: true };
    on.push();
    await settle();
    assert.equal(said(), 'Signed off.');
    on.writing.undoLastChange();
    assert.equal(said(), undefined);
    await settle();
    assert.deepEqual(on.asked, ['dismissChange', 'undoChange']);
  });

  it('is not disturbed by a new version of the text that it changes', async () => {
    const on = bench();
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    on.changeOnService('a', 'First, changed.');
    on.changeOnService('b', 'Second, changed.');
    await settle();
    assert.deepEqual(on.shown, ['[First. More.]', 'Second, changed.']);
    assert.equal(edit.base, 'First.');
  });

  it('keeps on the page what no one confirms, and hands it over when someone is there again', async () => {
    const on = bench();
    const [edit, editor] = await begin(on, 'a');
    on.fallAsleep();
    editor.type(' Unheard.');
    await settle();
    on.noticeSilence(true);
    await settle();
    assert.equal(on.writing.announcement, 'silent');
    assert.deepEqual([edit.status.progress, on.outbox.get('a')?.text], ['typing', 'First. Unheard.']);
    on.wakeUp();
    await settle();
    assert.deepEqual([edit.status.progress, on.outbox.size], ['savedLocally', 0]);
    assert.equal(on.journal.get('a')?.text, 'First. Unheard.');
    assert.equal(on.writing.announcement, 'answersAgain');
  });

  /** Types something and takes it back while the extension host is silent. @param lost whether what was asked has failed by then. */
  async function cancelInSilence(on: WritingBench, lost: boolean): Promise<TextEdit> {
    const [edit, editor] = await begin(on, 'a');
    on.fallAsleep();
    editor.type(' More.');
    void on.writing.cancel(edit);
    await settle();
    on.noticeSilence(lost);
    await settle();
    return edit;
  }

  it('has nothing come back that is taken back while the extension host is silent for a while', async () => {
    const on = bench();
    await cancelInSilence(on, false);
    on.wakeUp();
    await settle();
    assert.deepEqual([on.shown, [...on.journal], on.outbox.size], [['First.', 'Second.'], [], 0]);
  });

  it('keeps what could not be taken back, since nobody answered', async () => {
    const on = bench();
    const edit = await cancelInSilence(on, true);
    on.restart();
    assert.deepEqual([edit.text, on.outbox.get('a')?.text], ['First. More.', 'First. More.']);
  });

  it('hands over all of it when another extension host answers, which knows nothing that was told before', async () => {
    const on = bench();
    const [, editor] = await begin(on, 'a');
    editor.type(' Heard.');
    await settle();
    on.mishap = 'lost';
    editor.type(' Unheard.');
    await settle();
    on.noticeSilence(false);
    on.restart();
    on.wakeUp();
    await settle();
    assert.equal(on.journal.get('a')?.text, 'First. Heard. Unheard.');
    assert.deepEqual(
      on.asked,
      ['saveTextLocally', 'saveTextLocally', 'saveTextLocally'],
      'it asks for nothing',
    );
  });

  it('says so when what is saved is not heard, and keeps it to be saved again', async () => {
    const on = bench();
    const [edit, editor] = await begin(on, 'a');
    editor.type(' More.');
    await settle();
    on.fallAsleep();
    void on.writing.save(edit);
    await settle();
    on.noticeSilence(true);
    await settle();
    assert.equal(edit.status.refusal?.text, 'notSaved');
    assert.equal(on.outbox.get('a')?.text, 'First. More.');
  });

  it('keeps everything at once when the page goes', async () => {
    const on = bench();
    const [, first] = await begin(on, 'a');
    const [, second] = await begin(on, 'b');
    first.type(' One.');
    second.type(' Two.');
    on.writing.close();
    await new Promise(setImmediate);
    assert.deepEqual(
      [...on.journal.values()].map(({ text }) => text),
      ['First. One.', 'Second. Two.'],
    );
  });

  it('keeps at once what was typed when the person goes elsewhere', async () => {
    const on = bench();
    const [, editor] = await begin(on, 'a');
    editor.type(' More.');
    editor.blur();
    await new Promise(setImmediate);
    assert.equal(on.journal.get('a')?.text, 'First. More.');
  });

  describe('whatever comes in which order', function () {
    // What goes wrong here goes wrong in one of 20,000 orders, or of 200,000.
    const numRuns = isFull ? 300_000 : 500;
    this.timeout(isFull ? 600_000 : 20_000);

    type Act = [what: 'type' | 'wait' | 'save' | 'cancel' | 'undo' | 'begin' | 'add' | 'push' | 'elsewhere' | 'version' | 'sleep' | 'notice' | 'wake' | 'lose' | 'delay' | 'restart', of: number]; // prettier-ignore

    /** Plays the acts of a person and of others in some order of all that follows from them. */
    async function play(
      scheduler: fc.Scheduler,
      acts: readonly Act[],
      verdicts: WritingBench['verdicts'],
    ): Promise<{ on: WritingBench; typed: string[]; discarded: boolean }> {
      const on = new WritingBench((step) => scheduler.schedule(Promise.resolve(), step), {
        a: 'First.',
        b: 'Second.',
      });
      on.verdicts = [...verdicts];
      const typed: string[] = [];
      let discarded = false;
      const pick = (of: number): TextEdit | undefined => on.writing.edits[of % Math.max(1, on.writing.edits.length)]; // prettier-ignore
      const act = async ([what, of]: Act): Promise<void> => {
        const edit = pick(of);
        switch (what) {
          case 'begin':
            on.writing.edit(['a', 'b'][of % 2] ?? '');
            break;
          case 'add':
            on.writing.add([null, 'a', 'b'][of % 3] ?? null);
            break;
          case 'type': {
            const editor = edit && (await on.editor(edit.key));
            // It may have been saved while the editor was loaded.
            if (editor && on.writing.editOf(edit.key) === edit) {
              typed.push(`«${typed.length}»`);
              editor.type(typed.at(-1) ?? '', of % 2 === 0 ? editor.text.length : 0);
            }
            break;
          }
          case 'wait':
            clock.tick(50);
            break;
          case 'save':
            void (edit && on.writing.save(edit));
            break;
          case 'cancel':
            discarded = true;
            void (edit && on.writing.cancel(edit));
            break;
          case 'undo':
            [...on.service.keys(), undefined].forEach((key) => on.writing.noteAt(key)?.action?.run());
            break;
          case 'push':
            on.push();
            break;
          case 'elsewhere': {
            const [code, kept] = [...on.journal].find(([key]) => !key.startsWith('new:')) ?? [];
            if (code !== undefined && kept) {
              on.typeElsewhere(code, `${kept.text}E`);
            }
            break;
          }
          case 'version':
            on.changeOnService('b', `${on.service.get('b') ?? ''}V`);
            break;
          case 'sleep':
            on.fallAsleep();
            break;
          case 'notice':
            on.noticeSilence(of % 2 === 0);
            break;
          case 'wake':
            on.wakeUp();
            break;
          case 'lose':
            on.mishap = 'lost';
            break;
          case 'delay':
            on.mishap = 'late';
            break;
          case 'restart':
            on.restart();
            break;
        }
      };
      scheduler.scheduleSequence(acts.map((one) => ({ label: one.join(' '), builder: () => act(one) })));
      const drain = async (): Promise<void> => {
        for (let quiet = 0; quiet < 4; quiet += 1) {
          while (scheduler.count() > 0) {
            await scheduler.waitNext(1);
            quiet = 0;
          }
          clock.tick(50);
          await new Promise(setImmediate);
        }
      };
      await drain();
      on.wakeUp();
      await drain();
      // Whatever is lost or late, nothing is ever made of it that nobody has written.
      assert.deepEqual(
        [...on.given].filter((text) => !on.had.has(text)),
        [],
      );
      return { on, typed, discarded };
    }

    /** Acts of which some are more frequent than others. */
    const actsOf = (...kinds: Act[0][]): fc.Arbitrary<Act[]> =>
      fc
        .array(fc.tuple(fc.constantFrom<Act[0]>('type', 'type', 'wait', ...kinds), fc.nat(5)), {
          maxLength: 25,
        })
        .map((acts): Act[] => [['begin', 0], ...acts]);

    const verdicts = fc.array(fc.constantFrom('taken', 'merged', 'conflict', 'refused'), { maxLength: 6 });

    /** The page and the extension host have the same, and nothing is left in between. */
    function assertAgreed(on: WritingBench): void {
      for (const edit of on.writing.edits) {
        assert.equal(edit.text, on.journal.get(edit.key)?.text ?? edit.base, `of ${edit.key}`);
        assert.notEqual(edit.status.progress, 'typing');
        assert.notEqual(edit.status.progress, 'sending');
      }
      for (const key of on.journal.keys()) {
        assert.ok(on.writing.editOf(key), `${key} is pending, and not shown`);
      }
      assert.deepEqual([...on.outbox.keys()], []);
    }

    it('loses nothing that was typed, and shows what is kept or saved', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          actsOf('save', 'save', 'begin', 'add', 'push', 'version'),
          verdicts,
          async (scheduler, acts, verdicts) => {
            const { on, typed } = await play(scheduler, acts, verdicts);
            const all = [...on.service.values(), ...[...on.journal.values()].map(({ text }) => text)].join(
              '\n',
            );
            assert.deepEqual(
              typed.filter((token) => !all.includes(token)),
              [],
            );
            assertAgreed(on);
          },
        ),
        { numRuns },
      );
    });

    it('has the same as the extension host in the end, whatever is taken back or changed elsewhere', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          actsOf('save', 'cancel', 'undo', 'begin', 'add', 'push', 'elsewhere', 'version'),
          verdicts,
          async (scheduler, acts, verdicts) => {
            const { on } = await play(scheduler, acts, verdicts);
            assertAgreed(on);
          },
        ),
        { numRuns },
      );
    });

    it('has the same in the end, whatever is taken back while nobody answers for a while', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          actsOf('save', 'cancel', 'cancel', 'begin', 'sleep', 'notice', 'wake', 'push').map((acts) =>
            // Nothing that was asked has failed, only its answer is late.
            acts.map(([what, of]): Act => [what, what === 'notice' ? 1 : of]),
          ),
          verdicts,
          async (scheduler, acts, verdicts) => {
            const { on } = await play(scheduler, acts, verdicts);
            assertAgreed(on);
          },
        ),
        { numRuns },
      );
    });

    it('loses nothing to messages that are lost or late, and makes nothing else of it', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          actsOf('begin', 'lose', 'delay', 'restart', 'wait', 'save'),
          async (scheduler, acts) => {
            const { on, typed } = await play(scheduler, acts, []);
            const all = [
              ...on.service.values(),
              ...[...on.journal.values()].map(({ text }) => text),
              ...[...on.outbox.values()].map(({ text }) => text),
            ].join('\n');
            assert.deepEqual(
              typed.filter((token) => !all.includes(token)),
              [],
            );
          },
        ),
        { numRuns },
      );
    });

    it('loses nothing to an extension host that is silent for a while', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          actsOf('save', 'begin', 'sleep', 'notice', 'wake', 'push'),
          verdicts,
          async (scheduler, acts, verdicts) => {
            const { on, typed } = await play(scheduler, acts, verdicts);
            const all = [
              ...on.service.values(),
              ...[...on.journal.values()].map(({ text }) => text),
              ...[...on.outbox.values()].map(({ text }) => text),
            ].join('\n');
            assert.deepEqual(
              typed.filter((token) => !all.includes(token)),
              [],
            );
          },
        ),
        { numRuns },
      );
    });
  });
});
