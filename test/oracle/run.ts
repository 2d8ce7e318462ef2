/**
 * npm run test:oracle -- --repo PATH: imports a repository into a local service, and compares all that it serves with git.
 *
 *   --base REF     what all branches are compared with
 *   --stacks N     only so many stacks, the smallest first
 *   --patches N    only so many patches of each
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startService } from '../../src/service/service.ts';
import { say } from '../../tools/progress.ts';
import { asOneRun } from '../support/runFolder.ts';
import { askOracle } from './oracle.ts';

const { values } = parseArgs({
  options: {
    repo: { type: 'string', default: '.' },
    base: { type: 'string' },
    stacks: { type: 'string' },
    patches: { type: 'string' },
  },
});
const numberOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

const repository = path.resolve(values.repo);
await asOneRun(async () => {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-data-'));
  try {
    const started = performance.now();
    const service = await startService({ dataDirectory, repository, base: values.base });
    const { imported, url, token } = service;
    if (!imported) {
      throw new Error('Nothing was imported.');
    }
    say(
      `${imported.stacks.length} stacks, compared with ${imported.bases.join(', ')}, in ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
    const verdict = await askOracle(
      repository,
      { imported, url, token },
      { stacks: numberOf(values.stacks), patches: numberOf(values.patches), onProgress: say },
    );
    await service.close();
    const { stacks, patches, sections, applied, notUtf8, mismatches } = verdict;
    mismatches.forEach((mismatch) => say(mismatch));
    say(
      `${stacks} stacks, ${patches} patches (${applied} applied), ${sections} sections (${notUtf8} not UTF-8), ${mismatches.length} mismatches`,
    );
    return mismatches.length === 0 && patches > 0 ? 0 : 1;
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
});
