import { getL10nJson } from '@vscode/l10n-dev';
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
const readJson = (...parts: string[]): Record<string, string> =>
  JSON.parse(readFileSync(path.join(root, ...parts), 'utf8')) as Record<string, string>;
const placeholders = (text: string): string[] => (text.match(/\{\d+\}/g) ?? []).sort();

/**
 * Every text that the code shows, as VS Code's own tool finds them. It reads anew for each file, and for each import there, what it
 * looks for, which takes longer than to look: so it is given one file of each kind, with every import once.
 */
async function textsOfTheCode(): Promise<string[]> {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root });
  const joined = ['.ts', '.tsx'].map((extension) => {
    const imports = new Set<string>();
    const bodies = files
      .filter((file) => path.extname(file) === extension)
      .map((file) =>
        readFileSync(path.join(root, file), 'utf8').replaceAll(
          /^import .* from '(?:vscode|@vscode\/l10n)';$/gm,
          (line) => {
            imports.add(line);
            return '';
          },
        ),
      );
    return { extension, contents: [...imports, ...bodies].join('\n') };
  });
  return Object.keys(await getL10nJson(joined)).sort();
}

/** Words that no one writes in VS Code, and those that they write there instead. */
const unEnglish: [wrong: RegExp, right: string][] = [
  [/\bType (an?|the|in|what|your)\b/, 'Enter a …, for text boxes'],
  [
    /\bChoose\b(?!.*\b([Ff]iles?|[Ii]mage|Public SSH Key|which version)\b)/,
    'Select a …, but for dialogs of files',
  ],
  [/(?<!\bprofile )\bpictures?\b/i, 'image, or profile picture'],
  [/\b(no longer|not) good\b/, 'has expired, or isn’t valid'],
  [/\b(some|any|every|no)body\b/i, 'someone, anyone, everyone, no one'],
  [
    /\b(mend|whoever|meanwhile|all the same|otherwise than|shall|begun|by now|any more)\b/i,
    'plain modern English',
  ],
  [/\b(is|are|was|has|have) no\b(?! (one|longer))/, 'isn’t a …, doesn’t have a …, or No …'],
  [/\b(can|do|does|did|is|are|was|were|has|have|could|would|should) ?not\b/i, 'can’t, doesn’t, isn’t …'],
  [/(?<![./"])\bgit\b/, 'Git'],
  [/[“”‘’]/, 'straight quotes'],
  [/\bids?\b/, 'ID'],
  [/\b(services?|machine)\b/i, 'server, computer'],
  [/\be-mail\b/i, 'email'],
  [/\bblanks?\b(?=.)|\bwhite space\b/, 'spaces, whitespace'],
  [
    /^(The|Your|".*") .*\b(is|are) (added|changed|closed|connected|copied|created|deleted|saved|sent|signed off)\.$/,
    'Created …',
  ],
  [/ failed: |\bfailed\. /, 'Couldn’t …: '],
  [/^It\b(?!'s the Same)/, 'the name of the thing'],
  [/\b(cancelled|licence|colour|organisation|behaviour|favour|grey|centre|recognise)/i, 'American spelling'],
  [/\b(join(s|ed|ing)?|decid(e|es|ed|ing))\b/i, 'merge, resolve'],
  [/(?<![./])\bmarkdown\b/, 'Markdown'],
  [/\.\.\./, '…'],
];

/** The same for German. */
const unGerman: [wrong: RegExp, right: string][] = [
  [/\bDienst(es?)?\b/, 'Server'],
  [/\bRechner/, 'Computer'],
  [/\banleg|\bangelegt/, 'erstellen'],
  [
    /\b(ist|sind) (angelegt|erstellt|geändert|gelöscht|gespeichert|gesendet|hinzugefügt|kopiert)\.$/,
    'wurde …',
  ],
  [/\bfrei(ge)?geb|\bFreigabe/i, 'abzeichnen'],
  [/\bBenutzer(?!name)/, 'neutral: Person, Profil'],
  [/\bLeerraum/, 'Leerzeichen'],
  [/\b(ein|aus)klappen\b/, 'zuklappen, aufklappen'],
  [/\bentscheiden\b/i, 'den Konflikt lösen'],
  [/, (und|oder) [a-zäöüß]+ Sie\b/, 'kein Komma zwischen zwei Aufforderungen'],
  [/\bEscape\b/, 'ESC'],
  [/["']/, '„…“'],
  [/\S…/, 'ein Leerzeichen vor …'],
];

/** The whole sentences in a file; values that are put into them are left out. */
function sentencesIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = ts.isTemplateExpression(node)
      ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('{0}')
      : ts.isStringLiteralLike(node)
        ? node.text
        : '';
    if (/^[A-Z{].* .*[a-z.)]$/s.test(text) && !/\b(SELECT|INSERT|UPDATE|DELETE|CREATE)\b/.test(text)) {
      found.push(text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest));
  return found;
}

describe('languages', () => {
  const bundles = readdirSync(path.join(root, 'l10n')).filter((name) => name.startsWith('bundle.l10n.'));

  it('include German', () => {
    assert.ok(bundles.includes('bundle.l10n.de.json'));
  });

  for (const bundle of bundles) {
    it(`${bundle} has each text of the code, no other, with the same placeholders`, async () => {
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

  const say = (texts: string[], words: typeof unEnglish): string[] =>
    texts.flatMap((text) =>
      words.filter(([wrong]) => wrong.test(text)).map(([, right]) => `${text} → ${right}`),
    );

  it('use the words of VS Code', () => {
    const bundle = readJson('l10n', 'bundle.l10n.de.json');
    const english = [...Object.keys(bundle), ...Object.values(readJson('package.nls.json'))];
    const german = [...Object.values(bundle), ...Object.values(readJson('package.nls.de.json'))];
    assert.deepEqual([...say(english, unEnglish), ...say(german, unGerman)], []);
  });

  it('use the same words in the local service and the scripts, which speak English alone', () => {
    const texts = globSync(['src/service/**/*.ts', 'tools/*.ts'], { cwd: root }).flatMap(sentencesIn);
    assert.ok(texts.length > 100);
    // A server on screen is itself the service here.
    const words = unEnglish.filter(([, right]) => right !== 'server, computer');
    assert.deepEqual(say(texts, words), []);
  });

  it('use the same words in the documents for those who use the extension', () => {
    const documents = ['README.md', 'docs/SECURITY.md', 'docs/marketplace.md', 'docs/commands.md'];
    const lines = documents.flatMap((name) =>
      readFileSync(path.join(root, name), 'utf8')
        .replaceAll(/^```[^]*?^```$|`[^`\n]*`|\bmarkdown-it\S*/gm, '')
        .split('\n'),
    );
    // The local service has that name where its libraries are told, and a program runs on a machine.
    const words = unEnglish.filter(([, right]) => right !== 'server, computer');
    assert.deepEqual(say(lines, words), []);
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

  it('spell the code and the papers as Americans do', () => {
    const british = /colour|neighbour|behaviour|favour|honour|licence|recognis|\bcentred?\b|\bgrey/i;
    const files = globSync(['{src,test,tools,media,docs}/**/*.{ts,tsx,mjs,css,md}', '*.{md,js,mjs}'], {
      cwd: root,
    });
    assert.ok(files.length > 500);
    const said = files.filter(
      (file) =>
        !import.meta.filename.endsWith(file) && british.test(readFileSync(path.join(root, file), 'utf8')),
    );
    assert.deepEqual(said, []);
  });
});
