import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { Patch, PatchSection } from '../../../src/api/types/patches.ts';
import { comparePatch } from '../../../src/git/comparePatch.ts';
import type { Model } from '../../../src/model/model.ts';
import { versionOf, type PatchVersion } from '../../../src/model/reading/patchVersion.ts';
import { Readings } from '../../../src/model/reading/readings.ts';
import { stackNameOf } from '../../../src/model/reading/stackName.ts';
import { Comparing, type ComparingContext, type ComparingView } from '../../../src/patch/comparing.ts';
import type { Log } from '../../../src/ui/log.ts';
import { gone } from '../../support/unavailable.ts';

const ref = { projectId: '1', branchId: 'topic', stackUuid: 's', changeId: 'I1' };
const text = (code: string, words: string): PatchSection => ({
  sectionType: 'text',
  code,
  identifier: code,
  text: words,
});
const file = (name: string, line: string) => ({
  sectionType: 'diff' as const,
  code: name,
  identifier: name,
  newPath: name,
  diffPatch: `--- a/${name}\n+++ b/${name}\n@@ -1,3 +1,4 @@\n at the beginning\n before it\n+${line}\n after it\n`,
});
const patch = (version: string, ...sections: PatchSection[]): Patch => ({
  changeId: 'I1',
  title: 'Title',
  version,
  contributors: [],
  sections,
});

