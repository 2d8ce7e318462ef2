/** Holds the names and keys that the help, the walkthrough and the papers tell people against those that the product has. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import type { Deed } from '../../src/contributions.ts';
import type { KindName } from '../../src/model/pending/kinds/index.ts';
import { keyLabel } from '../../src/util/keyLabel.ts';

const root = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, root), 'utf8');
const texts = (name: string): Record<string, string> => JSON.parse(read(name)) as Record<string, string>;

interface Step {
  title: string;
  completionEvents: string[];
}

interface Manifest {
  contributes: {
    commands: { command: string; title: string }[];
    keybindings: { command: string; key: string }[];
    walkthroughs: { steps: Step[] }[];
  };
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const english = texts('package.nls.json');
const german = texts('package.nls.de.json');
const bundle = texts('l10n/bundle.l10n.de.json');
const sources = (pattern: string): string => globSync(pattern, { cwd: root }).map(read).join('\n');
const pages = sources('src/webview/**/*.{ts,tsx}');

/** The texts that code shows, in English. */
const shownBy = (code: string): string[] =>
  [...code.matchAll(/l10n\.t\(\s*'([^']+)'/g)].map(([, text = '']) => text);
const onPages = new Set([...shownBy(pages), ...Object.values(english)]);
const inDocument = new Set([
  ...shownBy(sources('src/webview/patchDocument/**/*.tsx')),
  english['extension.displayName'],
]);

/** Every text in English with its translations. */
const translations = new Map<string, string[]>();
for (const [text, translation] of [
  ...Object.entries(bundle),
  ...Object.entries(english).map(([key, text]) => [text, german[key] ?? ''] as const),
]) {
  translations.set(text, [...(translations.get(text) ?? []), translation]);
}

const all = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map((found) => found.slice(1).find(Boolean) ?? found[0]);

/** The keys of commands, and those that a page listens to itself, as people read them. */
const keys = new Set([
  ...manifest.contributes.keybindings.map(({ key }) => keyLabel(key)),
  ...['Ctrl+Enter', 'Ctrl+Z', 'Shift+Tab'],
]);
const keysIn = (text: string): string[] => text.match(/\b(?:(?:Ctrl|Shift|Alt)\+)+\w+|\bF\d+\b/g) ?? [];

const germanKeys: readonly (readonly [RegExp, string])[] = [
  [/Shift\+/, 'Umschalt+'],
  [/Ctrl\+/, 'Strg+'],
  [/PageDown$/, 'Bild ab'],
  [/PageUp$/, 'Bild auf'],
  [/Up$/, 'Pfeil nach oben'],
  [/Down$/, 'Pfeil nach unten'],
];
const inGerman = (key: string): string =>
  germanKeys.reduce((name, [part, translation]) => name.replace(part, translation), key);

/** Fails unless both texts have the same names of what there is, each as it is on screen in that language. */
function holdNames(
  there: ReadonlySet<string | undefined>,
  text: string,
  names: string[],
  translatedNames: string[],
): void {
  assert.deepEqual(
    names.filter((name) => !there.has(name)),
    [],
    text,
  );
  assert.equal(translatedNames.length, names.length, text);
  names.forEach((name, index) =>
    assert.ok(translations.get(name)?.includes(translatedNames[index] ?? ''), `${name} in German: ${text}`),
  );
}

const quoted = (text: string): string[] => all(/"([^"]+)"|„([^“]+)“/g, text);
const title = (command: string): string | undefined =>
  manifest.contributes.commands.find((one) => one.command === command)?.title.slice(1, -1);

