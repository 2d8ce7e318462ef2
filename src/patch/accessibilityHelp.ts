import * as vscode from 'vscode';
import { manifestOf } from '../contributions.ts';
import { commandTitles } from '../ui/commands.ts';
import { keyLabel, type Platform } from '../util/keyLabel.ts';

/** The keys of the patch document with their meaning, as a text to be read from top to bottom. */
export function accessibilityHelp(extension: vscode.Extension<unknown>): string {
  const { l10n } = vscode;
  const { keybindings } = manifestOf(extension).contributes;
  const titles = commandTitles(extension);
  const keys = new Map<string, Set<string>>();
  for (const binding of keybindings) {
    if (/patchStacks\.(document|section)Focus/.test(binding.when)) {
      const labels = keys.get(binding.command) ?? new Set();
      keys.set(binding.command, labels.add(keyLabel(binding[platform()] ?? binding.key)));
    }
  }
  const ours = [...keys].map(([id, labels]) => `- ${titles.get(id) ?? id}: ${[...labels].join(', ')}`);
  return [
    l10n.t('Accessibility help for patch documents'),
    '',
    l10n.t(
      'A patch document shows one patch as a page: its title, then its sections in order. A section is either text or the diff of a file. A patch that changed since you read it shows only what changed; "Show Whole Patch" shows all of it.',
    ),
    l10n.t(
      'The banner at the top has "Outline", the patches of the stack, and a toolbar to compare, search, and lay out the diffs. The footer at the bottom says how much is left to read, and has "Request Changes" and "Sign Off and Next".',
    ),
    l10n.t(
      'Each section is a named landmark or region. Each line of a diff is a row whose name gives its number, its text, and whether it was added or removed. Saves and failures to save are announced.',
    ),
    '',
    l10n.t('Keys of the document'),
    ...ours,
    l10n.t('To change them, search for "Patch Stacks" in Keyboard Shortcuts.'),
    '',
    l10n.t('Keys of the page'),
    ...[
      l10n.t('Tab and Shift+Tab go to the next and previous control. A toolbar is a single stop.'),
      l10n.t('Left, Right, Home, and End move between the buttons of a toolbar.'),
      l10n.t(
        'Up and Down move between the lines of a diff, Enter opens the file at that line, and Escape returns to the diff.',
      ),
      l10n.t('Up, Down, Home, and End move through the outline, and Enter goes to the section.'),
      l10n.t('N and P go to the next and previous change, except where you type.'),
      l10n.t('Enter on a text section edits it. Escape cancels, which you can undo.'),
      l10n.t('{0} saves what you edit.', keyLabel(platform() === 'mac' ? 'cmd+enter' : 'ctrl+enter')),
      l10n.t(
        '{0} outside an editor undoes what the page last reported.',
        keyLabel(platform() === 'mac' ? 'cmd+z' : 'ctrl+z'),
      ),
      l10n.t(
        "Escape closes what's open, such as this text, Find, or the outline on a narrow page, and returns to where you were.",
      ),
    ].map((line) => `- ${line}`),
    '',
    l10n.t(
      'The accessible view shows the whole patch as plain text, with the cursor where you are in the document. Use your own reading keys there.',
    ),
    '',
  ].join('\n');
}

function platform(): Platform {
  return process.platform === 'darwin' ? 'mac' : process.platform === 'win32' ? 'win' : 'linux';
}
