/** An hour of someone who opens and closes one thing after the other, in a real VS Code: nothing may have gathered at its end. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startService } from '../../src/service/service.ts';
import { BenchWorkbench } from '../bench/workbench.ts';
import { makeExampleRepository } from '../support/exampleRepository.ts';
import { Trial, type Attack } from './attack.ts';
import type { Hour, HourMeasured } from './probes/openAndClose.ts';

async function openAndClose(hour: Hour): Promise<HourMeasured> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-soak-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const { directory: folder } = await makeExampleRepository(directory);
  const service = await startService({ repository: folder, dataDirectory: path.join(directory, 'data') });
  cleanup.defer(() => service.close());
  await using code = await BenchWorkbench.start({ service, folder });
  return (await code.inHost(import.meta.resolve('./probes/openAndClose.ts'), hour)) as HourMeasured;
}

/** Minutes after which what gathers is noticed. */
const noticedAfter = 12;

export const attacks: readonly Attack[] = [
  {
    name: 'soak: opening and closing, in a window',
    onlyInFull: true,
    async run() {
      const trial = new Trial();
      await trial.try('the hour', async () => {
        const { opened, looks } = await openAndClose({ minutes: 60, planted: false });
        trial.tried += opened;
        await trial.isFlat(looks);
      });
      return trial;
    },
  },
  {
    name: 'soak: notices what is planted in a window',
    onlyInFull: true,
    async run() {
      const trial = new Trial();
      const { looks } = await openAndClose({ minutes: noticedAfter, planted: true });
      const noticed = new Trial();
      await noticed.isFlat(looks);
      for (const what of Object.keys(looks[0] ?? {})) {
        await trial.try(what, () =>
          assert.ok(
            noticed.failures.some((failure) => failure.startsWith(`${what}:`)),
            `it went unnoticed (${noticed.failures.join('; ')})`,
          ),
        );
      }
      return trial;
    },
  },
];
