/** npm run package: builds the extension for use, packs it as patch-stacks.vsix, and checks what is in it. */
import { say } from './progress.ts';
import { makePackage } from './makePackage.ts';

const complaints = await makePackage();
for (const complaint of complaints) {
  say(complaint);
}
process.exitCode = complaints.length > 0 ? 1 : 0;
