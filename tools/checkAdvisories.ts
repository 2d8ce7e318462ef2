/** npm run test:advisories: fails when a library that is shipped has a vulnerability that is known. A registry that does not answer is no failure. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { askRegistry, checkAdvisories, type AdvisoryList } from './advisories.ts';
import { say } from './progress.ts';
import { root } from './provision.ts';

const list = JSON.parse(
  await readFile(path.join(import.meta.dirname, 'advisories.json'), 'utf8'),
) as AdvisoryList;
const { complaints, remarks } = await checkAdvisories(root, list, askRegistry);
for (const sentence of [...remarks, ...complaints]) {
  say(sentence);
}
say(complaints.length === 0 ? 'No library that is shipped has a known vulnerability.' : '');
process.exitCode = complaints.length === 0 ? 0 : 1;
