/** The public keys that this computer knows: the files in ~/.ssh and what the SSH agent holds. */
import { execFile } from 'node:child_process';
import { open, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { parsePublicKey, type PublicKeyResult } from './publicKey.ts';

/** A public key, or what should be one, and where it was found. */
export interface LocalKey {
  /** The file, or undefined for the agent's keys. */
  file?: string;
  result: PublicKeyResult;
}

/** Why the agent's keys are not known. */
export type AgentProblem = 'notInstalled' | 'notRunning' | 'failed';

/** The keys of the SSH agent, or why it has told none. */
export type AgentAnswer = { keys: LocalKey[] } | { problem: AgentProblem };

/** No public key is longer. Bytes. */
export const longestKeyFile = 64 * 1024;

/** Milliseconds after which an agent that does not answer is given up. */
const agentPatienceMs = 5_000;

/** `ssh-add -L` ends with these when the agent holds no key, and when there is no agent. */
const noKeys = 1;
const noAgent = 2;

/** The folder where OpenSSH keeps a person's keys. */
export function sshFolder(): string {
  return path.join(homedir(), '.ssh');
}

/** Reads every `.pub` file of a folder, in the order of their names; nothing when there is no such folder. */
export async function readKeyFiles(folder = sshFolder()): Promise<LocalKey[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.pub')).map((name) => path.join(folder, name));
  const keys = await Promise.all(
    files.sort().map(async (file): Promise<LocalKey | undefined> => {
      try {
        return { file, result: await readKeyFile(file) };
      } catch {
        // Not a file, gone again, or not ours to read: nothing to choose from.
        return undefined;
      }
    }),
  );
  return keys.filter((key) => key !== undefined);
}

/**
 * Reads the public key of a file; of a file that is too long to be one, only as much as shows what it is.
 *
 * @throws whatever the file system throws.
 */
export async function readKeyFile(file: string): Promise<PublicKeyResult> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(longestKeyFile + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return readKeyBytes(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Reads the public key of a file's content. */
export function readKeyBytes(bytes: Uint8Array): PublicKeyResult {
  const result = parsePublicKey(Buffer.from(bytes.subarray(0, longestKeyFile)).toString('utf8'));
  return bytes.length > longestKeyFile && 'key' in result ? { problem: 'malformed' } : result;
}

/** Asks the SSH agent for its keys. */
export async function readAgentKeys(command = 'ssh-add'): Promise<AgentAnswer> {
  const { code, output } = await run(command, ['-L']);
  if (code === 0) {
    const lines = output.split(/\r?\n/).filter((line) => line.trim() !== '');
    return { keys: lines.map((line) => ({ result: parsePublicKey(line) })) };
  }
  switch (code) {
    case noKeys:
      return { keys: [] };
    case noAgent:
      return { problem: 'notRunning' };
    case 'ENOENT':
      return { problem: 'notInstalled' };
    default:
      return { problem: 'failed' };
  }
}

function run(
  command: string,
  args: string[],
): Promise<{ code: number | string | undefined; output: string }> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      // Not in the folder that is open: on Windows, programs there would be found first.
      { cwd: homedir(), timeout: agentPatienceMs, maxBuffer: 1024 * 1024, windowsHide: true },
      (error, stdout) => resolve({ code: error ? (error.code ?? undefined) : 0, output: stdout }),
    );
  });
}
