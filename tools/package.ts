/**
 * npm run package: builds the extension for use, packs it as patch-stacks.vsix, and checks what is in it.
 * `-- --files-at URL` has the pictures and links of the extension's page lead to the repository's files at that address, and
 * `-- --note-sizes` writes the table of its files in docs/package.md and the start budget in test/startBudget.json.
 */
import { parseArgs } from 'node:util';
import { say } from './progress.ts';
import { makePackage } from './makePackage.ts';

const { values } = parseArgs({
  options: { 'files-at': { type: 'string' }, 'note-sizes': { type: 'boolean', default: false } },
});
const complaints = await makePackage(values['files-at'], values['note-sizes']);
for (const complaint of complaints) {
  say(complaint);
}
process.exitCode = complaints.length > 0 ? 1 : 0;
