/** The words of a compared patch: each is there where it is true, and nowhere else. */
import type { Browser, Page } from 'playwright-core';
import type { BothDiffsReason } from '../../src/util/shownComparison.ts';
import type {
  ComparisonView,
  SectionComparison,
  SectionView,
  TextSectionView,
} from '../../src/protocol/patchDocument.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { expect } from '../support/expect.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';

const diff = '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n';
const file = (path: string): SectionView => ({
  type: 'diff',
  code: path,
  path,
  diff,
  diffLength: diff.length,
  diffLines: 2,
});

/** Sentences under a file of which both diffs are to be read, by the reason. */
const reasons: Record<BothDiffsReason, string> = {
  conflict: 'The author resolved a conflict here. Read this.',
  fromDiffs:
    "This file's contents aren't available, so only the diffs are compared. Changes of the base can't be told apart.",
  notAvailable:
    "This file's contents aren't available, so what changed since can't be shown. Read both diffs.",
  partlyInBase: 'Part of this change is in the base now. It may have been moved to an earlier patch.',
  noLines: 'The same lines change. What differs is the name or the mode of the file.',
  untold: "What changed since can't be shown line by line. Read both.",
};

/** Badges of a file, by what became of it. */
const badges: [text: string, became: Partial<SectionComparison>][] = [
  ['unchanged', { verdict: 'same', wasRead: false }],
  ['read', { verdict: 'same', wasRead: true }],
  ['alike as far as the diffs show', { verdict: 'same', isFromDiffs: true }],
  ['only rebased', { verdict: 'rebased' }],
];

