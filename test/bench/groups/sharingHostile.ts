/** How long a service keeps everybody waiting while it takes in what somebody has written to harm those who read it. */
import { execFileSync } from 'node:child_process';
import { encodeHeader, pathOf, personOf, type Writer } from '../../../src/service/sharing/operations.ts';
import { ada, GitRepository } from '../../support/gitRepository.ts';
import { Teammate } from '../../support/teammate.ts';
import { amountRow, watchTurns, type Group, type Row } from '../measure.ts';

/** In the first one all is fetched; in the others, what is left of it is taken in. */
const rounds = 3;
const start = 1_700_000_000_000;
const hexadecimal = (number: number, length: number): string => number.toString(16).padStart(length, '0');

/** A patch that everybody has. */
interface Place {
  branch: string;
  change: string;
  commit: string;
}

/** What writers have in their logs. */
interface Load {
  /** The operations, or lines, of each log's one commit. */
  said: (place: Place) => (object | string)[][];
  /** The texts that the patch has then. */
  texts: number;
}

const text = (place: Place, section: number, more: object): object => ({
  type: 'text',
  ...place,
  section: hexadecimal(section, 16),
  over: [],
  after: null,
  ...more,
});

/** Lines no two of which are the same, within the texts of one writer and among them. */
const ownLines = (of: string, count: number): string =>
  Array.from({ length: count }, (_none, index) => `${of} says in line ${index}: some more words.\n`).join('');

/** Each has all lines of the same text, with another word in every fourth of them. */
const ownWords = (of: string, count: number): string =>
  Array.from({ length: count }, (_none, index) =>
    index % 4 === 0 ? `${of} says in line ${index}: words.\n` : `Line ${index}: what all of them say.\n`,
  ).join('');

/** Lines of the same words again and again. Every second one says something else in front, the others at their ends: these can be joined. */
const sameWords = (of: string, count: number): string => {
  const isLast = Number(of.at(-1)) % 2 === 1;
  const [first, last] = isLast ? ['Nobody', of] : [of, 'Nobody'];
  return Array.from(
    { length: count },
    (_none, index) => `${first} ${'a b '.repeat(100)}${last}\n\nLine ${index}.\n\n`,
  ).join('');
};

const heads = (write: (of: string, count: number) => string, count: number): Load => ({
  said: (place) =>
    Array.from({ length: 8 }, (_none, index) => [
      text(place, 1, { text: write(`W${index}`, count), base: write('Nobody', count) }),
    ]),
  texts: 1,
});

const sections = 2000;
const added = (place: Place): object[] =>
  Array.from({ length: sections }, (_none, index) => text(place, index, { text: `Text ${index}.` }));

const loads: Readonly<Record<string, Load>> = {
  '2,000 sections in one patch': { said: (place) => [added(place)], texts: sections },
  '8 conflicting texts of 307 KB, line by line': heads(ownLines, 7500),
  '8 conflicting texts of 307 KB, in every fourth line': heads(ownWords, 8500),
  '8 conflicting texts of 307 KB, the same words in each line': heads(sameWords, 710),
  '293,000 operations that nobody knows': {
    said: () => [Array.from({ length: 293_000 }, () => ({ type: 'x' }))],
    texts: 0,
  },
  'a line of 8 million brackets': { said: () => [['['.repeat(8_000_000)]], texts: 0 },
};

const writerOf = (index: number): Writer => ({
  person: personOf(`mallory${index}@example.com`),
  device: hexadecimal(index + 1, 16),
});

/** Writes each writer's log into the remote. */
function plant(remote: GitRepository, said: (object | string)[][]): void {
  const stream = said.map((lines, index) => {
    const writer = writerOf(index);
    const content = [
      encodeHeader(writer),
      ...lines.map((line, at) =>
        typeof line === 'string'
          ? line
          : JSON.stringify({ seq: at + 1, clock: [start + index * 1_000_000 + at, 0], ...line }),
      ),
      '',
    ].join('\n');
    return [
      `commit refs/patch-stacks/v1/${pathOf(writer)}`,
      `committer Mallory <m@example.com> ${start / 1000} +0000`,
      'data 1\nx',
      `M 100644 inline operations\ndata ${Buffer.byteLength(content)}\n${content}`,
    ].join('\n');
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: remote.directory, input: `${stream.join('\n')}\n` });
}

/** The longest turn of the rounds in which a load is taken in, in milliseconds of the processor. */
async function measure({ said, texts }: Load): Promise<number> {
  const remote = GitRepository.create('remote');
  remote.git('config', 'core.bare', 'true');
  const reader = new Teammate('reader', remote.directory, ada);
  try {
    reader.clone.commitFile('README.md', '# Example\n', 'Start');
    reader.clone.branch('feature');
    const commit = reader.clone.commitFile('a.txt', 'a\n', 'First');
    reader.clone.git('push', '--quiet', 'origin', 'main', 'feature');
    await reader.start();
    await reader.share();
    const { change_id: change } = await reader.patch();
    plant(remote, said({ branch: 'feature', change, commit }));
    const longest = watchTurns();
    for (let round = 0; round < rounds; round++) {
      await reader.share();
    }
    const took = await longest();
    const page = await reader.page();
    if (page.length !== texts + 1) {
      throw new Error(`The patch has ${page.length} sections.`);
    }
    return took;
  } finally {
    await reader.remove();
    remote.remove();
  }
}

/** The longest turns of a service that takes in hostile logs. */
export const group: Group = {
  async run(wanted) {
    const rows: Row[] = [];
    for (const [name, load] of Object.entries(loads)) {
      const metric = `sharing: the longest turn, of ${name}`;
      if (wanted(metric)) {
        rows.push(amountRow(metric, 'ms of processor time', [await measure(load)], { atMost: 200 }));
      }
    }
    return rows;
  },
};