describe('the version that a document is compared with', () => {
  let folder: string;
  let readings: Readings | undefined;
  let warnings: string[];
  let comparisons: number;
  let comparing: Comparing;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-comparing-'));
    readings = makeReadings('one');
    warnings = [];
    comparisons = 0;
    comparing = new Comparing({
      model: {
        located: (place: typeof ref) => place,
        stacks: () => Promise.resolve({ value: [], asOf: new Date() }),
      } as unknown as Model,
      readings: () => Promise.resolve(readings),
      compareVersions: (versions) => {
        comparisons += 1;
        return comparePatch([], versions, folder);
      },
      contentSources: { whyMissing: async () => 'notOpen' },
      log: { warn: (line: string) => warnings.push(line) } as unknown as Log,
    });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const makeReadings = (account: string): Readings =>
    new Readings({ folder: path.join(folder, account), limit: () => 1_000_000, onFailure: assert.ifError });
  const read = async (of: Patch, ...codes: string[]): Promise<void> =>
    readings?.note(stackNameOf(ref), of, codes, { seen: true });
  const view = async (of: Patch, place = ref): Promise<ComparingView> => {
    const [reading] = (await readings?.states(stackNameOf(ref), [of])) ?? [];
    return comparing.view(place, of, reading);
  };
  /** The verdict on each section, and whether it is folded away. */
  const shown = ({ comparison }: ComparingView): Record<string, string> | undefined =>
    comparison &&
    Object.fromEntries(
      Object.entries(comparison.sections).map(([code, { verdict, isFolded }]) => [
        code,
        isFolded ? `${verdict}, folded` : verdict,
      ]),
    );
  const first = patch('1', text('t', 'one'), file('a.ts', 'first'), file('b.ts', 'second'));
  const second = patch('2', text('t', 'one'), file('a.ts', 'another'), file('b.ts', 'second'));

  it('is the one that was read last, where files have changed since', async () => {
    assert.deepEqual(await view(first), {});
    await read(first, 't', 'a.ts', 'b.ts');
    assert.deepEqual(await view(first), {});
    comparing = another();
    const compared = await view(second);
    assert.deepEqual(shown(compared), { t: 'same, folded', 'a.ts': 'changed', 'b.ts': 'same, folded' });
    assert.deepEqual(compared.comparison?.with, { kind: 'lastRead', number: '1' });
  });

  it('is the one that was read last where only texts of somebody else have changed within a version', async () => {
    const by = (of: Patch, ...ids: (string | undefined)[]): Patch => ({
      ...of,
      contributors: ids.map((id) => (id === undefined ? { text: 'someone' } : { user: { id } })),
    });
    await read(first, 't', 'a.ts', 'b.ts');
    const reworded = patch('1', text('t', 'two'), file('a.ts', 'first'), file('b.ts', 'second'));
    const isCompared = async (of: Patch, me?: string): Promise<boolean> => {
      const model = {
        located: (place: typeof ref) => place,
        ...(me && { me: { id: me, login: `login of ${me}` } }),
      };
      comparing = another(undefined, { model: model as unknown as Model });
      return (await view(of)).comparison !== undefined;
    };
    assert.equal(await isCompared(by(reworded, 'emmy'), 'ada'), true);
    assert.equal(await isCompared(by(reworded, 'emmy', 'ada'), 'ada'), false);
    assert.equal(await isCompared(by(reworded, 'emmy', undefined), 'ada'), false);
    assert.equal(await isCompared(by(reworded), 'ada'), false);
    assert.equal(await isCompared(by(reworded, 'emmy')), false);
  });

  it('is none where only texts have changed within a version, which is said', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    const reworded = patch('1', text('t', 'two'), file('a.ts', 'first'), file('b.ts', 'second'));
    assert.deepEqual(await view(reworded), { changedSince: { kind: 'lastRead' } });
    const rewritten = patch('1', text('t', 'two'), file('a.ts', 'another'), file('b.ts', 'second'));
    comparing = another();
    assert.equal((await view(rewritten)).comparison?.with.number, undefined);
    comparing = another();
    const shorter = patch('1', text('t', 'one'), file('a.ts', 'first'));
    assert.equal((await view(shorter)).comparison?.removed.length, 1);
  });

  it('is none where all is read, or only a text is gone within a version', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    const shorter = patch('1', file('a.ts', 'first'), file('b.ts', 'second'));
    assert.deepEqual(await view(shorter), { changedSince: { kind: 'lastRead' } });
    await read(second, 'a.ts');
    comparing = another();
    assert.deepEqual(await view(second), {});
  });

  it('shows whole what was not read in it', async () => {
    await read(first, 't', 'a.ts');
    await read(second, 't');
    const third = patch('3', text('t', 'one'), file('a.ts', 'a third'), file('b.ts', 'second'));
    assert.equal(await comparing.compareWith(ref, third, { kind: 'lastRead' }), true);
    assert.deepEqual(shown(await view(third)), { t: 'same, folded', 'a.ts': 'changed', 'b.ts': 'same' });
  });

  it('says why contents are missing where it lacks them, and compares again once there may be more', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    const compared = await view(second);
    assert.deepEqual([compared.comparison?.isFromDiffs, compared.comparison?.missing], [true, 'notOpen']);
    assert.equal((await view(second)).comparison, compared.comparison);
    comparing.compareAgain();
    assert.notEqual((await view(second)).comparison, compared.comparison);
    assert.deepEqual(
      (await comparing.compared(second))?.map(({ title }) => title),
      ['Title', 'Title'],
    );
    const texts = [patch('1', text('t', 'one')), patch('2', text('t', 'two'))] as const;
    await read(texts[0], 't');
    comparing = another();
    assert.equal('missing' in ((await view(texts[1])).comparison ?? {}), false);
    comparing = another();
    assert.equal(await comparing.compared(second), undefined);
  });

  it('folds away what was only rebased, and shows the patch so at once', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    const [why, code, more] = first.sections!;
    const moved = {
      ...code!,
      diffPatch: file('a.ts', 'first').diffPatch.replace('at the beginning', 'of the base'),
    };
    comparing = another(async (versions) => {
      const shown = await comparePatch([], versions, folder);
      const sections = shown.sections.map((section, index) =>
        index === 1 ? { ...section, verdict: 'rebased' as const } : section,
      );
      return { ...shown, sections };
    });
    const rebased = patch('2', why!, moved, more!);
    assert.equal((await readings?.states(stackNameOf(ref), [rebased]))?.[0]?.state, 'alike');
    assert.deepEqual(shown(await view(rebased)), {
      t: 'same, folded',
      'a.ts': 'rebased, folded',
      'b.ts': 'same, folded',
    });
  });

  it('says where in the patch that was what is gone from it', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    const more = patch('2', text('t', 'one'), file('a.ts', 'first'), text('u', 'new words'));
    const { comparison } = await view(more);
    assert.deepEqual(
      comparison?.removed.map(({ kind, after }) => [kind, after]),
      [['diff', 'a.ts']],
    );
    comparing = another();
    const { comparison: begun } = await view(patch('2', file('b.ts', 'second'), file('a.ts', 'another')));
    assert.deepEqual(
      begun?.removed.map(({ kind, after }) => [kind, after]),
      [['text', null]],
    );
  });

  it('has its sections by their codes, also when those are others', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    await view(second);
    const [, ...files] = second.sections!;
    const again = patch('2', { ...text('t', 'one'), code: 'again' }, ...files);
    assert.deepEqual(Object.keys(shown(await view(again)) ?? {}), ['again', 'a.ts', 'b.ts']);
  });

  it('is what git has of it where nobody else has it any more, and that is said', async () => {
    const numbered = (of: Patch): Patch => ({ ...of, commitSha: `commit ${of.version}` });
    const summary = { ...numbered(first) };
    delete summary.sections;
    const git: PatchVersion = { ...versionOf(first), sections: [] };
    comparing = another(undefined, {
      model: {
        located: (place: typeof ref) => place,
        stacks: () =>
          Promise.resolve({
            value: [{ uuid: 'one', branchId: 'topic', patches: [summary] }],
            asOf: new Date(),
          }),
        patchUnopened: () => Promise.reject(gone),
      } as unknown as Model,
      ofCommit: (sha) => Promise.resolve(sha === 'commit 1' ? git : undefined),
    });
    const now = numbered(second);
    assert.equal(await comparing.compareWith(ref, now, { kind: 'version', stackUuid: 'one' }), true);
    const compared = await view(now);
    assert.deepEqual(compared.comparison?.with, { kind: 'version', number: '1', isFromGit: true });
    assert.deepEqual(shown(compared), { t: 'same, folded', 'a.ts': 'changed', 'b.ts': 'same, folded' });
  });

  it('folds what did not change since it was signed off, whatever was read of it', async () => {
    await readings?.noteReview(stackNameOf(ref), first, 'signedOff');
    assert.equal(await comparing.compareWith(ref, second, { kind: 'signedOff' }), true);
    assert.deepEqual(shown(await view(second)), {
      t: 'same, folded',
      'a.ts': 'changed',
      'b.ts': 'same, folded',
    });
  });

  it('is another version wherever the server gives versions no numbers', async () => {
    const unnumbered = ({ sections = [] }: Patch): Patch => {
      const one: Patch = patch('', ...sections);
      delete one.version;
      return one;
    };
    await read(unnumbered(first), 't', 'a.ts', 'b.ts');
    const reworded = patch('', text('t', 'two'), file('a.ts', 'first'), file('b.ts', 'second'));
    assert.equal(shown(await view(unnumbered(reworded)))?.['t'], 'changed');
  });

  it('stays what the person chose, until they read another patch', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    await view(second);
    assert.equal(await comparing.compareWith(ref, second, undefined), true);
    assert.deepEqual(await view(second), { changedSince: { kind: 'lastRead', number: '1' } });
    assert.equal(await comparing.compareWith(ref, second, { kind: 'lastRead' }), true);
    const { comparison } = await view(second);
    assert.equal(comparison?.with.kind, 'lastRead');
    // Asked again for the same, it is the same.
    assert.equal((await view(second)).comparison, comparison);
    assert.equal(comparisons, 2);
    const third = patch('3', text('t', 'one'), file('a.ts', 'a third'), file('b.ts', 'second'));
    assert.deepEqual(shown(await view(third)), {
      t: 'same, folded',
      'a.ts': 'changed',
      'b.ts': 'same, folded',
    });
    assert.notEqual((await view(third)).comparison, comparison);
    const other = { ...ref, changeId: 'I2' };
    assert.deepEqual(await view({ ...first, changeId: 'I2' }, other), {});
  });

  it('stays what the person chose last, whatever looks and choices that began before end after it', async () => {
    // What may be the person's own is compared before it is known what is shown.
    const rewritten = patch('1', text('t', 'one'), file('a.ts', 'another'), file('b.ts', 'second'));
    await read(first, 't', 'a.ts', 'b.ts');
    await readings?.noteReview(stackNameOf(ref), patch('1', text('t', 'one')), 'signedOff');
    const [reading] = (await readings?.states(stackNameOf(ref), [rewritten])) ?? [];
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const look = (): Promise<ComparingView> => comparing.view(ref, rewritten, reading);
        comparing = another(
          scheduler.scheduleFunction((versions) => comparePatch([], versions, folder)),
          { readings: scheduler.scheduleFunction(() => Promise.resolve(readings)) },
        );
        const begun: Promise<unknown>[] = [look(), look()];
        const choices = scheduler.scheduleSequence(
          [{ kind: 'signedOff' } as const, undefined].map((baseline) => async () => {
            begun.push(look(), comparing.compareWith(ref, rewritten, baseline).then(look));
          }),
        );
        await scheduler.waitFor(choices.task);
        await scheduler.waitFor(Promise.all(begun));
        assert.deepEqual(await scheduler.waitFor(look()), { changedSince: { kind: 'lastRead' } });
      }),
      { numRuns: 60 },
    );
    assert.deepEqual(warnings, []);
  });

  it('is left as it is when another one is not to be had', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    const before = await view(second);
    assert.equal(await comparing.compareWith(ref, second, { kind: 'signedOff' }), false);
    assert.deepEqual(await view(second), before);
  });

  it('is left as it is when it cannot be compared with another one', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    await readings?.noteReview(stackNameOf(ref), patch('1', text('t', 'one')), 'signedOff');
    let isBroken = false;
    comparing = another((versions) =>
      isBroken ? Promise.reject(new Error('out of memory')) : comparePatch([], versions, folder),
    );
    const before = await view(second);
    isBroken = true;
    await assert.rejects(comparing.compareWith(ref, second, { kind: 'signedOff' }), /out of memory/);
    assert.deepEqual(await view(second), before);
  });

  it('is begun anew for another account: no one is told what someone else has read', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    assert.ok((await view(second)).comparison);
    readings = makeReadings('two');
    assert.deepEqual(await view(second), {});
    readings = undefined;
    assert.deepEqual(await view(second), {});
  });

  it('is not what a look for the account before finds in the end', async () => {
    const rewritten = patch('1', text('t', 'one'), file('a.ts', 'another'), file('b.ts', 'second'));
    await read(first, 't', 'a.ts', 'b.ts');
    const held = Promise.withResolvers<() => void>();
    comparing = another(async (versions) => {
      await new Promise<void>((goOn) => held.resolve(goOn));
      return comparePatch([], versions, folder);
    });
    const ofOne = view(rewritten);
    const goOn = await held.promise;
    readings = makeReadings('two');
    // Has it begin anew for the account, and chooses nothing.
    assert.equal(await comparing.compareWith(ref, rewritten, { kind: 'signedOff' }), false);
    goOn();
    await ofOne;
    assert.deepEqual(await view(rewritten), {});
  });

  it('is not what was chosen for the account before', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    const held = Promise.withResolvers<() => void>();
    comparing = another(async (versions) => {
      await new Promise<void>((goOn) => held.resolve(goOn));
      return comparePatch([], versions, folder);
    });
    const chosen = comparing.compareWith(ref, second, { kind: 'lastRead' });
    const goOn = await held.promise;
    readings = makeReadings('two');
    assert.deepEqual(await view(second), {});
    goOn();
    await chosen;
    assert.deepEqual(await view(second), {});
  });

  it('leaves the patch to be read as it is when it cannot be compared, and the log says why', async () => {
    await read(first, 't', 'a.ts', 'b.ts');
    comparing = another(() => Promise.reject(new Error('out of memory')));
    assert.deepEqual(await view(second), {});
    assert.deepEqual(warnings, ['A patch could not be compared: Error: out of memory']);
    // It isn't tried again each time that the page is shown.
    assert.deepEqual(await view(second), { changedSince: { kind: 'lastRead', number: '1' } });
    assert.equal(warnings.length, 1);
  });

  /** That of another document. */
  function another(
    compareVersions: ComparingContext['compareVersions'] = (versions) => comparePatch([], versions, folder),
    more: Partial<ComparingContext> = {},
  ): Comparing {
    return new Comparing({
      model: { located: (place: typeof ref) => place } as unknown as Model,
      readings: () => Promise.resolve(readings),
      compareVersions,
      contentSources: { whyMissing: async () => 'notOpen' },
      log: { warn: (line: string) => warnings.push(line) } as unknown as Log,
      ...more,
    });
  }
});
