import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isFull } from '../support/full.ts';
import { callService } from '../support/runningService.ts';
import { Program } from '../support/serviceProgram.ts';
import { TeamOfTwo } from '../support/teammate.ts';
import { until } from '../support/until.ts';

/** Every so many-th of the moments in which it can be killed; all of them take minutes. */
const step = isFull ? 1 : 7;
/** Moments are before and after each of at least so many runs of git. */
const fewestMoments = 25;

/** More runs of git than there are. */
const never = 1_000_000;

/** The moments of a run of git at which it can be killed. */
const moments = ['before', 'during', 'after'] as const;
type Moment = (typeof moments)[number];

/**
 * A `git` that kills whoever runs it the n-th time, or the next time where it missed that: before it does anything, or when it has done it.
 * While it does it, it is killed as well, as soon as there is a lock.
 */
class KillingGit {
  readonly environment: NodeJS.ProcessEnv;
  readonly #folder: string;

  /** @param data The folder of the service's data. */
  constructor(folder: string, data: string) {
    this.#folder = folder;
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    const script = `#!/bin/sh
[ -e "${folder}/plan" ] || exec "${git}" "$@"
exec 9>"${folder}/lock"
flock 9
read at moment <"${folder}/plan"
read count <"${folder}/count"
count=$((count + 1))
echo $count >"${folder}/count"
exec 9>&-
if [ $count -ge $at ] && [ $moment = before ]; then
  kill -9 $PPID
  exit 1
fi
if [ $count -ge $at ] && [ $moment = during ]; then
  exec 3<&0
  rm -f "${folder}/done"
  ("${git}" "$@" <&3; : >"${folder}/done") &
  until [ -e "${folder}/done" ] || [ -n "$(find "${data}/sharing" -name '*.lock' 2>/dev/null)" ]; do :; done
  kill -9 -- -$PPID
fi
"${git}" "$@"
code=$?
if [ $count -ge $at ]; then
  kill -9 $PPID
fi
exit $code
`;
    writeFileSync(path.join(bin, 'git'), script, { mode: 0o755 });
    this.environment = { PATH: `${bin}${path.delimiter}${process.env['PATH']}` };
  }

  /** Counts from now on. */
  arm(at: number, moment: Moment): void {
    writeFileSync(path.join(this.#folder, 'count'), '0\n');
    // Whole at once: a run that found it empty would be counted, and harm nobody.
    writeFileSync(path.join(this.#folder, 'next'), `${at} ${moment}\n`);
    renameSync(path.join(this.#folder, 'next'), path.join(this.#folder, 'plan'));
  }

  disarm(): void {
    rmSync(path.join(this.#folder, 'plan'), { force: true });
  }

  get runs(): number {
    const file = path.join(this.#folder, 'count');
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  }
}

describe('service: killed while it shares', function () {
  this.timeout(isFull ? 900_000 : 240_000);
  const team = new TeamOfTwo((who) => who.pushFeature(['a.txt', 'a\n', 'First\n\nThe message.']));
  const { ann, bob } = team;
  let folder: string;
  let bobsPatch: string;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-kills-'));
    await team.begin();
    ({ path: bobsPatch } = await bob.patch());
    await bob.stop();
  });

  after(async () => {
    await team.end();
    team.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('loses nothing, adds nothing twice, and goes on at the next start, whenever that was', async () => {
    const git = new KillingGit(folder, bob.running.dataDirectory);
    const { path: patch } = await ann.patch();
    const written: string[] = [];

    /** Starts Bob's service, and has both write something: what is there from then on is to be shared. */
    const begin = async (name: string): Promise<Program> => {
      await ann.call('POST', `${patch}/section`, { type: 'text', text: `Of Ann, ${name}.` });
      await ann.share();
      const args = ['--repo', bob.clone.directory, '--data', bob.running.dataDirectory];
      const share = ['--share', 'origin', '--share-every', '1'];
      const program = new Program([...args, ...share], git.environment, { detached: true });
      const json = { type: 'text', text: `Of Bob, ${name}.` };
      const { status } = await callService(await program.ready(), 'POST', `${bobsPatch}/section`, { json });
      assert.ok(status < 300);
      written.push(`Of Ann, ${name}.`, json.text);
      return program;
    };

    // So often git is run until all is shared.
    const program = await begin('unharmed');
    git.arm(never, 'before');
    await until(async () => {
      await ann.share();
      return (await ann.page()).includes('Of Bob, unharmed.');
    });
    const runs = git.runs;
    git.disarm();
    program.child.kill('SIGKILL');
    await program.ended;

    let kills = 0;
    for (let at = 1; at <= Math.max(runs, fewestMoments); at += step) {
      for (const moment of moments) {
        const victim = await begin(`${moment} ${at}`);
        git.arm(at, moment);
        assert.equal(await victim.ended, 'SIGKILL', victim.errors);
        git.disarm();
        kills++;
      }
    }
    assert.ok(kills * step >= moments.length * fewestMoments, `${kills} of ${runs} moments`);
    await bob.start();
    assert.deepEqual(await bob.share(ann, bob), { state: 'shared', waiting: 0, problems: [] });
    assert.deepEqual(await ann.page(), await bob.page());
    assert.deepEqual((await ann.page()).filter((text) => text.startsWith('Of ')).sort(), written.sort());
  });
});
