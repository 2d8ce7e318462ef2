import * as vscode from 'vscode';
import { commandId } from '../../commandTable.ts';
import type { LinkTarget } from '../../util/proseLink.ts';
import type { SectionRef } from '../../util/patchRef.ts';

/** The address of the one thing that a text names, for a link in VS Code's own editor: nothing that strangers wrote is a command in it. */
export function linkAddress(
  target: Exclude<LinkTarget, { kind: 'several' }>,
  section: SectionRef,
  commitSha: string | undefined,
): vscode.Uri {
  const patch: SectionRef = { ...section, sectionCode: undefined, line: undefined };
  switch (target.kind) {
    case 'file':
      return command('openFile', { commitSha, path: target.path, line: target.start });
    case 'lost':
      return command('openFile', { commitSha, path: target.path });
    case 'line':
      return command('openPatch', {
        ...patch,
        sectionCode: target.code,
        line: { side: 'new', line: target.line },
      });
    case 'patch':
      return command('openPatch', { ...patch, changeId: target.changeId });
    case 'commit':
      return command('openFile', { commitSha: target.sha });
    case 'person':
      return command('showUser', target.login);
    case 'address':
      return vscode.Uri.parse(target.url, true);
  }
}

function command(name: 'openFile' | 'openPatch' | 'showUser', argument: unknown): vscode.Uri {
  return vscode.Uri.from({
    scheme: 'command',
    path: commandId(name),
    query: JSON.stringify([argument]),
  });
}
