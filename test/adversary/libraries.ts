/** Libraries that read what strangers wrote: none of them takes long, whatever it is given. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import oniguruma from 'vscode-oniguruma';
import { Colorer } from '../../src/colors/colorer.ts';
import { readContributed } from '../../src/colors/contributed.ts';
import { checkImage } from '../../src/session/images.ts';
import { parsePublicKey } from '../../src/accounts/sshKeys/publicKey.ts';
import { diffSides } from '../../src/patch/diffSides.ts';
import { slugFrom } from '../../src/projects/fields.ts';
import { versionInManifest, versionOfTags } from '../../src/releases/versions.ts';
import { parseFileDiff } from '../../src/webview/patchDocument/diff/diff.ts';
import { changedWords } from '../../src/webview/patchDocument/diff/pairs.ts';
import { provideVsCode, root } from '../../tools/provision.ts';
import { Trial, type Attack } from './attack.ts';

/** Milliseconds of the processor for code, which a thread of its own gives up after ten seconds and the line that it is at, and for all else. */
const colorLimit = 13_000;
const limit = 300;

/** Pieces that hostile texts repeat. */
const pumps = ['a', '{', '"', '<', '(', '//', '/*', '`', ' ', '0', 'a.b.', '\\', '-', '#', '$', '@', '[', '*', '_', 'a ', '<a b=', '"a', '{{', '0x', '::', '%', "'", 'if ', '[a](', 'A', '..', '~', 'a=>', 'import '] as const; // prettier-ignore

/** Those of them that are the worst for some language: what every test run tries. */
const worst: readonly (readonly [language: string, pump: string])[] = [
  ['markdown', '[a]('],
  ['csharp', 'a '],
  ['java', '$'],
  ['ini', 'a.b.'],
  ['c', 'a'],
  ['typescript', '_'],
  ['less', '"a'],
  ['php', '0x'],
];

const length = 100_000;
const texts = pumps.flatMap((pump) => [
  pump.repeat(length / pump.length),
  `${pump.repeat(Math.ceil(300 / pump.length))}\n`.repeat(length / 300),
  `${pump}\n`.repeat(length / (pump.length + 1)),
]);

const readers: Record<string, (text: string) => unknown> = {
  'a diff': (text) => parseFileDiff(text),
  'a diff with its head': (text) => parseFileDiff(`--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n${text}`),
  'the sides of a diff': (text) => diffSides(`--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n ${text}`),
  'the head of a diff': (text) => diffSides(`diff --git ${text}\n--- ${text}\n+++ ${text}\n@@ ${text}`),
  'the words of a line': (text) => changedWords(text, `${text}x`),
  'the words of lines that are just compared': (text) =>
    changedWords(text.slice(0, 999), text.slice(1, 1000)),
  'a name that becomes a slug': (text) => slugFrom(text),
  'a key': (text) => parsePublicKey(`ssh-rsa ${text}`),
  'a key of many fields': (text) => parsePublicKey(`ssh-rsa ${Buffer.from(text).toString('base64')}`),
  'a tag': (text) => versionOfTags([text, `v${text}`, `1.2.3-${text}`]),
  'a Cargo.toml': (text) => versionInManifest('Cargo.toml', text),
  'a member of a Cargo.toml': (text) => versionInManifest('Cargo.toml', `[package]\nversion = "${text}`),
};

async function timed(trial: Trial, what: string, most: number, attempt: () => unknown): Promise<void> {
  await trial.try(what, async () => {
    const before = process.cpuUsage();
    await attempt();
    const { user, system } = process.cpuUsage(before);
    trial.took(what, (user + system) / 1000, most);
  });
}

/** Colors as an editor does that has no other extensions than its own. */
async function colorerOfVsCode(): Promise<{ colorer: Colorer; languages: string[] }> {
  const folder = path.join((await provideVsCode()).directory, 'extensions');
  const extensions = await Promise.all(
    (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .map(async ({ name }) => ({
        id: `vscode.${name}`,
        folder: path.join(folder, name),
        manifest: JSON.parse(await readFile(path.join(folder, name, 'package.json'), 'utf8')) as unknown,
      })),
  );
  const contributed = readContributed(extensions, (folder, name) => path.join(folder, name));
  await oniguruma.loadWASM(
    await readFile(path.join(root, 'node_modules/vscode-oniguruma/release/onig.wasm')),
  );
  const read = (file: string): Promise<string> => readFile(file, 'utf8');
  const colorer = new Colorer(
    { contributed, onigLib: Promise.resolve(oniguruma), read },
    { tokens: {}, colors: {}, associations: {} },
  );
  return { colorer, languages: contributed.grammars.flatMap(({ language }) => language ?? []) };
}

async function color(colorer: Colorer, language: string, text: string): Promise<void> {
  const lines = text.split('\n');
  const theme = { id: '', kind: 'dark' } as const;
  const coloring = await colorer.begin({ name: { language }, theme, lines, isStart: true });
  assert.ok(coloring, `VS Code doesn't know ${language}.`);
  while (!coloring.goOn(15)) {
    // A slice at a time, as the thread does.
  }
}

export const attacks: readonly Attack[] = [
  {
    name: 'budget: code that is colored',
    async run(full) {
      const trial = new Trial();
      const { colorer, languages } = await colorerOfVsCode();
      const pairs = full ? languages.flatMap((one) => pumps.map((pump) => [one, pump] as const)) : worst;
      for (const [language, pump] of pairs) {
        for (const line of full ? [300] : [300, length]) {
          const text = `${pump.repeat(Math.ceil(line / pump.length))}\n`.repeat(Math.ceil(length / line));
          const what = `${language}: lines of ${line} characters of ${JSON.stringify(pump)}`;
          await timed(trial, what, colorLimit, () => color(colorer, language, text));
        }
      }
      return trial;
    },
  },
  {
    name: 'budget: texts that libraries read',
    async run() {
      const trial = new Trial();
      for (const [what, read] of Object.entries(readers)) {
        for (const text of texts) {
          await timed(trial, `${what} ${JSON.stringify(text.slice(0, 20))}`, limit, () => read(text));
        }
      }
      for (const head of [
        'PK\x03\x04',
        '\x1A\x45\xDF\xA3',
        'ID3',
        'RIFF',
        '\x89PNG\r\n\x1A\n',
        '%PDF',
        'II*\0',
        '\0\0\0\x18ftyp',
      ]) {
        const bytes = Buffer.from(head.repeat(Math.ceil((5 * 1024 * 1024) / head.length)), 'latin1').subarray(
          0,
          5 * 1024 * 1024,
        );
        await timed(trial, `a picture of ${JSON.stringify(head)}`, limit, () => checkImage('a.png', bytes));
        const once = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(4 * 1024 * 1024, 0xff)]);
        await timed(trial, `a picture that begins with ${JSON.stringify(head)}`, limit, () =>
          checkImage('a.png', once),
        );
      }
      return trial;
    },
  },
];
