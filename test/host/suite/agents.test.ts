import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { PatchStacksApi, PatchStacksExports } from '../../../src/publicApi/patchStacks.ts';
import { prepareTool } from '../../../src/agents/chatTools.ts';
import { connectAgent, disconnectAgents } from '../../../src/agents/connecting.ts';
import { agentToolId, agentTools, type AgentToolName } from '../../../src/agents/toolTable.ts';
import type { Tools } from '../../../src/agents/tools.ts';
import type { Proposal } from '../../../src/agents/writingTools.ts';
import type { WindowParts } from '../../../src/windowParts.ts';
import { until } from '../../support/until.ts';

describe('the tools of agents, in VS Code', function () {
  this.timeout(180_000);
  let api: PatchStacksApi;

  before(async () => {
    const extension = vscode.extensions.getExtension<PatchStacksExports>('patch-stacks.patch-stacks');
    assert.ok(extension);
    api = (await extension.activate()).getApi(1);
    await until(async () => api.server !== undefined);
  });

  const call = async (name: AgentToolName, input: object): Promise<string> => {
    const { content } = await vscode.lm.invokeTool(agentToolId(name), {
      input,
      toolInvocationToken: undefined,
    });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  };

  it('are known to it, and no others of ours', () => {
    const ours = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('patchStacks_'));
    const names = Object.keys(agentTools) as AgentToolName[];
    assert.deepEqual(ours.sort(), names.map((name) => agentToolId(name)).sort());
  });

  it('read what the person can read, without their token', async () => {
    const { token } = JSON.parse(process.env['PATCH_STACKS_TEST_SERVICE'] ?? '{}') as { token: string };
    const [project] = await api.projects();
    const [stack] = await api.stacks(project!.id);
    const [patch] = await api.patches(project!.id, stack!.uuid);
    const place = { stack: stack!.uuid, project: project!.id };
    const answers = [
      await call('listStacks', {}),
      await call('readStack', place),
      await call('readPatch', { ...place, patch: patch!.changeId }),
      await call('readChangesSinceRead', { ...place, patch: patch!.changeId }),
      await call('coverage', { ...place, patch: patch!.changeId }),
    ];
    assert.match(answers[0] ?? '', new RegExp(stack!.uuid));
    assert.match(answers[2] ?? '', /fingerprint: [0-9a-f]{32}/);
    assert.ok(token && answers.every((text) => !text.includes(token)));
  });

  it('ask the person with exactly what they write, and where, whatever marks are in it', async () => {
    const asked = async (proposal: Partial<Proposal> & Pick<Proposal, 'kind'>): Promise<string[]> => {
      const tools = {
        describe: async () => ({ patch: { stackUuid: '1', changeId: 'I1' }, title: '[T](x)', ...proposal }),
      } as unknown as Tools;
      const { confirmationMessages } = await prepareTool(tools, agentToolId(proposal.kind), {});
      const { message } = confirmationMessages ?? assert.fail('Nothing is asked.');
      assert.ok(message instanceof vscode.MarkdownString && message.isTrusted !== true);
      return [confirmationMessages!.title, ...message.value.replaceAll('&nbsp;', ' ').split('\n\n').slice(1)];
    };
    const edit = { text: 'Now:\n````\nx\n````', replaces: { text: 'Before.', number: 2, count: 5 } };
    assert.deepEqual(await asked({ kind: 'editSection', ...edit }), [
      'Propose another text in "[T](x)"?',
      'Section 2 of 5 as it is now:',
      '```markdown\nBefore.\n```',
      'As it is proposed:',
      '`````markdown\nNow:\n````\nx\n````\n`````',
      '',
    ]);
    assert.deepEqual(await asked({ kind: 'draftSection', text: 'Why.', before: '[a](b).ts' }), [
      'Propose a new section in "[T](x)"?',
      String.raw`A new section before "\[a\]\(b\).ts":`,
      '```markdown\nWhy.\n```',
      '',
    ]);
    const [, atTheEnd] = await asked({ kind: 'draftSection', text: 'Why.' });
    assert.equal(atTheEnd, 'A new section at the end:');
    assert.deepEqual((await asked({ kind: 'proposeOrder', text: '1. a.ts\n2. b.ts' })).slice(1), [
      '```markdown\n1. a.ts\n2. b.ts\n```',
      '',
    ]);
  });

  it('are handed on to programs from Connect Agent on, in other windows too, until they are disconnected', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-connect-'));
    const kept = new Map<string, unknown>();
    const extensionUri = vscode.Uri.file('/extension');
    const context = { extensionUri, globalStorageUri: vscode.Uri.file(directory) };
    const memory = {
      update: async (key: string, value: unknown) =>
        value === undefined ? kept.delete(key) : kept.set(key, value),
    };
    const parts = { context, memory } as unknown as WindowParts;
    let isOpen = false;
    try {
      await connectAgent(parts, async () => (isOpen = true));
      assert.deepEqual([isOpen, [...kept]], [true, [['agents.connected', true]]]);
      const { mcpServers } = JSON.parse(await vscode.env.clipboard.readText()) as {
        mcpServers: Record<string, { args: string[] }>;
      };
      const [starter = '', folder] = mcpServers['patch-stacks']?.args ?? [];
      assert.equal(folder, path.join(directory, 'agents'));
      assert.match(await readFile(starter, 'utf8'), /^import "file:\/\/.*\/extension\/dist\/mcp\.cjs";\n$/);
      await disconnectAgents(parts, async () => void (isOpen = false));
      assert.deepEqual([isOpen, [...kept]], [false, []]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('are had by MCP, too: VS Code starts our program, which asks this window', async () => {
    const { token } = JSON.parse(process.env['PATCH_STACKS_TEST_SERVICE'] ?? '{}') as { token: string };
    const [project] = await api.projects();
    const [stack] = await api.stacks(project!.id);
    const settings = vscode.workspace.getConfiguration('chat');
    await settings.update('disableAIFeatures', false, vscode.ConfigurationTarget.Global);
    try {
      const options = { waitForLiveTools: true, autoTrustChanges: true };
      await vscode.commands.executeCommand('workbench.mcp.startServer', '*', options);
      const tool = (): string | undefined =>
        vscode.lm.tools.find(({ name }) => /^mcp_.*_listStacks$/.test(name))?.name;
      await until(async () => tool() !== undefined);
      const { content } = await vscode.lm.invokeTool(tool() ?? '', {
        input: {},
        toolInvocationToken: undefined,
      });
      const text = content.map((part) => (part as { value?: string }).value ?? '').join('');
      assert.match(text, new RegExp(stack!.uuid));
      assert.ok(!text.includes(token));
    } finally {
      await settings.update('disableAIFeatures', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
