/** Taking a person through adding an SSH key: which one, and under which name. */
import path from 'node:path';
import * as vscode from 'vscode';
import { isApiError } from '../../api/errors.ts';
import type { SshKey } from '../../api/types/users.ts';
import { askText } from '../../ui/askText.ts';
import { choose, type Choice } from '../../ui/choose.ts';
import { CancelledError } from '../../ui/commands.ts';
import { escapeIcons } from '../../ui/icons.ts';
import { showMessage } from '../../ui/notifications.ts';
import type { Connection } from '../../session/connection.ts';
import { describeProblem, describeType, describeWeakness } from './describe.ts';
import { authorizedKeysLine, findKey } from './knownKeys.ts';
import {
  longestKeyFile,
  readAgentKeys,
  readKeyBytes,
  readKeyFiles,
  sshFolder,
  type AgentAnswer,
  type AgentProblem,
  type LocalKey,
} from './localKeys.ts';
import { parsePublicKey, type PublicKey, type PublicKeyResult } from './publicKey.ts';

/** A public key, and what to call it. */
interface Candidate {
  key: PublicKey;
  /** The name to suggest. */
  name: string;
}

type Source = { kind: 'key'; candidate: Candidate } | { kind: 'file' } | { kind: 'paste' };

/**
 * Lets the person choose a key and a name, and adds it to their account. Only what was read as a public key is ever sent.
 *
 * @throws {CancelledError} when they give up; what the client throws.
 */
export async function addKey(connection: Connection): Promise<Candidate> {
  const { source, added } = await chooseSource(connection);
  const candidate =
    source.kind === 'key'
      ? source.candidate
      : source.kind === 'file'
        ? await keyFromFile(added)
        : await pastedKey(added);
  await confirmWeakness(candidate.key);
  return nameAndAdd(connection, candidate);
}

/** Shows what there is on this computer; the account's own keys, to mark those added already, come meanwhile. */
async function chooseSource(connection: Connection): Promise<{ source: Source; added: SshKey[] }> {
  let added: SshKey[] = [];
  const source = await choose<Source>({
    title: vscode.l10n.t('Add SSH Key'),
    loading: vscode.l10n.t('Looking for SSH keys…'),
    placeholder: vscode.l10n.t('Select the public key to add'),
    load: async () => {
      const [own, files, agent] = await Promise.all([
        connection.use((client, session) => client.users.keys(session.login)),
        readKeyFiles(),
        readAgentKeys(),
      ]);
      added = own.items;
      return sourceItems(files, agent, added);
    },
  });
  return { source, added };
}

function sourceItems(files: LocalKey[], agent: AgentAnswer, added: SshKey[]): Choice<Source>[] {
  const inFiles = new Set(files.map(({ result }) => ('key' in result ? result.key.fingerprint : undefined)));
  const inAgent = ('keys' in agent ? agent.keys : []).filter(
    ({ result }) => 'key' in result && !inFiles.has(result.key.fingerprint),
  );
  const separator = (label: string): Choice<Source> => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [
    separator(vscode.l10n.t('In {0}', sshFolder())),
    ...files.map((key) => keyItem(key, added)),
    separator(vscode.l10n.t('In the SSH agent')),
    ...inAgent.map((key) => keyItem(key, added)),
    ...agentItems(agent),
    separator(vscode.l10n.t('Other')),
    {
      label: `$(clippy) ${vscode.l10n.t('Paste a public key…')}`,
      alwaysShow: true,
      choice: { value: { kind: 'paste' } },
    },
    {
      label: `$(folder-opened) ${vscode.l10n.t('Choose File…')}`,
      alwaysShow: true,
      choice: { value: { kind: 'file' } },
    },
  ];
}

/** Says why there are no keys of the agent to choose from, where that is so. */
function agentItems(agent: AgentAnswer): Choice<Source>[] {
  if ('keys' in agent && agent.keys.length > 0) {
    return [];
  }
  const text = describeAgent('keys' in agent ? 'empty' : agent.problem);
  return [{ label: `$(info) ${text}`, refusal: text }];
}

function describeAgent(problem: AgentProblem | 'empty'): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t("The SSH agent doesn't have any keys");
    case 'notInstalled':
      return vscode.l10n.t("No SSH agent: ssh-add isn't installed");
    case 'notRunning':
      return vscode.l10n.t('No SSH agent is running');
    case 'failed':
      return vscode.l10n.t("The SSH agent isn't responding");
  }
}

