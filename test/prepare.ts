/**
 * Makes what the tests of a run share, once: what is built, the package (--package), VS Code in each version and the browser.
 */
import { parseArgs } from 'node:util';
import { buildExtension } from '../tools/build.ts';
import { makePackage } from '../tools/makePackage.ts';
import { Refusal, say } from '../tools/progress.ts';
import { codeServerVersion, provideBrowser, provideVsCode } from '../tools/provision.ts';

const { values } = parseArgs({
  options: { package: { type: 'boolean', default: false }, vscode: { type: 'string', multiple: true } },
});
try {
  if (values.package) {
    // Complaints about it are for checkPackage.ts: windows can be tested all the same.
    await makePackage();
  }
  await buildExtension(['--tests']);
  for (const version of values.vscode ?? []) {
    await provideVsCode(codeServerVersion(version));
  }
  await provideBrowser();
} catch (error) {
  say(error instanceof Refusal ? error.message : String(error));
  process.exitCode = 1;
}
