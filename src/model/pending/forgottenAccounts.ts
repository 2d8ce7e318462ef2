/**
 * The accounts whose data a person has had deleted: pages keep what no one confirmed where the extension host cannot reach it,
 * and are told to throw it away. Each deletion has an id of its own, so that a page follows it once, whatever is typed for the
 * same account afterwards. It is the name of an empty file beside the folders of the accounts, which says nothing of whose it
 * was.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ForgottenAccount } from '../../util/forgottenAccount.ts';

const fileName = /^(?<account>[\w-]+)\.(?<id>[\da-f-]{36})\.forgotten$/;

/** The name of the account whose pending changes lie in a folder. */
export function accountOf(folder: string): string {
  return path.basename(path.dirname(folder));
}

/** Notes that the data of an account is deleted; only its last deletion counts. */
export async function noteForgotten(folder: string): Promise<void> {
  const account = accountOf(folder);
  const before = (await forgottenAccounts(folder)).filter((one) => one.account === account);
  await mkdir(accountsOf(folder), { recursive: true });
  await writeFile(fileOf(folder, { account, id: randomUUID() }), '');
  await Promise.all(before.map((one) => rm(fileOf(folder, one), { force: true })));
}

/** All that was noted, beside the folder of an account. */
export async function forgottenAccounts(folder: string): Promise<ForgottenAccount[]> {
  // The folder is not there before something is kept in it.
  const names = await readdir(accountsOf(folder)).catch(() => []);
  return names.flatMap((name) => {
    const { account, id } = fileName.exec(name)?.groups ?? {};
    return account === undefined || id === undefined ? [] : [{ account, id }];
  });
}

function accountsOf(folder: string): string {
  return path.dirname(path.dirname(folder));
}

function fileOf(folder: string, { account, id }: ForgottenAccount): string {
  return path.join(accountsOf(folder), `${account}.${id}.forgotten`);
}