function keyItem({ file, result }: LocalKey, added: SshKey[]): Choice<Source> {
  const fileName = file === undefined ? undefined : path.basename(file);
  if ('problem' in result) {
    const refusal = describeProblem(result.problem);
    return { label: `$(warning) ${escapeIcons(fileName ?? '')}`, detail: refusal, refusal };
  }
  const { key } = result;
  const label = escapeIcons(fileName ?? (key.comment || key.fingerprint));
  const detail = escapeIcons([key.fingerprint, key.comment].filter((part) => part !== '').join(' · '));
  const duplicate = describeDuplicate(key, added);
  if (duplicate !== undefined) {
    return { label: `$(check) ${label}`, description: duplicate, detail, refusal: duplicate };
  }
  return {
    label: `$(key) ${label}`,
    description: describeType(key),
    detail,
    choice: { value: { kind: 'key', candidate: { key, name: suggestName(key, file) } } },
  };
}

/** Asks for a file until it holds a public key that can be added. */
async function keyFromFile(added: SshKey[]): Promise<Candidate> {
  for (;;) {
    const [file] =
      (await vscode.window.showOpenDialog({
        title: vscode.l10n.t('Choose a Public SSH Key'),
        openLabel: vscode.l10n.t('Add'),
        defaultUri: vscode.Uri.file(sshFolder()),
      })) ?? [];
    if (!file) {
      throw new CancelledError();
    }
    const result = await readUri(file);
    const refusal =
      'problem' in result ? describeProblem(result.problem) : describeDuplicate(result.key, added);
    if ('key' in result && refusal === undefined) {
      return { key: result.key, name: suggestName(result.key, file.path) };
    }
    const again = await showMessage<boolean>(
      vscode.l10n.t("{0} can't be added.", path.posix.basename(file.path)),
      {
        severity: 'warning',
        modal: true,
        detail: refusal ?? '',
        actions: [{ title: vscode.l10n.t('Choose Another File'), value: true }],
      },
    );
    if (again !== true) {
      throw new CancelledError();
    }
  }
}

async function readUri(file: vscode.Uri): Promise<PublicKeyResult> {
  const { size } = await vscode.workspace.fs.stat(file);
  // A disk image chosen by mistake need not be read to know that it is no key.
  return size > longestKeyFile * 16
    ? { problem: 'malformed' }
    : readKeyBytes(await vscode.workspace.fs.readFile(file));
}

/** Asks for the line of a public key. What is wrong with it is said while it is typed or pasted. */
async function pastedKey(added: SshKey[]): Promise<Candidate> {
  const key = await askText({
    title: vscode.l10n.t('Add SSH Key'),
    prompt: vscode.l10n.t('Paste the contents of a .pub file'),
    placeholder: 'ssh-ed25519 AAAA…',
    check: (text) => {
      const result = parsePublicKey(text);
      if ('problem' in result) {
        const isPrivate = result.problem === 'private';
        return { text: describeProblem(result.problem), severity: 'error', clear: isPrivate };
      }
      const weakness = describeWeakness(result.key);
      return (
        describeDuplicate(result.key, added) ??
        (weakness === undefined ? undefined : { text: weakness, severity: 'warning' })
      );
    },
    accept: async (text) => {
      const result = parsePublicKey(text);
      return 'key' in result ? { value: result.key } : { problem: describeProblem(result.problem) };
    },
  });
  return { key, name: suggestName(key) };
}

function describeDuplicate(key: PublicKey, added: SshKey[]): string | undefined {
  const known = findKey(added, key);
  return known && vscode.l10n.t('This key has already been added as "{0}".', known.name ?? known.fingerprint);
}

async function confirmWeakness(key: PublicKey): Promise<void> {
  const weakness = describeWeakness(key);
  if (weakness === undefined) {
    return;
  }
  const anyway = await showMessage<boolean>(weakness, {
    severity: 'warning',
    modal: true,
    actions: [{ title: vscode.l10n.t('Add Anyway'), value: true }],
  });
  if (anyway !== true) {
    throw new CancelledError();
  }
}

async function nameAndAdd(connection: Connection, { key, name }: Candidate): Promise<Candidate> {
  return askText({
    title: vscode.l10n.t('Add SSH Key'),
    prompt: vscode.l10n.t('Name for {0} ({1})', key.fingerprint, describeType(key)),
    value: name,
    check: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
    accept: async (text) => {
      const typed = text.trim();
      const publicKey = authorizedKeysLine({ fingerprint: key.fingerprint, key }) ?? key.line;
      try {
        await connection.use((client) => client.users.addKey({ name: typed, publicKey }));
      } catch (error) {
        if (isApiError(error) && error.kind === 'conflict') {
          return { problem: error.serviceMessage ?? vscode.l10n.t('This key is already on the server.') };
        }
        throw error;
      }
      return { value: { key, name: typed } };
    },
  });
}

/** The comment is what people call their keys, else the file. */
function suggestName({ comment, type }: PublicKey, file = ''): string {
  const fileName = path.posix.basename(file.replaceAll('\\', '/')).replace(/\.pub$/, '');
  return [comment, fileName, type].find((text) => text !== '') ?? type;
}
