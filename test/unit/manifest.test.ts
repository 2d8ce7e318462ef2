import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const json = (name: string): unknown => JSON.parse(read(name));

interface Manifest {
  contributes: {
    commands: { command: string; title: string; category: string }[];
    configuration: { properties: Record<string, { default: unknown; scope?: string }> };
    menus: Record<string, { command: string }[]>;
    keybindings: { command: string; key: string; when: string }[];
    walkthroughs: { steps: { media: { image: Record<string, string> }; completionEvents: string[] }[] }[];
  };
}

const manifest = json('package.json') as Manifest;
const contributions = read('src/contributions.ts');

/** The names of an interface's members, as contributions.ts declares them. */
function declared(name: string): string[] {
  const body = new RegExp(`interface ${name} \\{([^}]*)\\}`).exec(contributions)?.[1] ?? '';
  return [...body.matchAll(/^ {2}'?([\w.]+)'?:/gm)].map((match) => match[1] ?? '').sort();
}

/** The keys that package.json leaves to the language files. */
function keysOf(text: string): string[] {
  return [...new Set([...text.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? ''))].sort();
}

describe('package.json', () => {
  const commands = manifest.contributes.commands;

  it('contributes exactly the commands that contributions.ts declares', () => {
    const names = commands.map(({ command }) => command.replace('patchStacks.', '')).sort();
    assert.ok(names.length > 0);
    assert.deepEqual(names, declared('CommandArguments'));
  });

  it('gives every command a translated title and the category', () => {
    for (const { command, title, category } of commands) {
      assert.equal(title, `%command.${command.replace('patchStacks.', '')}%`);
      assert.equal(category, 'Patch Stacks');
    }
  });

  it('lets a workspace, which may be a stranger’s, set nothing but what the view shows', () => {
    const settings = Object.entries(manifest.contributes.configuration.properties);
    // *machine-overridable* and everything below it are for workspaces, too; *machine* is for what a container says, which
    // a workspace brings along.
    const open = settings.filter(([, { scope }]) => scope !== 'application' && scope !== 'machine');
    assert.deepEqual(
      open.map(([name]) => name.replace('patchStacks.', '')),
      ['defaultStatusFilter', 'autoReveal'],
    );
    const leaking = ['serverUrl', 'markdown.loadRemoteImages'];
    for (const name of leaking) {
      assert.equal(
        manifest.contributes.configuration.properties[`patchStacks.${name}`]?.scope,
        'application',
        name,
      );
    }
  });

  it('refers in menus and key bindings only to commands it contributes', () => {
    const known = new Set(commands.map(({ command }) => command));
    const used = [...Object.values(manifest.contributes.menus).flat(), ...manifest.contributes.keybindings];
    for (const { command } of used) {
      assert.ok(known.has(command), command);
    }
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

  it('contributes exactly the settings that contributions.ts declares', () => {
    const names = Object.keys(manifest.contributes.configuration.properties).map((name) =>
      name.replace('patchStacks.', ''),
    );
    assert.deepEqual(names.sort(), declared('Settings'));
  });

  it('has the pictures and the commands of its walkthroughs', () => {
    const known = new Set(commands.map(({ command }) => command));
    for (const { steps } of manifest.contributes.walkthroughs) {
      for (const { media, completionEvents } of steps) {
        for (const picture of Object.values(media.image)) {
          assert.ok(existsSync(new URL(`../../${picture}`, import.meta.url)), picture);
        }
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
