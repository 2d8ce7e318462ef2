import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { PendingChanges } from '../../src/model/pending/pendingChanges.ts';
import { isOfKind } from '../../src/model/pending/pendingChange.ts';
import { stackNameOf } from '../../src/model/reading/stackName.ts';
import { AgentBench, fingerprintIn } from '../support/agentBench.ts';

describe('the tools of agents', function () {
  this.timeout(60_000);
  let bench: AgentBench;

  before(async () => {
    bench = await AgentBench.start();
  });

  afterEach(() => bench.forget());

  after(() => bench[Symbol.asyncDispose]());

  const refused = async (name: string, input: object, why: RegExp): Promise<string> => {
    const { text, isRefusal } = await bench.tools.call(name, input);
    assert.equal(isRefusal, true, text);
    assert.match(text, why);
    return text;
  };
  const textsOf = async (): Promise<string[]> =>
    (await bench.sections()).flatMap((section) =>
      section.sectionType === 'text' ? [section.text ?? ''] : [],
    );

  describe('that read', () => {
    it('do not count as read by the person, and change nothing', async () => {
      for (const [name, input] of [
        ['listStacks', {}],
        ['readStack', { stack: bench.patch.stackUuid }],
        ['readPatch', bench.place],
        ['coverage', bench.place],
        ['readChangesSinceRead', bench.place],
      ] as const) {
        await bench.call(name, input);
      }
      const patch = await bench.model.patchUnopened(bench.patch);
      const [reading] = await bench.readings.states(stackNameOf(bench.patch), [patch]);
      assert.equal(reading?.state, 'unread');
      const { stackUuid, changeId } = bench.patch;
      const there = await bench.others.patches.get(stackUuid, changeId, { ahead: true });
      assert.deepEqual(there.reviewAll?.viewed, []);
      assert.deepEqual(bench.writes, []);
    });

    it('list projects and stacks, and lead from one to the next', async () => {
      const { stackUuid, projectId, changeId } = bench.patch;
      const list = await bench.call('listStacks');
      assert.ok(list.includes(`Project ${projectId}`) && list.includes(`patch stack ${stackUuid}`), list);
      const stack = await bench.call('readStack', { stack: stackUuid });
      assert.ok(stack.includes(`Patch ${changeId}`), stack);
      assert.match(stack, /hunks: \d+, explained: \d+/);
      const patch = await bench.call('readPatch', { stack: stackUuid, patch: changeId });
      assert.match(patch, /^version: \w+, commit: [0-9a-f]{40}$/m);
      assert.match(fingerprintIn(patch), /^[0-9a-f]{32}$/);
      assert.match(patch, /@@/);
      const counted = await bench.call('coverage', { stack: stackUuid });
      assert.match(counted, /hunks, \d+ unexplained/);
      assert.ok(counted.includes(`fingerprint: ${fingerprintIn(patch)}`), counted);
      assert.match(await bench.call('coverage', bench.place), /of them unexplained/);
    });

    it('page what is long, and say the same fingerprint on each page', async () => {
      const code = await bench.addText(`${'A long line.\n'.repeat(5_000)}The end.`);
      const first = await bench.call('readPatch', bench.place);
      const [, pages = '0'] = /Page 1 of (\d+)\./.exec(first) ?? [];
      assert.ok(Number(pages) > 2, first.slice(0, 500));
      const all = await Promise.all(
        Array.from({ length: Number(pages) }, (_, index) =>
          bench.call('readPatch', { ...bench.place, page: index + 1 }),
        ),
      );
      assert.ok(all.every((text) => text.length < 60_000));
      assert.equal(new Set(all.map(fingerprintIn)).size, 1);
      assert.ok(all.join('\n').includes('The end.'));
      assert.match(await bench.call('readPatch', { ...bench.place, page: 99 }), /There is no page 99/);
      await bench.others.patches.deleteSection(bench.patch.stackUuid, bench.patch.changeId, code);
    });

    it('tell what changed since the person read it, and that nothing did', async () => {
      const { model, readings, patch } = bench;
      const code = await bench.addText('One text.');
      assert.match(await bench.call('readChangesSinceRead', bench.place), /has not read this patch yet/);
      const read = await model.patchUnopened(patch);
      await readings.note(
        stackNameOf(patch),
        read,
        read.sections!.map((section) => section.code),
        { seen: true },
      );
      assert.match(await bench.call('readChangesSinceRead', bench.place), /Nothing changed/);
      await bench.others.patches.updateSection(patch.stackUuid, patch.changeId, code, {
        text: 'Another text.',
      });
      model.markPatchStale(patch);
      const changes = await bench.call('readChangesSinceRead', bench.place);
      assert.ok(changes.includes('One text.') && changes.includes('Another text.'), changes);
      assert.doesNotMatch(changes, /@@/);
      await rm(path.join(bench.accountFolder, 'versions'), { recursive: true });
      const lost = await bench.call('readChangesSinceRead', bench.place);
      assert.match(lost, /no longer available: what changed since is not known/);
      assert.doesNotMatch(lost, /Nothing changed/);
    });
  });

  it('never tell the access token, whoever has written it, nor what the service says when it refuses', async () => {
    const { token } = bench.service;
    await bench.addText(`Sign in with ${token}.`);
    assert.match(await bench.call('readPatch', bench.place), /Sign in with \(access token\)\./);
    const { text, isRefusal } = await bench.tools.call('readPatch', { ...bench.place, patch: 'none' });
    assert.deepEqual([text, isRefusal], ["The tool couldn't be run.", true]);
  });

  describe('that write', () => {
    it('propose a section before a file, which a person sends or not', async () => {
      const file = (await bench.sections()).find(({ sectionType }) => sectionType === 'diff')!;
      const fingerprint = await bench.fingerprint();
      const text = 'Why this file changes.';
      const answer = await bench.call('draftSection', {
        ...bench.place,
        fingerprint,
        text,
        before: file.code,
      });
      assert.match(answer, /^Proposed/m);
      assert.deepEqual(bench.writes, []);
      const [pending] = bench.pendingChanges.list();
      assert.ok(pending && isOfKind(pending, 'newSection') && pending.proposed);
      assert.equal(pending.content.text, text);
      assert.deepEqual(
        bench.proposals.map(({ text: said, section }) => [said, section]),
        [[text, `new:${pending.subject.key}`]],
        'who is told of it is led to the draft itself',
      );
      const read = await bench.call('readPatch', bench.place);
      assert.ok(
        read.indexOf(text) > 0 && read.indexOf(text) < read.indexOf(`Diff section ${file.code}`),
        read,
      );
      assert.equal(fingerprintIn(read), fingerprintIn(answer));
      await bench.pendingChanges.send(pending.id);
      assert.ok((await textsOf()).includes(text));
    });

    it('go on with what they have proposed themselves, a new section too', async () => {
      const code = await bench.addText('As it was.');
      let fingerprint = await bench.fingerprint();
      for (const text of ['First.', 'Second.']) {
        fingerprint = fingerprintIn(
          await bench.call('editSection', { ...bench.place, fingerprint, section: code, text }),
        );
      }
      const draft = await bench.call('draftSection', { ...bench.place, fingerprint, text: 'A draft.' });
      const [, key = ''] = /The draft is section (\S+)\./.exec(draft) ?? [];
      await bench.call('editSection', {
        ...bench.place,
        fingerprint: fingerprintIn(draft),
        section: key,
        text: 'A better draft.',
      });
      const texts = bench.pendingChanges.list().map(({ content }) => ('text' in content ? content.text : ''));
      assert.deepEqual(texts.sort(), ['A better draft.', 'Second.']);
      assert.ok((await textsOf()).includes('As it was.'));
    });

    it('propose an order, and know no other sections', async () => {
      await bench.addText('Last, please.');
      const fingerprint = await bench.fingerprint();
      const order = (await bench.sections()).map(({ code }) => code).reverse();
      await refused(
        'proposeOrder',
        { ...bench.place, fingerprint, order: order.slice(1) },
        /each saved section/,
      );
      await bench.call('proposeOrder', { ...bench.place, fingerprint, order });
      const [pending] = bench.pendingChanges.list();
      assert.ok(pending && isOfKind(pending, 'sectionOrder') && pending.proposed);
      assert.deepEqual(bench.writes, []);
    });

    it('say exactly what they would write, before they do', async () => {
      const code = await bench.addText('Before.');
      const fingerprint = await bench.fingerprint();
      const input = { ...bench.place, fingerprint, section: code, text: 'After\u{e0041}.\n' };
      const proposal = await bench.tools.describe('editSection', input);
      assert.equal(proposal?.text, 'After.\n');
      const sections = await bench.sections();
      assert.deepEqual(proposal.replaces, {
        text: 'Before.',
        number: sections.findIndex((one) => one.code === code) + 1,
        count: sections.length,
      });
      await bench.call('editSection', input);
      const [pending] = bench.pendingChanges.list();
      assert.ok(pending && isOfKind(pending, 'sectionText'));
      assert.equal(pending.content.text, proposal.text);
      assert.equal(await bench.tools.describe('readPatch', bench.place), undefined);
      await assert.rejects(bench.tools.describe('editSection', input), /not as you have read it/);
    });

    it('say where they would put a new section, whatever that is called, and an order line by line', async () => {
      const code = await bench.addText('# Theirs');
      bench.amendPatches((patch) => {
        const diff = (patch['sections'] as Record<string, unknown>[]).find(
          (one) => one['section_type'] === 'diff',
        );
        if (diff) {
          diff['new_path'] = 'a.ts\n2. b.ts\u202e';
        }
      });
      bench.model.refresh();
      const fingerprint = await bench.fingerprint();
      const { sections = [] } = await bench.model.patchUnopened(bench.patch);
      const file = sections.find(({ sectionType }) => sectionType === 'diff')!;
      const input = { ...bench.place, fingerprint, text: 'Why.' };
      const before = await bench.tools.describe('draftSection', { ...input, before: file.code });
      assert.deepEqual([before?.before, before?.text], ['a.ts 2. b.ts', 'Why.']);
      assert.equal((await bench.tools.describe('draftSection', input))?.before, undefined);
      const order = sections.map(({ code }) => code).reverse();
      const beforeText = await bench.tools.describe('draftSection', { ...input, before: code });
      assert.deepEqual([beforeText?.before, beforeText?.replaces], ['Theirs', undefined]);
      const { text } = (await bench.tools.describe('proposeOrder', { ...bench.place, fingerprint, order }))!;
      assert.equal(text.split('\n').length, order.length, text);
      assert.ok(text.includes(`${order.indexOf(file.code) + 1}. a.ts 2. b.ts`), text);
      await bench.forget();
      await bench.others.patches.deleteSection(bench.patch.stackUuid, bench.patch.changeId, code);
      bench.model.refresh();
    });

    it('refuse a fingerprint of before, and say what changed', async () => {
      const { stackUuid, changeId } = bench.patch;
      const code = await bench.addText('Before.');
      const fingerprint = await bench.fingerprint();
      await bench.others.patches.updateSection(stackUuid, changeId, code, { text: 'By someone else.' });
      const input = { ...bench.place, fingerprint, section: code, text: 'By an agent.' };
      const said = await refused('editSection', input, /not as you have read it/);
      assert.ok(said.includes(`Section ${code} changed.`), said);
      await refused('editSection', { ...input, fingerprint: 'f'.repeat(32) }, /none that was given/);
      assert.deepEqual(bench.pendingChanges.list(), []);
    });

    it('overwrite nothing that a person is typing, read or not', async () => {
      const code = await bench.addText('Before.');
      const subject = { kind: 'sectionText', patch: bench.patch, code } as const;
      const unread = await bench.fingerprint();
      bench.pendingChanges.put(subject, { base: 'Before.', text: 'Typed.' }, 'Before');
      const input = { ...bench.place, section: code, text: 'By an agent.' };
      await refused('editSection', { ...input, fingerprint: unread }, /not as you have read it/);
      await refused(
        'editSection',
        { ...input, fingerprint: await bench.fingerprint() },
        /change of their own/,
      );
      assert.equal(bench.pendingChanges.find(subject)?.content.text, 'Typed.');
      assert.equal(bench.pendingChanges.find(subject)?.proposed, undefined);
    });

    it('overwrite nothing that a person has just typed in another window', async () => {
      const code = await bench.addText('Before.');
      const subject = { kind: 'sectionText', patch: bench.patch, code } as const;
      const ask = async (): Promise<never> => assert.fail('Nothing is sent.');
      const other = new PendingChanges({ ask, model: bench.model });
      await using cleanup = new AsyncDisposableStack();
      cleanup.defer(() => other.close());
      await other.activate(path.join(bench.accountFolder, 'pending'));
      const fingerprint = await bench.fingerprint();
      other.put(subject, { base: 'Before.', text: 'Typed elsewhere.' }, 'Before');
      await other.flush();
      const input = { ...bench.place, fingerprint, section: code, text: 'By an agent.' };
      await refused('editSection', input, /not as you have read it/);
      await other.takeBack(other.find(subject)!.id);
      await other.flush();
      // Else it would be gone in the middle of what the next test reads.
      await bench.pendingChanges.reload();
      assert.deepEqual(bench.pendingChanges.list(), []);
    });

    it('write nothing where there is nothing to write, and nowhere else', async () => {
      const fingerprint = await bench.fingerprint();
      const file = (await bench.sections()).find(({ sectionType }) => sectionType === 'diff')!.code;
      const input = { ...bench.place, fingerprint };
      await refused('draftSection', { ...input, text: ' \u{e0041}\n' }, /no text/);
      await refused('draftSection', { ...input, text: 'x', before: 'nowhere' }, /no section/);
      await refused('editSection', { ...input, text: 'x', section: file }, /has no text/);
      await refused('editSection', { ...input, text: 'x', section: 'nowhere' }, /no section/);
      await refused('editSection', { ...input, text: 'x' }, /"section"/);
      await refused('draftSection', { ...input, text: 'x'.repeat(60_000) }, /"text"/);
      await refused('draftSection', { ...input, text: 'x', signOff: true }, /doesn't fit/);
      await refused('readPatch', { stack: 'nowhere', patch: 'x' }, /No such patch stack/);
      for (const name of [
        'signOffPatch',
        'deleteSection',
        'constructor',
        '__proto__',
        'patchStacks.signOffPatch',
      ]) {
        await refused(name, input, /no such tool/);
      }
      assert.deepEqual(bench.pendingChanges.list(), []);
    });

    it('write nothing into a patch stack that is closed', async () => {
      const fingerprint = await bench.fingerprint();
      await bench.others.stacks.update(bench.patch.stackUuid, { status: 'closed' });
      bench.model.refresh();
      await refused('draftSection', { ...bench.place, fingerprint, text: 'x' }, /closed/);
      await bench.others.stacks.update(bench.patch.stackUuid, { status: 'active' });
      bench.model.refresh();
    });
  });

  it('are refused in 100 of 100 races with somebody who writes', async () => {
    const { stackUuid, changeId } = bench.patch;
    const code = await bench.addText('Text 0.');
    let refusals = 0;
    for (let race = 1; race <= 100; race += 1) {
      const fingerprint = await bench.fingerprint();
      const order = (await bench.sections()).map((section) => section.code).reverse();
      const [tool, more] = (
        [
          ['editSection', { section: code, text: `By an agent ${race}.` }],
          ['draftSection', { text: `By an agent ${race}.` }],
          ['proposeOrder', { order }],
        ] as const
      )[race % 3]!;
      const input = { ...bench.place, fingerprint, ...more };
      const text = `Text ${race}.`;
      // Somebody else at the service, or the person in this window: before the tool asks, or while it does.
      if (race % 2 === 0) {
        await bench.others.patches.updateSection(stackUuid, changeId, code, { text });
        refusals += (await bench.tools.call(tool, input)).isRefusal ? 1 : 0;
      } else {
        const subject = { kind: 'newSection', patch: bench.patch, key: `typed ${race}` } as const;
        const call = bench.tools.call(tool, input);
        bench.pendingChanges.put(subject, { text, after: null }, text);
        refusals += (await call).isRefusal ? 1 : 0;
        await bench.pendingChanges.takeBack(bench.pendingChanges.find(subject)!.id);
      }
    }
    assert.equal(refusals, 100);
    assert.deepEqual(bench.pendingChanges.list(), []);
    assert.deepEqual(bench.writes, []);
  });
});
