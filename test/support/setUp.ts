/**
 * Around each run of mocha, whoever starts it: tests in a window or a browser run what the sources say now, and a run that
 * something keeps from ending says what that is, and ends.
 */
import path from 'node:path';
import { inspect } from 'node:util';
import type Mocha from 'mocha';
import { buildExtension } from '../../tools/build.ts';
import { openRunFolder } from './runFolder.ts';
import { testTimes } from './underWay.ts';

/** Milliseconds between two looks for the process that has started this one. */
const lookForParentMs = 1_000;

// Of its own: repositories that another file has left are known by their commits, which are the same.
process.env['XDG_DATA_HOME'] = path.join(openRunFolder(), `data-${process.pid}`);
endWithParent();

/** Milliseconds in which everything that tests have begun is over. */
const overWithinMs = Number(process.env['PATCH_STACKS_TEST_OVER_WITHIN'] ?? 10_000);

/**
 * Files whose tests start git most often, in the order in which they begin, before all others: starting a process takes the longer,
 * the more memory has been in use in the one that starts it. After the others, git took them three times as long.
 */
const startGitOften = [
  'test/contract/sharingVersions.test.ts',
  'test/contract/serviceSharing.test.ts',
  'test/contract/sharingCost.test.ts',
  'test/contract/sharingDamage.test.ts',
  'test/contract/sharingDevices.test.ts',
  'test/unit/service/sharing/logs.test.ts',
  'test/unit/service/rewrites.test.ts',
  'test/unit/service/othersBranches.test.ts',
  'test/unit/service/rebasedPatches.test.ts',
  'test/unit/service/pruning.test.ts',
  'test/unit/service/stores.test.ts',
].map((file) => path.resolve(file));

/** Builds what windows and pages are made of, where tests need it. */
export async function mochaGlobalSetup(this: Mocha.Runner): Promise<void> {
  testTimes.follow(this);
  const place = ({ file = '' }: Mocha.Suite): number => startGitOften.indexOf(file) + 1 || Infinity;
  this.suite.suites = this.suite.suites.toSorted((a, b) =>
    place(a) < place(b) ? -1 : Number(place(a) > place(b)),
  );
  if (this.suite.suites.some(({ file }) => /[\\/]test[\\/]e2e[\\/]/.test(file ?? ''))) {
    await buildExtension();
  }
}

/** Mocha runs the tests in a process of their own, which nothing tells when Mocha was killed. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) {
      process.exit(1);
    }
  }, lookForParentMs).unref();
}

/** Ends a process that is still there when its tests are over, and fails it. */
export function mochaGlobalTeardown(): void {
  setTimeout(() => {
    const kept = stillOpen();
    process.stderr.write(
      `\nThe tests are over, but this kept the process from ending:\n${kept.map((line) => `  ${line}`).join('\n')}\n`,
    );
    // Mocha itself says how its tests went at the very end.
    process.on('exit', () => (process.exitCode = 1));
    process.exit(1);
  }, overWithinMs).unref();
}

/** The handles that keep this process from ending, described as Node.js knows them. */
function stillOpen(): string[] {
  // The only way to ask what a socket or a process is; Node.js itself shows no more than kinds.
  const handles = (process as unknown as { _getActiveHandles: () => object[] })._getActiveHandles();
  const output = new Set<object>([process.stdin, process.stdout, process.stderr]);
  const described = handles
    .filter((handle) => !output.has(handle))
    .map((handle) => {
      const known = handle as Record<string, unknown>;
      const names = [
        'spawnfile',
        'pid',
        'remoteAddress',
        'remotePort',
        'localPort',
        '_connectionKey',
        'path',
      ];
      const facts = names.filter((name) => known[name] !== undefined && known[name] !== null);
      const said = facts.map((name) => `${name} ${inspect(known[name])}`).join(', ');
      return `${handle.constructor.name}${said === '' ? '' : `: ${said}`}`;
    });
  return described.length > 0 ? described : [...new Set(process.getActiveResourcesInfo())];
}
