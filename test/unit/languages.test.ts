import { getL10nJson } from '@vscode/l10n-dev';
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const readJson = (...parts: string[]): Record<string, string> =>
  JSON.parse(readFileSync(path.join(root, ...parts), 'utf8')) as Record<string, string>;
const placeholders = (text: string): string[] => (text.match(/\{\d+\}/g) ?? []).sort();

/** Every text that the code shows, as VS Code's own tool finds them. */
async function textsOfTheCode(): Promise<string[]> {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root });
  const texts = await getL10nJson(
    files.map((file) => ({
      extension: file.endsWith('x') ? '.tsx' : '.ts',
      contents: readFileSync(path.join(root, file), 'utf8'),
    })),
  );
  return Object.keys(texts).sort();
}

describe('languages', () => {
  const bundles = readdirSync(path.join(root, 'l10n')).filter((name) => name.startsWith('bundle.l10n.'));

  it('include German', () => {
    assert.ok(bundles.includes('bundle.l10n.de.json'));
  });

  for (const bundle of bundles) {
    it(`${bundle} has each text of the code, no other, with the same placeholders`, async function () {
      this.timeout(120_000);
      const translated = readJson('l10n', bundle);
      assert.deepEqual(Object.keys(translated).sort(), await textsOfTheCode());
      for (const [english, translation] of Object.entries(translated)) {
        assert.deepEqual(placeholders(translation), placeholders(english), english);
      }
    });
  }

  it('have one of a thing wherever they have several', () => {
    const texts = Object.keys(readJson('l10n', 'bundle.l10n.de.json'));
    const nouns = 'line|file|section|patch|review|key|change|commit|byte|project|stack|match';
    const several = new RegExp(`\\{\\d\\} ((?:\\w+ )?)(${nouns})(e?s)\\b( \\w+)?`, 'i');
    const missing = texts.filter((text) => {
      const [, adjective = '', noun = '', , next = ''] = several.exec(text) ?? [];
      const one = `1 ${adjective}${noun}${next === ' are' ? ' is' : next}`.toLowerCase();
      return noun !== '' && !/^move/i.test(text) && !texts.some((other) => other.toLowerCase().includes(one));
    });
    assert.deepEqual(missing, []);
  });

  it('link the same commands in package.nls.*.json as in package.nls.json', () => {
    const links = (text: string): string[] => text.match(/\(command:[^)]*\)/g) ?? [];
    const english = readJson('package.nls.json');
    for (const name of readdirSync(root).filter((file) => /^package\.nls\..+\.json$/.test(file))) {
      for (const [key, text] of Object.entries(readJson(name))) {
        assert.deepEqual(links(text), links(english[key] ?? ''), `${name}: ${key}`);
      }
    }
  });
});
