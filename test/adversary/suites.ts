/** Attempts of the project's own tests, counted with the rest when everything is asked for. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildExtension } from '../../tools/build.ts';
import { startGroup } from '../../tools/processes.ts';
import { root } from '../../tools/provision.ts';
import { readCounts } from '../host/results.ts';
import type { Attack } from './attack.ts';

function suite(name: string, command: string): Attack {
  return {
    name,
    onlyInFull: true,
    async run() {
      // The tests in a window take what was built.
      await buildExtension();
      const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-adversary-'));
      const results = path.join(directory, 'results.json');
      const logFile = path.join(directory, 'log');
      const env = { ...process.env, PATCH_STACKS_TEST_RESULTS: results, PATCH_STACKS_TEST_FULL: '1' };
      const code = await startGroup(command, [], { cwd: root, shell: true, env, logFile }).exited;
      const { passed, failed, failures = [] } = readCounts(results) ?? { passed: 0, failed: 0 };
      const isWhole = code === 0 && failed === 0 && passed > 0;
      if (!isWhole) {
        const reasons = failures.length > 0 ? failures : [`it ended with code ${code}`];
        return { tried: passed + failed, failures: reasons.map((reason) => `${reason} (see ${logFile})`) };
      }
      await rm(directory, { recursive: true });
      return { tried: passed, failures: [] };
    },
  };
}

const mocha = (file: string): string => `mocha --reporter ./test/host/reporter.ts ${file}`;

export const attacks: readonly Attack[] = [
  suite('faults of the network, for every operation', mocha('test/contract/faults.test.ts')),
  suite(
    'pending changes, when the process is killed',
    mocha('test/contract/pendingChanges.test.ts test/unit/model/pending/journal.test.ts'),
  ),
  suite(
    'files of 200 MB, sent and received',
    mocha('test/contract/transport.test.ts test/contract/serviceUploads.test.ts'),
  ),
  suite(
    'what was read and signed off, when stacks are rewritten',
    mocha(
      ['carryMarks', 'readingStates', 'signOffUnchanged', 'splitSources']
        .map((name) => `test/unit/model/reading/${name}.test.ts`)
        .join(' '),
    ),
  ),
  suite('sign-offs, when there is a new version at that moment', mocha('test/contract/signOffRaces.test.ts')),
  suite('typing, when the extension host is killed', mocha('test/e2e/killed.test.ts')),
  suite('markup that attacks the patch document', mocha('test/e2e/patchDocumentSafety.test.ts')),
  suite('a service that means harm, in the window', mocha('test/e2e/hostileService.test.ts')),
  suite('the sign-in that is handed over, in terminals and tasks', mocha('test/e2e/handover.test.ts')),
  suite(
    'a repository that names programs, opened by npm start',
    mocha(`test/e2e/start.test.ts -g 'runs nothing'`),
  ),
  suite('links to other accounts and unknown servers', mocha('test/e2e/links.test.ts')),
  suite('another user of the computer, at the local service', mocha('test/contract/serviceLogin.test.ts')),
  suite('known vulnerabilities of what is shipped', mocha('test/unit/tools/advisories.test.ts')),
  suite(
    'the access token, told to anybody',
    'node tools/bootstrap.mjs test/host/run.ts --grep "access token"',
  ),
];
