/** Texts that are made to take time: each has so many milliseconds of the processor, and what shows them stays alive. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { maskLog } from '../../src/feedback/maskLog.ts';
import { sectionRecord } from '../../src/service/wire.ts';
import { Database } from '../../src/service/storage/database.ts';
import type { TextSectionView } from '../../src/protocol/patchDocument.ts';
import { sectionTitle } from '../../src/util/sectionTitle.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { buildExtension } from '../../tools/build.ts';
import { PatchPage, patchView } from '../support/patchPage.ts';
import { Trial, type Attack } from './attack.ts';

/** Milliseconds of the processor for a text that is matched, and of one turn of a page that shows one. */
const matchLimit = 100;
const turnLimit = 1000;

function textSection(text: string): TextSectionView {
  return { type: 'text', code: 't1', title: 'Text', text };
}

const matches: Record<string, () => void> = {
  'a section of a million blank lines, its title in the local service': () => {
    const section = { section_type: 'text', text: '\n'.repeat(1_000_000) };
    const view = { database: new Database(':memory:') };
    sectionRecord(...([view, { ...section, versions: null }] as unknown as Parameters<typeof sectionRecord>));
  },
  'a section of a million blank lines, its title in the window': () =>
    void sectionTitle('\n'.repeat(1_000_000)),
  'a heading with 3,000 blanks in it': () => void sectionTitle(`# Overview${' '.repeat(3000)}words`),
  'a heading with 100,000 blanks in it': () => void sectionTitle(`# Overview${' '.repeat(100_000)}words`),
  'a line of 100,000 characters in the log': () => void maskLog('-a'.repeat(50_000), ['secret'], '/home/ada'),
};

const pages: Record<string, string> = {
  '<div> in each other': '<div>'.repeat(50_000),
  '<b> in each other': '<b>'.repeat(50_000),
  '<blockquote> in each other': '<blockquote>'.repeat(50_000),
  'quotes in each other': '> '.repeat(50_000),
  'elements that are never closed, before many paragraphs': `${'<b id=x>'.repeat(40)}\n\n${'word\n\n'.repeat(8_000)}`,
  '10,000 footnotes': Array.from({ length: 10_000 }, (_, index) => `a[^${index}]\n\n[^${index}]: b\n\n`).join(''),
  'footnotes in the text': '^[a'.repeat(20_000),
  'a table of 10,000 columns': `${'|a'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|\n${'|b'.repeat(10_000)}|`,
  '50,000 references': 'a/b.ts#L1 '.repeat(50_000),
  'conflicts that begin': '<<<<<<< earlier\n'.repeat(20_000),
  'conflicts in a list': `- a\n${'<<<<<<< earlier\nb\n=======\n'.repeat(10_000)}`,
  'brackets that open': '['.repeat(50_000),
  'comments that open': '<!--'.repeat(20_000),
  'sections of characters that open': 'a<![CDATA['.repeat(8_000),
  'marks of emphasis': '**a'.repeat(30_000),
  addresses: 'a@b.c '.repeat(15_000),
  'a million blank lines': '\n'.repeat(1_000_000),
  'a million characters of prose': `${'Some words of prose. '.repeat(20)}\n\n`.repeat(2_500),
}; // prettier-ignore

export const attacks: readonly Attack[] = [
  {
    name: 'budget: texts that are matched',
    async run() {
      const trial = new Trial();
      for (const [what, attempt] of Object.entries(matches)) {
        await trial.try(what, () => {
          const before = process.cpuUsage();
          attempt();
          const { user, system } = process.cpuUsage(before);
          trial.took(what, (user + system) / 1000, matchLimit);
        });
      }
      return trial;
    },
  },
  {
    name: 'budget: texts that are shown',
    onlyInFull: true,
    async run() {
      const trial = new Trial();
      await buildExtension();
      const browser = await launchBrowser();
      try {
        for (const [what, text] of Object.entries(pages)) {
          await trial.try(what, async () => {
            const shown = await PatchPage.open(browser, patchView([]));
            try {
              const view = patchView([textSection(text)], { title: what });
              const opening = await longestTurn(shown, () => shown.show(view));
              trial.took(`${what}, opened`, opening, turnLimit);
              const anyway = shown.page.getByRole('button', { name: 'Show Anyway' });
              if ((await anyway.count()) > 0) {
                const showing = await longestTurn(shown, () => anyway.first().click());
                trial.took(`${what}, shown anyway`, showing, turnLimit);
              }
            } finally {
              await shown.close();
            }
          });
        }
      } finally {
        await browser.close();
      }
      return trial;
    },
  },
];

/** An event that Chromium has noted, as far as it matters here. */
interface Noted {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the processor, where it is a piece of work. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Milliseconds of the processor that the longest turn of a page takes, from when something is begun until nothing more is drawn. */
async function longestTurn({ page }: PatchPage, begin: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  assert.ok(browser);
  await browser.startTracing(page, {
    categories: ['-*', 'toplevel', 'disabled-by-default-devtools.timeline'],
  });
  let trace: Buffer;
  try {
    await begin();
    await untilDrawn(page);
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: Noted[] };
  const place = ({ pid, tid }: Noted): string => `${pid} ${tid}`;
  const ofPages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(place),
  );
  const turns = traceEvents.flatMap((event) =>
    event.name === 'RunTask' && ofPages.has(place(event)) ? (event.tdur ?? []) : [],
  );
  assert.ok(turns.length > 0, 'no turn was noted');
  return Math.max(...turns) / 1000;
}

/** Waits until nothing more is drawn. */
async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    let before = -1;
    while (document.body.innerHTML.length !== before) {
      before = document.body.innerHTML.length;
      for (let frame = 0; frame < 3; frame++) {
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }
    }
  });
}
