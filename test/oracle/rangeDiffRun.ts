/**
 * npm run test:range-diff -- --repo PATH: rewrites stacks of a repository's history, elsewhere, and holds what the table of a stack's
 * changes tells of them against `git range-diff`.
 *
 *   --stacks N     so many stacks
 *   --seed N       other choices
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { say } from '../../tools/progress.ts';
import { asOneRun } from '../support/runFolder.ts';
import { holdAgainstRangeDiff } from './rangeDiff.ts';

const { values } = parseArgs({
  options: {
    repo: { type: 'string', default: '.' },
    stacks: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});

await asOneRun(async () => {
  const { missing, ...counts } = await holdAgainstRangeDiff(path.resolve(values.repo), {
    stacks: Number(values.stacks),
    seed: Number(values.seed),
  });
  missing.forEach((what) => say(what));
  say(`${JSON.stringify(counts)}, ${missing.length} not told`);
  return missing.length === 0 && counts.stacks > 0 ? 0 : 1;
});
