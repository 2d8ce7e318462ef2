import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import type { Settings } from '../../src/contributions.ts';
import { madeFiles } from '../../tools/manifest.ts';
import { root } from '../../tools/provision.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const json = (name: string): unknown => JSON.parse(read(name));

interface Manifest {
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { default: unknown; scope?: string }> };
    keybindings: { command: string; key: string; when: string }[];
    walkthroughs: { steps: { media: { svg: string }; completionEvents: string[] }[] }[];
  };
}

const manifest = json('package.json') as Manifest;

/** The compiler holds these against what the sources read. */
const settings: Record<keyof Settings, true> = {
  serverUrl: true,
  requestTimeout: true,
  refreshInterval: true,
  defaultStatusFilter: true,
  autoReveal: true,
  'markdown.loadRemoteImages': true,
  base: true,
  keptVersionsLimit: true,
  shareAsBranch: true,
  sectionTemplate: true,
};

/** The keys that package.json leaves to the language files. */
function keysOf(text: string): string[] {
  return [...new Set([...text.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? ''))].sort();
}

describe('what is made from the table of commands', () => {
  for (const [file, text] of madeFiles()) {
    it(`is in ${file} as the table has it: npm run manifest`, () => {
      assert.equal(read(file), text);
    });
  }

  it('is left out of what runs in VS Code, which needs but the names', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { commandId } from './src/commandTable.ts'; console.log(commandId('signIn'));`,
        resolveDir: root,
      },
      bundle: true,
      write: false,
    });
    const bundled = outputFiles[0]?.text ?? '';
    assert.match(bundled, /signIn/);
    assert.doesNotMatch(bundled, /title|patchStacks\.signedIn/);
  });
});

describe('package.json', () => {
  const commands = manifest.contributes.commands;

  it('lets a workspace, which may be a stranger’s, set nothing but what the view shows and compares', () => {
    const settings = Object.entries(manifest.contributes.configuration.properties);
    // *machine-overridable* and everything below it are for workspaces, too. *machine* is for what a container says, which a
    // workspace brings along, and in a remote window such a setting is missing where a person looks for their own.
    const open = settings.filter(([, { scope }]) => scope !== 'application');
    assert.deepEqual(
      open.map(([name]) => name.replace('patchStacks.', '')),
      ['defaultStatusFilter', 'autoReveal', 'base'],
    );
  });

  it('has no key that acts where the focus is not', () => {
    // The tab that is active, or the view that is shown, need not have the focus.
    const focus = [
      /\bpatchStacks\.(document|section)Focus\b/,
      /\bfocusedView == patchStacks\.stacks && listFocus && !inputFocus\b/,
      /\beditorTextFocus\b/,
    ];
    for (const { command, key, when } of manifest.contributes.keybindings) {
      assert.ok(
        focus.some((pattern) => pattern.test(when)),
        `${key} runs ${command} when ${when}`,
      );
      assert.ok(!when.includes('||'), `${key}: each alternative would need the focus`);
    }
  });

  it('contributes exactly the settings that the sources read', () => {
    const names = Object.keys(manifest.contributes.configuration.properties).map((name) =>
      name.replace('patchStacks.', ''),
    );
    assert.deepEqual(names.sort(), Object.keys(settings).sort());
  });

  it('has the pictures and the commands of its walkthroughs', () => {
    const known = new Set(commands.map(({ command }) => command));
    for (const { steps } of manifest.contributes.walkthroughs) {
      for (const { media, completionEvents } of steps) {
        assert.ok(existsSync(new URL(`../../${media.svg}`, import.meta.url)), media.svg);
        for (const event of completionEvents.filter((name) => name.startsWith('onCommand:'))) {
          assert.ok(known.has(event.slice('onCommand:'.length)), event);
        }
      }
    }
  });

  it('has each text in every language file, and no language file has another', () => {
    const files = readdirSync(new URL('../../', import.meta.url)).filter((name) =>
      /^package\.nls.*json$/.test(name),
    );
    assert.ok(files.includes('package.nls.json'));
    for (const file of files) {
      assert.deepEqual(Object.keys(json(file) as object).sort(), keysOf(read('package.json')), file);
    }
  });
});

describe('package-lock.json', () => {
  it('names no registry host, so that it serves whoever installs', () => {
    assert.doesNotMatch(read('package-lock.json'), /"resolved": "https?:/);
  });
});
