/** What a round of sharing costs a service whose team has written much: where nothing is new, with one more operation, and the first. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SharedLogs } from '../../../src/service/sharing/logs.ts';
import {
  encodeBatch,
  pathOf,
  personOf,
  type LoggedOperation,
  type Operation,
  type Writer,
} from '../../../src/service/sharing/operations.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { RunningService } from '../../support/runningService.ts';
import { amountRow, processorTime, type Group, type Row } from '../measure.ts';

const team = { people: 10, operations: 1000, perCommit: 100, branches: 50, patchesPerBranch: 4 };
const start = 1_700_000_000_000;
const rounds = 25;

const of = '10,000 operations, 50 branches × 4 patches';
const names = {
  idle: `sharing: a round in which nothing is new, ${of}`,
  more: `sharing: a round with one more operation, ${of}`,
  first: `sharing: the first round, ${of}`,
};

const writerOf = (person: number): Writer => ({
  person: personOf(`${person}@example.com`),
  device: person.toString(16).padStart(16, '0'),
});
const hexadecimal = (number: number, length: number): string => number.toString(16).padStart(length, '0');
const branchOf = (index: number): string => `topic/${index}`;

/** A commit of a branch, and what all call it. */
interface Patch {
  branch: string;
  change: string;
  commit: string;
}

/** Adds the branches to the remote. */
function makeBranches(remote: GitRepository): Patch[] {
  const stream: string[] = [];
  const begin = (ref: string, seconds: number, message: string): void => {
    stream.push(
      `commit ${ref}`,
      `author 0 <0@example.com> ${seconds} +0000`,
      `committer 0 <0@example.com> ${seconds} +0000`,
      `data ${Buffer.byteLength(message)}\n${message}`,
    );
  };
  const main = remote.git('rev-parse', 'main');
  for (let branch = 0; branch < team.branches; branch++) {
    for (let patch = 0; patch < team.patchesPerBranch; patch++) {
      const ref = `refs/heads/${branchOf(branch)}`;
      begin(ref, start / 1000 - 100_000 + branch * 10 + patch, `Patch ${branch}.${patch}\n\nWhy it is.\n`);
      const text = `${branch} ${patch}\n`.repeat(10);
      stream.push(
        ...(patch === 0 ? [`from ${main}`] : []),
        `M 100644 inline file${patch}\ndata ${text.length}\n${text}`,
      );
    }
  }
  execFileSync('git', ['fast-import', '--quiet'], { cwd: remote.directory, input: `${stream.join('\n')}\n` });
  return Array.from({ length: team.branches }, (_, index) => {
    const branch = branchOf(index);
    const commits = remote.git('rev-list', '--reverse', `main..${branch}`).split('\n');
    return commits.map((commit, place) => ({
      branch,
      change: `I${hexadecimal(index * team.patchesPerBranch + place, 40)}`,
      commit,
    }));
  }).flat();
}

/** What a person writes: a text on each patch, again and again, and words on it. */
function* operationsOf(person: number, patches: readonly Patch[]): Generator<LoggedOperation> {
  const writer = writerOf(person);
  const heads = new Map<string, string>();
  const section = hexadecimal(person + 1, 16);
  for (let seq = 1; ; seq++) {
    const patch = patches[seq % patches.length]!;
    const id = `${pathOf(writer)}/${seq}`;
    const before = heads.get(patch.commit);
    const text: Operation = {
      type: 'text',
      ...patch,
      section,
      text: `Why ${person} did this: ${'some words, '.repeat(10)}${seq}.`,
      over: before === undefined ? [] : [before],
      ...(before === undefined && { after: null }),
    };
    const review: Operation = { type: 'review', ...patch, patch: hexadecimal(seq, 40), says: 'signed_off' };
    const email = `${person}@example.com`;
    const branch = branchOf(seq - 2);
    const version: Operation = {
      type: 'version',
      branch,
      changes: patches.filter((one) => one.branch === branch),
    };
    const content: Operation =
      seq === 1
        ? { type: 'person', name: `Person ${person}`, email }
        : person === 0 && seq < team.branches + 2
          ? version
          : seq % 4 === 3
            ? review
            : text;
    if (content === text) {
      heads.set(patch.commit, id);
    }
    yield { id, writer, seq, clock: [start + seq * team.people + person, 0], content };
  }
}

