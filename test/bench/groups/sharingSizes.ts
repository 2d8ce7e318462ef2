/** The bytes that sharing costs: of a look at a remote that has nothing new, and of each operation on the disk. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SharedLogs } from '../../../src/service/sharing/logs.ts';
import {
  encodeBatch,
  pathOf,
  personOf,
  type LoggedOperation,
  type Writer,
} from '../../../src/service/sharing/operations.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { amountRow, sizeOfFolder, type Group, type Row } from '../measure.ts';

const logsAtRemote = 201;
const operations = 400;

const names = {
  poll: `sharing: a look at ${logsAtRemote} logs of which none is new, received`,
  growth: `sharing: an operation on the disk, after ${operations} rounds`,
};

const writerOf = (person: number): Writer => ({
  person: personOf(`${person}@example.com`),
  device: person.toString(16).padStart(16, '0'),
});

function said(writer: Writer, seq: number): string {
  const commit = 'c'.repeat(40);
  const operation: LoggedOperation = {
    id: '',
    writer,
    seq,
    clock: [1_700_000_000_000 + seq, 0],
    content: {
      type: 'text',
      branch: 'topic',
      change: 'I1',
      commit,
      section: 'a'.repeat(16),
      text: `Why this was done: ${'some words, '.repeat(10)}${seq}.`,
      over: [],
    },
  };
  return encodeBatch(writer, [operation]);
}

/** The bytes that come from a remote over SSH, for which a script stands here that notes them. */
async function measurePoll(folder: string): Promise<number> {
  const remote = GitRepository.remote();
  const before = { ...process.env };
  try {
    const logs = await SharedLogs.open(path.join(folder, 'poll'), { name: '0', email: '0@example.com' });
    const writer = writerOf(0);
    await logs.append(writer, said(writer, 1), []);
    await logs.push(remote.directory, writer);
    const tip = await logs.ownTip(writer);
    for (let person = 1; person < logsAtRemote; person++) {
      remote.git('update-ref', `refs/patch-stacks/v1/${pathOf(writerOf(person))}`, tip ?? '');
    }
    const received = path.join(folder, 'received');
    const script = path.join(folder, 'ssh');
    writeFileSync(script, `#!/bin/sh\nfor last; do :; done\nsh -c "$last" | tee '${received}'\n`, {
      mode: 0o755,
    });
    // Git tells OpenSSH, and no other one, that it speaks the protocol in which it can name what it asks for.
    Object.assign(process.env, { GIT_SSH: script, GIT_SSH_VARIANT: 'ssh' });
    const address = `ssh://host${remote.directory}`;
    await logs.fetch(address);
    await logs.fetch(address, undefined, false);
    return statSync(received).size;
  } finally {
    process.env = before;
    remote.remove();
  }
}

async function measureGrowth(folder: string): Promise<number> {
  const directory = path.join(folder, 'growth');
  const logs = await SharedLogs.open(directory, { name: '0', email: '0@example.com' });
  const writer = writerOf(0);
  await logs.append(writer, said(writer, 1), []);
  const before = sizeOfFolder(directory);
  for (let seq = 2; seq <= operations; seq++) {
    await logs.append(writer, said(writer, seq), []);
  }
  await logs.tidy();
  return (sizeOfFolder(directory) - before) / operations;
}

/** The bytes that sharing costs. */
export const group: Group = {
  async run(wanted) {
    if (!Object.values(names).some(wanted)) {
      return [];
    }
    const folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-sizes-'));
    const row = async (
      name: keyof typeof names,
      measure: () => Promise<number>,
      atMost: number,
    ): Promise<Row[]> =>
      wanted(names[name]) ? [amountRow(names[name], 'bytes', [await measure()], { atMost })] : [];
    try {
      return [
        ...(await row('poll', async () => measurePoll(folder), 1024)),
        ...(await row('growth', async () => measureGrowth(folder), 512)),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
