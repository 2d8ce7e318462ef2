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
