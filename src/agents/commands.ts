import * as vscode from 'vscode';
import { manifestOf } from '../contributions.ts';
import { runCommand } from '../ui/commands.ts';
import { showMessage } from '../ui/notifications.ts';
import { lazy } from '../util/lazy.ts';
import { plainText } from '../util/visibleText.ts';
import type { WindowParts } from '../windowParts.ts';
import type { Tools } from './tools.ts';
import type { Proposal } from './writingTools.ts';

/** Agents: the tools that they have. */
export function registerAgents(parts: WindowParts): void {
  const { connection, model, pendingChanges, readings, compareVersions, log } = parts;
  const tellProposal = proposalTeller(parts);
  const tools = lazy(async (): Promise<Tools> => {
    const { Tools } = await import('./tools.ts');
    return new Tools({
      model: await model(),
      pendingChanges: await pendingChanges(),
      readings,
      compareVersions,
      token: async () => (await connection.session())?.accessToken,
      onPropose: tellProposal,
    });
  });
  try {
    registerTools(parts, tools);
  } catch (error) {
    // Another editor may have less than it says: everything else works.
    log.warn(`Tools for agents could not be registered: ${String(error)}`);
  }
}

/** Only the names of the tools are needed for that: all else is loaded when one is used. */
function registerTools({ context, disposables }: WindowParts, tools: () => Promise<Tools>): void {
  const chatTools = lazy(() => import('./chatTools.ts'));
  for (const { name } of manifestOf(context.extension).contributes.languageModelTools) {
    disposables.add(
      vscode.lm.registerTool(name, {
        prepareInvocation: async ({ input }) => (await chatTools()).prepareTool(await tools(), name, input),
        invoke: async ({ input }) => (await chatTools()).invokeTool(await tools(), name, input),
      }),
    );
  }
}

/** Tells the person of proposals, one at a time: an agent may make many. */
function proposalTeller({ connection }: WindowParts): (proposal: Proposal) => void {
  let isTelling = false;
  return ({ patch, title, section }) => {
    if (isTelling) {
      return;
    }
    isTelling = true;
    void showMessage<boolean>(vscode.l10n.t('An agent proposed a change in "{0}".', plainText(title)), {
      actions: [{ title: vscode.l10n.t('Show'), value: true }],
    }).then(async (show) => {
      isTelling = false;
      const serverUrl = connection.activeServer;
      if (show && serverUrl !== undefined) {
        await runCommand('openPatch', { ...patch, serverUrl, sectionCode: section });
      }
    });
  };
}