describe('the walkthrough', () => {
  const told = Object.entries(english).filter(([key]) => /^walkthrough\..*\.description$/.test(key));
  const [{ steps }] = manifest.contributes.walkthroughs as [{ steps: Step[] }];

  it('tells of names and keys that there are, in both languages', () => {
    assert.ok(told.length >= steps.length);
    const bold = (text: string): string[] => all(/\*\*([^*]+)\*\*/g, text);
    assert.ok(told.flatMap(([, text]) => bold(text)).length > 2);
    for (const [key, text] of told) {
      const translation = german[key] ?? '';
      holdNames(onPages, text, bold(text), bold(translation));
      for (const pressed of keysIn(text)) {
        assert.ok(keys.has(pressed), `${pressed}: ${text}`);
        assert.ok(translation.includes(inGerman(pressed)), `${inGerman(pressed)}: ${translation}`);
      }
    }
  });

  it('has buttons with the titles of their commands', () => {
    for (const texts of [english, german]) {
      for (const [, label, command = ''] of told.flatMap(([key]) => [
        ...(texts[key] ?? '').matchAll(/\[([^\]]+)\]\(command:(\S+)\)/g),
      ])) {
        const key = title(command);
        // To show a view is VS Code's own.
        assert.ok(
          key === undefined ? command.endsWith('.focus') : texts[key] === label,
          `${label}: ${command}`,
        );
      }
    }
  });

  it('ticks a step for each deed that is noted, and no other', () => {
    // The compiler knows them all, and that each is noted: as a kind of change that was sent, or by a document.
    const deeds: Record<Deed, true> = {
      read: true,
      readChanges: true,
      sectionText: true,
      sectionOrder: true,
      signOff: true,
    };
    const noted: readonly (KindName | 'read' | 'readChanges')[] = Object.keys(deeds) as Deed[];
    const ticked = steps.flatMap(({ completionEvents }) =>
      all(/patchStacks\.done\.(\w+)/g, completionEvents.join()),
    );
    assert.deepEqual(ticked, [...noted]);
    assert.deepEqual(
      steps.filter(({ completionEvents }) => completionEvents.length === 0),
      [],
    );
  });
});

describe('the help for people with a screen reader', () => {
  it('tells of names that the pages have, in both languages', () => {
    const help = Object.keys(bundle).filter((text) => read('src/patch/accessibilityHelp.ts').includes(text));
    assert.ok(help.length > 10);
    assert.ok(help.flatMap(quoted).length > 4);
    for (const text of help) {
      holdNames(inDocument, text, quoted(text), quoted(bundle[text] ?? ''));
    }
  });

  it('tells of keys that the pages listen to', () => {
    const listened: Record<string, RegExp> = {
      Left: /\bArrowLeft\b/,
      Right: /\bArrowRight\b/,
      Up: /\bArrowUp\b/,
      Down: /\bArrowDown\b/,
      Home: /\bHome\b/,
      End: /\bEnd\b/,
      Enter: /event\.key === 'Enter'/,
      Escape: /event\.key === 'Escape'/,
      N: /\bn: 'next'/,
      P: /\bp: 'previous'/,
    };
    const told = all(/l10n\.t\(\s*['"](.+)['"],?/g, read('src/patch/accessibilityHelp.ts')).join('\n');
    const named = new Set(
      told.match(
        /\b(?:Left|Right|Up|Down|Home|End|Enter|Escape|[A-Z](?= and [A-Z]\b)|(?<=\b[A-Z] and )[A-Z])\b/g,
      ),
    );
    assert.ok(named.has('Left') && named.has('N') && named.has('P'));
    assert.deepEqual(
      [...named].filter((key) => listened[key]?.test(pages) !== true),
      [],
    );
  });

  it('has the commands of the view with their titles and keys, in both languages', () => {
    for (const texts of [english, german]) {
      const help = texts['view.stacks.accessibilityHelp'] ?? '';
      const commands = all(/<keybinding:([\w.]+)>/g, help);
      assert.ok(commands.length > 5);
      for (const command of commands) {
        assert.ok(
          manifest.contributes.keybindings.some((one) => one.command === command),
          command,
        );
      }
      const named = [...help.matchAll(/(?:"([^"]+)"|„([^“]+)“)<keybinding:([\w.]+)>/g)];
      assert.equal(named.length, quoted(help).length);
      for (const [, straight, curly, command = ''] of named) {
        assert.equal(straight ?? curly, texts[title(command) ?? '']);
      }
    }
  });
});

describe('the papers for those who use the extension', () => {
  const known = [...Object.values(english), ...Object.keys(bundle)];

  for (const paper of ['README.md', 'docs/marketplace.md', 'docs/sharing.md', 'docs/agents.md']) {
    it(`${paper} tells of names and keys that there are`, () => {
      const text = read(paper).replaceAll(/^```[^]*?^```/gm, '');
      const names = all(
        /(?<![\w`])_([A-Z][^_`]+)_(?![\w`])|(?:[Ss]elect|\brun)\s+(?:the )?\*\*([^*]+)\*\*/g,
        text,
      );
      assert.ok(names.length > 0);
      assert.deepEqual(
        names.filter((name) => !known.some((one) => one.replace(/…$/, '') === name.replace(/…$/, ''))),
        [],
      );
      const pressed = all(/`([^`\n]+)`/g, text).flatMap(keysIn);
      assert.deepEqual(
        pressed.filter((key) => !keys.has(key)),
        [],
      );
    });
  }
});
