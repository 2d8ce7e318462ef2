/**
 * The keys with which git can sign what is shared: the one that the person has configured for signing with SSH, else those that they have
 * published. Where the private half is, and whether it is unlocked, is known to ssh-keygen and the agent alone.
 */
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { askGit } from '../git/git.ts';

/** The settings that have git sign with a key. */
export type SigningSettings = Record<string, string>;

/** The variables with which ssh-keygen asks nobody for a passphrase: what takes one is not signed with. */
export const askingNobody: NodeJS.ProcessEnv = {
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'force',
  DISPLAY: ':',
};

/**
 * The keys to try, one after the other.
 *
 * @param directory A repository whose own configuration says nothing of it.
 * @param published The person's public keys, `type base64`.
 */
export async function signingKeys(
  directory: string,
  published: readonly string[],
): Promise<SigningSettings[]> {
  const [format, key] = await Promise.all(
    ['gpg.format', 'user.signingKey'].map(async (name) => askGit(directory, ['config', '--get', name])),
  );
  const configured = format === 'ssh' && key !== undefined ? [{}] : [];
  const files = published.length === 0 ? new Map<string, string>() : await publicKeyFiles();
  return [
    ...configured,
    ...published.map((one) => ({ 'gpg.format': 'ssh', 'user.signingKey': files.get(one) ?? `key::${one}` })),
  ];
}

/** The files of public keys where ssh has them, by key: beside each is its private half. */
async function publicKeyFiles(): Promise<Map<string, string>> {
  const folder = path.join(homedir(), '.ssh');
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('.pub'))
      .map(async (name): Promise<[string, string]> => {
        const file = path.join(folder, name);
        const text = await readFile(file, 'utf8').catch(() => '');
        return [text.trim().split(/\s+/, 2).join(' '), file];
      }),
  );
  return new Map(found);
}
