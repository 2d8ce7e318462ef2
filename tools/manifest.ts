/**
 * npm run manifest: writes what is made from src/commandTable.ts: the commands, menus and keys in package.json, their titles in
 * package.nls.json and package.nls.de.json, and docs/commands.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  commandId,
  commands,
  menus,
  viewFocus,
  type Command,
  type CommandName,
} from '../src/commandTable.ts';
import {
  agentToolId,
  agentTools,
  inputSchemaOf,
  type AgentTool,
  type AgentToolName,
} from '../src/agents/toolTable.ts';
import { keyLabel } from '../src/util/keyLabel.ts';
import { root } from './provision.ts';

interface Manifest {
  contributes: Record<string, unknown>;
}

const category = 'Patch Stacks';
const all = Object.entries<Command>(commands).map(([name, row]) => ({
  ...row,
  id: commandId(name as CommandName),
  textKey: `command.${name}`,
}));
type Row = (typeof all)[number];
const tools = Object.entries<AgentTool>(agentTools).map(([name, row]) => ({
  ...row,
  name,
  id: agentToolId(name as AgentToolName),
  textKey: `tool.${name}`,
}));
type ToolRow = (typeof tools)[number];

/** The texts of all files that are made from the table, by their paths. */
export function madeFiles(): ReadonlyMap<string, string> {
  const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const manifest = read('package.json') as Manifest;
  Object.assign(manifest.contributes, contributions());
  const texts = (file: string, title: (row: Row | ToolRow) => string): object => ({
    ...Object.fromEntries(
      Object.entries(read(file) as Record<string, string>).filter(([key]) => !/^(command|tool)\./.test(key)),
    ),
    ...Object.fromEntries([...all, ...tools].map((row) => [row.textKey, title(row)])),
  });
  const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
  return new Map([
    ['package.json', json(manifest)],
    ['package.nls.json', json(texts('package.nls.json', ({ title }) => title))],
    ['package.nls.de.json', json(texts('package.nls.de.json', ({ german }) => german))],
    ['docs/commands.md', page()],
  ]);
}

function contributions(): object {
  return {
    commands: all.map(({ id, textKey, icon }) => ({
      command: id,
      title: `%${textKey}%`,
      category,
      ...(icon !== undefined && { icon: `$(${icon})` }),
    })),
    languageModelTools: tools.map((row) => ({
      name: row.id,
      displayName: `%${row.textKey}%`,
      toolReferenceName: row.name,
      canBeReferencedInPrompt: true,
      icon: `$(${row.icon})`,
      modelDescription: row.description,
      userDescription: `%${row.textKey}%`,
      inputSchema: inputSchemaOf(row),
    })),
    mcpServerDefinitionProviders: [{ id: 'patchStacks.mcp', label: '%extension.displayName%' }],
    menus: {
      commandPalette: all.flatMap(({ id, palette }) =>
        palette === undefined ? [] : [{ command: id, when: palette }],
      ),
      ...Object.fromEntries(
        Object.entries(menus).map(([menu, needed]) => [
          menu,
          all.flatMap((row) =>
            (row.menus ?? [])
              .filter(([name]) => name === menu)
              .map(([, group, when = '']) => ({
                command: row.id,
                when: [needed, when].filter((part) => part !== '').join(' && '),
                group,
              })),
          ),
        ]),
      ),
    },
    keybindings: all.flatMap(({ id, keys = [] }) =>
      keys.map((binding) => ({
        command: id,
        ...binding,
        ...(binding.when === viewFocus && {
          args: { $treeViewId: 'patchStacks.stacks', $focusedTreeItem: true },
        }),
      })),
    ),
  };
}

function page(): string {
  const rows = all.map(({ title, keys = [], does }) => [title, keysOf(keys), does.replaceAll('|', '\\|')]);
  const table = [['Command', 'Keys', 'What it does'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = table;
  return [
    '# Commands',
    '',
    '<!-- Made from src/commandTable.ts by `npm run manifest`. -->',
    '',
    'In the Command Palette, each begins with **Patch Stacks:**. Keys act where the focus is: in the patch document, or in the view.',
    '',
    line(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...body.map(line),
    '',
  ].join('\n');
}

/** Each key once, also when it acts in the document and in the view. */
function keysOf(keys: NonNullable<Command['keys']>): string {
  const label = (key: string): string => `\`${keyLabel(key)}\``;
  return [
    ...new Set(keys.map(({ key, mac }) => label(key) + (mac === undefined ? '' : ` (macOS: ${label(mac)})`))),
  ].join(', ');
}

if (import.meta.main) {
  for (const [file, text] of madeFiles()) {
    writeFileSync(path.join(root, file), text);
  }
}