/** Writes everybody's logs into the remote. @returns What the first one writes next. */
function makeLogs(remote: GitRepository, patches: readonly Patch[]): Generator<LoggedOperation> {
  let first: Generator<LoggedOperation> | undefined;
  for (let person = 0; person < team.people; person++) {
    const writer = writerOf(person);
    const operations = operationsOf(person, patches);
    const stream: string[] = [];
    for (let written = 0; written < team.operations; written += team.perCommit) {
      const batch = Array.from({ length: team.perCommit }, () => operations.next().value as LoggedOperation);
      const text = encodeBatch(writer, batch);
      stream.push(
        `commit refs/patch-stacks/v1/${pathOf(writer)}`,
        `committer Team <team@example.com> ${start / 1000} +0000`,
        'data 1\nx',
        `M 100644 inline operations\ndata ${Buffer.byteLength(text)}\n${text}`,
      );
    }
    execFileSync('git', ['fast-import', '--quiet'], {
      cwd: remote.directory,
      input: `${stream.join('\n')}\n`,
    });
    first ??= operations;
  }
  return first!;
}

async function measureAll(wanted: (metric: string) => boolean, folder: string): Promise<Row[]> {
  const remote = GitRepository.withMain('remote');
  const clone = GitRepository.withMain('clone');
  const running = await RunningService.start({ repository: clone.directory });
  try {
    const patches = makeBranches(remote);
    const next = makeLogs(remote, patches);
    clone.git('remote', 'add', 'origin', remote.directory);
    clone.git('fetch', '--quiet', 'origin');
    const { service } = running;
    const measure = async (work: () => Promise<unknown>): Promise<number> => {
      const before = processorTime();
      await work();
      return processorTime() - before;
    };
    const first = await measure(async () => {
      await service.startSharing({ remote: 'origin', everySeconds: 86_400 });
      const { problems } = await service.shareNow();
      if (problems.length > 0) {
        throw new Error(`Something wasn't taken: ${JSON.stringify(problems[0])}`);
      }
    });
    // What the first one has said is known, and each round has held one snapshot against its log.
    for (let round = 0; round < 3; round++) {
      await service.shareNow();
    }
    // Nobody has written in the clone within these seconds, as in most rounds.
    clone.age();
    const idle: number[] = [];
    const more: number[] = [];
    const logs = await SharedLogs.open(path.join(folder, 'writer'), { name: '0', email: '0@example.com' });
    const writer = writerOf(0);
    const ref = `refs/patch-stacks/v1/${pathOf(writer)}`;
    execFileSync('git', ['fetch', '--quiet', remote.directory, `${ref}:${ref}`], {
      cwd: path.join(folder, 'writer'),
    });
    for (let round = 0; round < rounds; round++) {
      idle.push(await measure(async () => service.shareNow(false)));
      await logs.append(writer, encodeBatch(writer, [next.next().value as LoggedOperation]), []);
      await logs.push(remote.directory, writer);
      more.push(await measure(async () => service.shareNow(false)));
    }
    const row = (name: keyof typeof names, measured: readonly number[], atMost: number): Row[] =>
      wanted(names[name]) ? [amountRow(names[name], 'ms of processor time', measured, { atMost })] : [];
    return [...row('idle', idle, 10), ...row('more', more, 20), ...row('first', [first], 1000)];
  } finally {
    await running.stop();
    remote.remove();
    clone.remove();
  }
}

/** The processor time that rounds of sharing take. */
export const group: Group = {
  name: 'sharingRounds',
  async run(wanted) {
    if (!Object.values(names).some(wanted)) {
      return [];
    }
    const folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-rounds-'));
    try {
      return await measureAll(wanted, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