describe('what is said of a patch that is compared', function () {
  this.timeout(120_000);
  let browser: Browser;
  let shown: PatchPage;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
    shown = await PatchPage.open(browser, patchView([file('a.ts')]));
    ({ page } = shown);
  });

  after(() => browser.close());

  /** Shows a patch of one file, of which that became. */
  async function show(
    became: Partial<SectionComparison>,
    whole: Partial<ComparisonView> = {},
  ): Promise<void> {
    await shown.show(
      patchView([file('a.ts')], {
        comparison: {
          with: { kind: 'lastRead', number: '1' },
          verdict: 'changed',
          isFromDiffs: false,
          removed: [],
          ...whole,
          sections: {
            'a.ts': { verdict: 'changed', isMoved: false, isFolded: false, wasRead: true, ...became },
          },
        },
      }),
    );
  }

  for (const reason of Object.keys(reasons) as BothDiffsReason[]) {
    it(`is why both diffs of a file are to be read: ${reason}`, async () => {
      const verdict = reason === 'conflict' ? 'conflict' : 'changed';
      await show({ verdict, both: { reason, olderDiff: diff } });
      for (const [other, sentence] of Object.entries(reasons)) {
        await expect(page.getByText(sentence)).toHaveCount(other === reason ? 1 : 0);
      }
    });
  }

  for (const [badge, became] of badges) {
    it(`is of a file that it is ${badge}`, async () => {
      await show({ ...became, isFolded: true }, { verdict: 'rebased' });
      for (const [other] of badges) {
        const count = other === badge ? 1 : 0;
        await expect(page.locator('.badge').getByText(other, { exact: true })).toHaveCount(count);
      }
    });
  }

  const versions: [says: string, versions: TextSectionView['versions']][] = [
    ['2 versions were written at the same time. This is yours.', { count: 2, isOwn: true, by: 'Ada' }],
    ['3 versions were written at the same time. This is the latest.', { count: 3, isOwn: false }],
    [
      '2 versions were written at the same time. This is the latest, by Ada.',
      { count: 2, isOwn: false, by: 'Ada' },
    ],
  ];

  it('is of a text which of its versions is shown, and that they can be decided between', async () => {
    const section: TextSectionView = { type: 'text', code: 'a', text: 'Prose.' };
    for (const [says, of] of versions) {
      await shown.show(patchView([{ ...section, ...(of && { versions: of }) }]));
      for (const [other] of versions) {
        await expect(page.getByText(other, { exact: true })).toHaveCount(other === says ? 1 : 0);
      }
      await expect(page.getByRole('button', { name: 'Resolve…' })).toHaveCount(1);
    }
    await shown.show(patchView([{ ...section, text: 'Decided.' }]));
    await expect(page.locator('section.section').filter({ hasText: 'Decided.' })).toHaveCount(1);
    await expect(page.getByText('versions were written')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Resolve…' })).toHaveCount(0);
  });

  it('is of a patch that nothing changed, where that is known', async () => {
    // It is also announced.
    const note = page.getByRole('region', { name: 'Comparison' });
    await show({ verdict: 'same', isFolded: true }, { verdict: 'unchanged' });
    await expect(note.getByText('Nothing changed.')).toHaveCount(1);
    await expect(note.getByText('Alike as far as the diffs show.')).toHaveCount(0);
    await show(
      { verdict: 'same', isFolded: true, isFromDiffs: true },
      { verdict: 'unchanged', isFromDiffs: true },
    );
    await expect(note.getByText('Alike as far as the diffs show.')).toHaveCount(1);
    await expect(note.getByText('Nothing changed.')).toHaveCount(0);
  });

  it('is of a patch in which all that changed is where its hunks are, from where they were moved and to where', async () => {
    const note = page.getByRole('region', { name: 'Comparison' });
    const between = 'Only moved: from a.ts:3 to src/b.ts:20.';
    const moved = [{ from: { path: 'a.ts', line: 3 }, to: { path: 'src/b.ts', line: 20 } }];
    await show({ verdict: 'changed', diff }, { moved });
    await expect(note.getByText(between)).toHaveCount(1);
    await show({ verdict: 'changed', diff });
    await expect(note.getByText('Sections: 1 changed.')).toHaveCount(1);
    await expect(note.getByText('Only moved')).toHaveCount(0);
  });

  for (const missing of ['untrusted', 'notOpen', 'notFetched'] as const) {
    it(`is why contents are missing, with a button where they can be had: ${missing}`, async () => {
      const lines = {
        untrusted: "Git isn't run in untrusted folders.",
        notOpen: 'To compare them, too, open a folder with the repository.',
        notFetched: "The open repository doesn't have them.",
      };
      const buttons = { untrusted: 'Manage Workspace Trust', notOpen: undefined, notFetched: 'Fetch' };
      await page.evaluate('window.asked = 0; window.answers.getContents = () => (window.asked += 1, null)');
      await show({ verdict: 'same', isFromDiffs: true, isFolded: true }, { isFromDiffs: true, missing });
      for (const [other, line] of Object.entries(lines)) {
        await expect(page.getByText(line)).toHaveCount(other === missing ? 1 : 0);
      }
      for (const [other, name] of Object.entries(buttons)) {
        if (name !== undefined) {
          await expect(page.getByRole('button', { name })).toHaveCount(other === missing ? 1 : 0);
        }
      }
      const name = buttons[missing];
      if (name !== undefined) {
        await page.getByRole('button', { name }).click();
        await expect.poll(() => page.evaluate('window.asked')).toBe(1);
      }
    });
  }

  it('is that contents are missing before how they can be had, also where ids alone tell that a file changed', async () => {
    const note = page.getByRole('region', { name: 'Comparison' });
    const lacking = note.getByText("Some files' contents aren't available.");
    const both = { reason: 'notAvailable', olderDiff: diff } as const;
    await show({ verdict: 'changed', both }, { missing: 'notOpen' });
    await expect(lacking).toHaveCount(1);
    await show({ verdict: 'changed', diff });
    await expect(note.getByText('Sections: 1 changed.')).toHaveCount(1);
    await expect(lacking).toHaveCount(0);
  });

  it('is nothing of missing contents where all are at hand', async () => {
    await show({ verdict: 'rebased', isFolded: true }, { verdict: 'rebased' });
    await expect(page.getByRole('region', { name: 'Comparison' })).toHaveCount(1);
    await expect(page.getByText('contents')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Fetch' })).toHaveCount(0);
  });

  it('is of a version that was read and is not kept that it was read, and nothing of what changed', async () => {
    const read = page.getByText('You read version 1 of this patch.');
    const changed = page.getByText('This patch changed since you read version 1.');
    await shown.show(
      patchView([file('a.ts')], { changedSince: { kind: 'lastRead', number: '1', isLost: true } }),
    );
    await expect(read).toHaveCount(1);
    await expect(changed).toHaveCount(0);
    await shown.show(patchView([file('a.ts')], { changedSince: { kind: 'lastRead', number: '1' } }));
    await expect(changed).toHaveCount(1);
    await expect(read).toHaveCount(0);
    await shown.show(patchView([file('a.ts')], { changedSince: { kind: 'lastRead', isLost: true } }));
    await expect(page.getByText('You read an earlier version of this patch.')).toHaveCount(1);
    await shown.show(patchView([file('a.ts')]));
    await expect(page.getByText('You read')).toHaveCount(0);
  });
});
