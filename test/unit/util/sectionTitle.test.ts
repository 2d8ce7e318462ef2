import assert from 'node:assert/strict';
import { sectionTitle } from '../../../src/util/sectionTitle.ts';

describe('the title of a text section', () => {
  const examples: [markdown: string, title: string | undefined][] = [
    ['# Why\n\nBecause.', 'Why'],
    ['Some words first.\n\n## Why it *matters* ##', 'Why it matters'],
    ['Why\n===\n\nBecause.', 'Why'],
    ['```sh\n# not a heading\n```\n\n### A heading', 'A heading'],
    ['```sh\n# not a heading', '# not a heading'],
    ['\n\n- [ ] see **this** `thing`\n- that', 'see this thing'],
    ['#hashtag\nmore', '#hashtag'],
    ['See [the docs](https://example.org).', 'See the docs.'],
    ['snake_case_name', 'snake_case_name'],
    ['# Why $a_1*b*c$ and **$`x^2`$** are *so*', 'Why a_1*b*c and x^2 are so'],
    ['# $$\\frac{a}{b}$$', '\\frac{a}{b}'],
    ['# For $5 and $6, `$x$` or $ x $', 'For $5 and $6, $x$ or $ x $'],
    ['# `a *b* c` and ``d``', 'a *b* c and d'],
    ['# US$1 and 2$ \u{e000}$x$', 'US$1 and 2$ x'],
    ['- a\n---\nb', 'a'],
    ['  \n\t\n', undefined],
    ['', undefined],
    ['x'.repeat(200), 'x'.repeat(120)],
  ];
  for (const [markdown, title] of examples) {
    it(`of ${JSON.stringify(markdown.slice(0, 50))} is ${title?.slice(0, 30) ?? 'unknown'}`, () => {
      assert.equal(sectionTitle(markdown), title);
    });
  }
});
