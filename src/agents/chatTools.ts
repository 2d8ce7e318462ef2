/** The tools as VS Code's chat has them, with the person's agreement to what is written. */
import * as vscode from 'vscode';
import { plainText } from '../util/visibleText.ts';
import type { Tools } from './tools.ts';
import { agentTools, isAgentTool } from './toolTable.ts';
import type { Proposal } from './writingTools.ts';

/** The prefix of a tool's id. */
const prefix = 'patchStacks_';

/** Runs a tool for a chat. */
export async function invokeTool(
  tools: Tools,
  id: string,
  input: unknown,
): Promise<vscode.LanguageModelToolResult> {
  const { text } = await tools.call(id.slice(prefix.length), input);
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/** Says what a tool is about to do; of one that writes, exactly what, for the person to agree. */
export async function prepareTool(
  tools: Tools,
  id: string,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const name = id.slice(prefix.length);
  const proposal = await tools.describe(name, input);
  const title = isAgentTool(name) ? agentTools[name].title : name;
  return {
    invocationMessage: title,
    ...(proposal && {
      confirmationMessages: { title: confirmationTitle(proposal), message: confirmationText(proposal) },
    }),
  };
}

function confirmationTitle({ kind, title }: Proposal): string {
  const patch = plainText(title);
  switch (kind) {
    case 'draftSection':
      return vscode.l10n.t('Propose a new section in "{0}"?', patch);
    case 'editSection':
      return vscode.l10n.t('Propose another text in "{0}"?', patch);
    case 'proposeOrder':
      return vscode.l10n.t('Propose another section order in "{0}"?', patch);
  }
}

/** All of what is written as it is, and where, whatever marks are in it. */
function confirmationText({ kind, text, replaces, before }: Proposal): vscode.MarkdownString {
  const message = new vscode.MarkdownString();
  const say = (words: string): void => {
    message.appendText(words).appendMarkdown('\n\n');
  };
  say(
    vscode.l10n.t('The proposal is shown in the patch document. Nothing is saved until you save it there.'),
  );
  if (replaces) {
    say(vscode.l10n.t('Section {0} of {1} as it is now:', replaces.number, replaces.count));
    message.appendMarkdown(fenced(replaces.text));
    say(vscode.l10n.t('As it is proposed:'));
  } else if (kind === 'draftSection') {
    say(
      before === undefined
        ? vscode.l10n.t('A new section at the end:')
        : vscode.l10n.t('A new section before "{0}":', before),
    );
  }
  return message.appendMarkdown(fenced(text));
}

/** A block of code that nothing in the text ends. */
function fenced(text: string): string {
  const ticks = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...ticks.map((length) => length + 1)));
  return `${fence}markdown\n${text}\n${fence}\n\n`;
}
