/**
 * npm run test:package: makes the package, checks what is in it, and runs end-to-end tests against it as VS Code itself has
 * installed it: a part that reaches every page, in which a missing file would show; `-- --full` runs all of them.
 *
 *   --reporter FILE   a reporter for mocha
 *   --retries COUNT   how often mocha tries a test again that has failed
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makePackage, packageFile } from '../../tools/makePackage.ts';
import { startGroup } from '../../tools/processes.ts';
import { say } from '../../tools/progress.ts';
import { root } from '../../tools/provision.ts';

const representative = [
  'test/e2e/patchDocument.test.ts',
  'test/e2e/releases.test.ts',
  'test/e2e/feedback.test.ts',
];

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    reporter: { type: 'string' },
    retries: { type: 'string', default: '0' },
  },
});
const complaints = await makePackage();
if (complaints.length > 0) {
  say(complaints.join('\n'));
  process.exitCode = 1;
} else {
  const group = startGroup(
    process.execPath,
    [
      path.join(root, 'node_modules/mocha/bin/mocha.js'),
      ...(values.reporter === undefined ? [] : ['--reporter', values.reporter]),
      '--retries',
      values.retries,
      ...(values.full ? ['test/e2e/**/*.test.ts'] : representative),
    ],
    { cwd: root, env: { ...process.env, PATCH_STACKS_VSIX: packageFile } },
  );
  process.exitCode = await group.exited;
}
