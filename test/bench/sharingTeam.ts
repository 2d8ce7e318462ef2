/** A team whose reviews are shared, for the benchmark: its branches at the remote, and what each of its people writes. */
import { execFileSync } from 'node:child_process';
import {
  encodeBatch,
  pathOf,
  personOf,
  type LoggedOperation,
  type Operation,
  type Writer,
} from '../../src/service/sharing/operations.ts';
import type { GitRepository } from '../support/gitRepository.ts';

/** The size of the team. */
export const team = { people: 10, branches: 50, patchesPerBranch: 4 };
/** When its branches were made, in milliseconds since the epoch. */
export const start = 1_700_000_000_000;

/** The device of a person of the team, by their number. */
export const writerOf = (person: number): Writer => ({
  person: personOf(`${person}@example.com`),
  device: person.toString(16).padStart(16, '0'),
});
const hexadecimal = (number: number, length: number): string => number.toString(16).padStart(length, '0');
const branchOf = (index: number): string => `topic/${index}`;

/** A commit of a branch, and what all call it. */
export interface Patch {
  branch: string;
  change: string;
  commit: string;
}

/** Adds the branches to the remote. */
export function makeBranches(remote: GitRepository): Patch[] {
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
export function* operationsOf(person: number, patches: readonly Patch[]): Generator<LoggedOperation> {
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

/** What `git fast-import` reads to add operations to the log of somebody. */
export function commitOf(writer: Writer, batch: readonly LoggedOperation[], before?: string): string {
  const text = encodeBatch(writer, batch);
  return [
    `commit refs/patch-stacks/v1/${pathOf(writer)}`,
    `committer Team <team@example.com> ${start / 1000} +0000`,
    'data 1\nx',
    ...(before === undefined ? [] : [`from ${before}`]),
    `M 100644 inline operations\ndata ${Buffer.byteLength(text)}\n${text}`,
  ].join('\n');
}
