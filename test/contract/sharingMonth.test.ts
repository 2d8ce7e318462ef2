/** A month of a team that reviews one branch: everything at once that single tests hold one by one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SectionRow } from '../../src/service/storage/sections.ts';
import { pathOf } from '../../src/service/sharing/operations.ts';
import { isFull } from '../support/full.ts';
import { Random } from '../support/random.ts';
import { commitNamed, Desk, hour, Team, type Commit } from '../support/sharedDesk.ts';

/** Days, and things that somebody does on each of them. */
const month = isFull ? { days: 30, deeds: 40, seeds: 3 } : { days: 6, deeds: 25, seeds: 1 };
/** Bytes of the logs' repository for each operation, once it is tidy. */
const mostBytes = 512;

const day = 24 * hour;

/** The people, by the devices that they have, with how far their clocks are ahead. */
const devices = [
  { name: 'ada', device: '0', ahead: 0 },
  { name: 'ada', device: '1', ahead: 90_000 },
  { name: 'bob', device: '2', ahead: -20 * 60_000 },
  { name: 'carl', device: '3', ahead: 25 * 60_000 },
];

/** A team at work, and all that it has written and nobody has taken back. */
class Month {
  readonly team = new Team();
  readonly desks: Desk[];
  readonly #random: Random;
  /** The words that stand in a text until somebody deletes that, by the codes of the texts. */
  readonly #words = new Map<string, string[]>();
  readonly #deleted = new Set<string>();
  #count = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.team.commits = [commitNamed('a'), commitNamed('b')];
    this.desks = devices.map(({ name, ...more }) => new Desk(this.team, name, more));
  }

  run(): void {
    for (let date = 0; date < month.days; date++) {
      // Each is away on some days.
      const there = this.desks.filter(() => !this.#random.oneIn(5));
      for (let deed = 0; deed < month.deeds; deed++) {
        this.team.time += this.#random.below((8 * hour) / month.deeds);
        const desk = this.#random.pick(this.desks);
        if (desk) {
          this.#act(desk, there.includes(desk));
        }
      }
      this.team.time += day - 8 * hour;
    }
  }

  #act(desk: Desk, isOnline: boolean): void {
    const commit = this.#random.pick(this.team.commits);
    const change = commit?.change ?? '';
    if (!desk.has(change)) {
      return;
    }
    const code = this.#random.pick(
      desk.sections(change).filter(({ section_type }) => section_type === 'text'),
    )?.code;
    const dice = this.#random.below(100);
    if (dice < 15) {
      const word = this.#word();
      this.#words.set(desk.add(word, undefined, change), [word]);
    } else if (dice < 40 && code !== undefined) {
      const word = this.#word();
      desk.edit(code, `${desk.text(code, change) ?? ''}\n\n${word}`, change);
      this.#words.get(code)?.push(word);
    } else if (dice < 43 && code !== undefined) {
      desk.remove(code, change);
      this.#deleted.add(code);
    } else if (dice < 50) {
      desk.sign(!this.#random.oneIn(3), change);
    } else if (dice < 55) {
      desk.turn(change);
    } else if (dice < 58) {
      desk.title = this.#word();
    } else if (dice < 62 && commit) {
      this.#amend(commit);
    } else if (dice < 70) {
      desk.pull();
    } else if (dice < 73) {
      // Killed when all is noted, and nothing of it is in the log.
      desk.reconcile();
      desk.restart();
    } else if (isOnline) {
      desk.round();
      if (this.#random.oneIn(10)) {
        desk.restart();
      }
    }
  }

  #word(): string {
    return `word${this.#count++}`;
  }

  #amend(commit: Commit): void {
    const sha = (this.#count++).toString(16).padStart(40, 'f');
    this.team.commits = this.team.commits.map((one) =>
      one === commit ? { ...one, sha, patchSha: `p${this.#count}` } : one,
    );
  }

  /** All come back, and share until nobody has anything to say. */
  end(): void {
    this.desks.forEach((desk) => desk.pull());
    this.team.time += day;
    for (let round = 0; round < 4; round++) {
      this.desks.forEach((desk) => desk.round());
    }
  }

  /** The words that must be there, with the texts that they stand in. */
  get kept(): [code: string, words: string[]][] {
    return [...this.#words].filter(([code]) => !this.#deleted.has(code));
  }

  /** The operations that all of them have said. */
  get operations(): number {
    return this.desks.reduce((sum, { said }) => sum + said.length, 0);
  }
}

/** The words of a text, whichever version of it has them where they conflict. */
function wordsOf(section: SectionRow & { versions?: string | null }): string[] {
  const all = `${section.text ?? ''} ${section.versions ?? ''}`.match(/word\d+/g) ?? [];
  return [...new Set(all)].sort();
}

/** The bytes of a repository with the logs of all, once it is tidy. */
function bytesOf(desks: readonly Desk[]): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-month-'));
  try {
    const git = (args: string[], input = ''): void =>
      void execFileSync('git', args, { cwd: folder, input, stdio: ['pipe', 'ignore', 'ignore'] });
    git(['init', '--quiet', '--bare', '--template=', '.']);
    const commits = desks.flatMap(({ own, log }) =>
      log.map((text, index) => {
        const size = Buffer.byteLength(text);
        return `commit refs/patch-stacks/v1/${pathOf(own.writer)}\ncommitter A <a@example.com> ${1_800_000_000 + index} +0000\ndata 13\nShare reviews\nM 100644 inline operations\ndata ${size}\n${text}\n`;
      }),
    );
    git(['fast-import', '--quiet'], commits.join(''));
    git(['gc', '--quiet']);
    const packs = path.join(folder, 'objects', 'pack');
    return readdirSync(packs).reduce((sum, name) => sum + statSync(path.join(packs, name)).size, 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('a month of sharing', function () {
  this.timeout(isFull ? 900_000 : 120_000);

  for (let seed = 1; seed <= month.seeds; seed++) {
    it(`comes to the same for all, loses nothing, and takes little room (${seed})`, () => {
      const all = new Month(seed);
      all.run();
      all.end();
      const { desks, team, operations } = all;
      const sections = (desk: Desk): [name: string, words: string[]][] =>
        team.commits
          .flatMap(({ change }) => desk.sections(change))
          .map((section) => [
            section.section_type === 'text' ? section.code : section.identifier,
            wordsOf(section),
          ]);
      const stateOf = (desk: Desk): unknown => [
        desk.title,
        sections(desk),
        team.commits.map(({ change }) => desk.reviews(change)),
      ];
      for (const desk of desks) {
        assert.deepEqual(stateOf(desk), stateOf(desks[0]!));
        assert.deepEqual([desk.withheld, [...desk.refused]], [[], []]);
      }
      const page = new Map(sections(desks[0]!));
      for (const [code, words] of all.kept) {
        words.forEach((word) => assert.ok(page.get(code)?.includes(word), `${word} is in ${code}`));
      }
      for (const desk of desks) {
        const { writes } = desk;
        assert.deepEqual([desk.round(), desk.writes - writes], [0, 0]);
      }
      assert.ok(operations > month.days * 8, String(operations));
      const perOperation = bytesOf(desks) / operations;
      assert.ok(perOperation <= mostBytes, `${Math.round(perOperation)} bytes`);
    });
  }
});
