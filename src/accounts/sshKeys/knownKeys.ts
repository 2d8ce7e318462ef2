/** Keys as a service lists them, with all that is known of them here. */
import type { SshKey } from '../../api/types/users.ts';
import { readAgentKeys, readKeyFiles, type LocalKey } from './localKeys.ts';
import { parsePublicKey, type PublicKey } from './publicKey.ts';
import { withoutEnd } from '../../util/budget.ts';

/** A key of an account, with the key itself when the service shows it or this computer has it. */
export interface KnownKey {
  fingerprint: string;
  name?: string;
  createdAt?: string;
  key?: PublicKey;
  /** The file on this computer that has it. */
  file?: string;
}

/** Adds to keys as the service lists them what the keys themselves tell. */
export function knownKeys(keys: readonly SshKey[], local: readonly LocalKey[] = []): KnownKey[] {
  return keys.map((listed) => {
    const { name, createdAt } = listed;
    const fingerprint = spelledAsOpenSsh(listed.fingerprint);
    const found = local.find(({ result }) => 'key' in result && result.key.fingerprint === fingerprint);
    const key = shownKey(listed) ?? (found && 'key' in found.result ? found.result.key : undefined);
    return {
      fingerprint: listed.fingerprint,
      ...(name !== undefined && { name }),
      ...(createdAt !== undefined && { createdAt }),
      ...(key && { key }),
      ...(found?.file !== undefined && { file: found.file }),
    };
  });
}

/** Every public key that this computer has, in files and in the agent. */
export async function localKeys(): Promise<LocalKey[]> {
  const [files, agent] = await Promise.all([readKeyFiles(), readAgentKeys()]);
  return [...files, ...('keys' in agent ? agent.keys : [])];
}

/** An account cannot have the same key twice: finds the entry that it is under. */
export function findKey(keys: readonly SshKey[], key: PublicKey): SshKey | undefined {
  return keys.find(({ fingerprint }) => spelledAsOpenSsh(fingerprint) === key.fingerprint);
}

/** A line of `authorized_keys`, which the comment and the name cannot leave. */
export function authorizedKeysLine({ key, name }: KnownKey): string | undefined {
  if (!key) {
    return undefined;
  }
  const comment = (key.comment || (name ?? '')).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return comment === '' ? key.line : `${key.line} ${comment}`;
}

/** The key itself, if the service shows it and it is the one whose fingerprint stands beside it. */
function shownKey({ publicKey, fingerprint }: SshKey): PublicKey | undefined {
  const result = publicKey === undefined ? undefined : parsePublicKey(publicKey);
  return result && 'key' in result && result.key.fingerprint === spelledAsOpenSsh(fingerprint)
    ? result.key
    : undefined;
}

/** Services may leave the algorithm out, or write the padding of the Base64. */
function spelledAsOpenSsh(fingerprint: string): string {
  const digest = withoutEnd(fingerprint.replace(/^SHA256:/i, ''), '=');
  return `SHA256:${digest}`;
}
