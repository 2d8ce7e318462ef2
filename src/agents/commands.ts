import * as vscode from 'vscode';
import type { CommandHandlers } from '../commandTable.ts';
import { manifestOf } from '../contributions.ts';
import { runCommand } from '../ui/commands.ts';
import { showMessage } from '../ui/notifications.ts';
import { inBackground } from '../util/inBackground.ts';
import { isPatch } from '../util/patchRef.ts';
import { lazy } from '../util/lazy.ts';
import { plainText } from '../util/visibleText.ts';
import type { WindowParts } from '../windowParts.ts';
import type { Gate } from './mcp/gate.ts';
import type { Tools } from './tools.ts';
import type { Proposal } from './writingTools.ts';

/** The provider of our MCP server, as package.json names it. */
const mcpProviderId = 'patchStacks.mcp';

/** Agents: the tools that they have, the programs that hand those on, and drafts by the person's own model. */
export function registerAgents(parts: WindowParts) {
  const { context, disposables, connection, model, pendingChanges, readings, compareVersions, log } = parts;
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
  const gates = gatekeeper(parts, tools);
  const connecting = lazy(() => import('./connecting.ts'));
  try {
    registerTools(parts, tools);
    disposables.add(
      vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, {
        provideMcpServerDefinitions: () => [
          new vscode.McpStdioServerDefinition(
            'Patch Stacks',
            process.execPath,
            [],
            {},
            manifestOf(context.extension).version,
          ),
        ],
        resolveMcpServerDefinition: async (definition: vscode.McpStdioServerDefinition) => {
          const { file } = await gates.open();
          definition.args = [(await connecting()).mcpProgram(context), file];
          // A desktop's own executable is Node only when it is told so.
          definition.env = { ELECTRON_RUN_AS_NODE: '1' };
          return definition;
        },
      }),
    );
  } catch (error) {
    // Another editor may have less than it says: everything else works.
    log.warn(`Tools for agents could not be registered: ${String(error)}`);
  }
  if (parts.memory.get('agents.connected') === true) {
    Promise.all([
      gates.open(),
      // The extension may have been updated: what was written before names files that are gone.
      connecting().then(({ writeStarter }) => writeStarter(context)),
    ]).catch((error: unknown) => log.warn(`Agents could not be let in: ${String(error)}`));
  }
  return {
    close: gates.close,
    commands: {
      draftSection: async (row) => {
        const { draftWithModel } = await import('./draftWithModel.ts');
        await draftWithModel(parts, isPatch(row) ? row : undefined);
      },
      connectAgent: async () => (await connecting()).connectAgent(parts, gates.open),
      disconnectAgents: async () => (await connecting()).disconnectAgents(parts, gates.close),
    } satisfies Partial<CommandHandlers>,
  };
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

/** Opens and closes the way in for programs. */
function gatekeeper({ context }: WindowParts, tools: () => Promise<Tools>) {
  let gate: Promise<Gate> | undefined;
  const create = async (): Promise<Gate> => {
    const [{ Gate }, { gateFolder }] = await Promise.all([
      import('./mcp/gate.ts'),
      import('./connecting.ts'),
    ]);
    return Gate.open({
      folder: gateFolder(context),
      folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
      call: async (name, input) => (await tools()).call(name, input),
    });
  };
  return {
    open: (): Promise<Gate> => {
      gate ??= create().catch((error: unknown) => {
        gate = undefined;
        throw error;
      });
      return gate;
    },
    close: async (): Promise<void> => {
      const open = gate;
      gate = undefined;
      await (await open)?.[Symbol.asyncDispose]();
    },
  };
}

/** Tells the person of proposals, one at a time: an agent may make many. */
function proposalTeller({ connection }: WindowParts): (proposal: Proposal) => void {
  let isTelling = false;
  return ({ patch, title, section }) => {
    if (isTelling) {
      return;
    }
    isTelling = true;
    // The message stays: another account may be the active one by the time that it is answered.
    const serverUrl = connection.activeServer;
    inBackground(
      showMessage<boolean>(vscode.l10n.t('An agent proposed a change in "{0}".', plainText(title)), {
        actions: [{ title: vscode.l10n.t('Show'), value: true }],
      }).then(async (show) => {
        isTelling = false;
        if (show && serverUrl !== undefined) {
          await runCommand('openPatch', { ...patch, serverUrl, sectionCode: section });
        }
      }),
    );
  };
}
