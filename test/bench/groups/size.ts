import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { buildExtension } from '../../../tools/build.ts';
import { packExtension } from '../../../tools/pack.ts';
import { packedFiles, startBudget } from '../../../tools/packageSizes.ts';
import { root } from '../../../tools/provision.ts';
import { amountRow, type Group, type Row } from '../measure.ts';
import { startSyntheticService } from '../syntheticService.ts';
import { BenchWorkbench } from '../workbench.ts';

/** Files of the package that are named: most of it is in those. */
const mostNamed = 8;

/** The size of a person's download, and of the part that their editor loads. One measurement each: files do not vary. */
export const group: Group = {
  async run(wanted) {
    const entry = 'size: the entry';
    const firstRow = 'size: everything loaded for the first row';
    const whole = 'size: the whole package';
    const rows: Row[] = [];
    if (wanted(entry) || wanted(whole)) {
      await buildExtension(['--production']);
    }
    if (wanted(entry)) {
      rows.push(
        amountRow(entry, 'KB', [await kilobytes(path.join(root, 'dist/extension.cjs'))], { atMost: 60 }),
      );
    }
    if (wanted(whole)) {
      const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-size-'));
      const packagePath = path.join(directory, 'patch-stacks.vsix');
      await packExtension(packagePath);
      const largest = [...(await packedFiles(packagePath))].sort((one, next) => next.packed - one.packed);
      const note = largest
        .slice(0, mostNamed)
        .map(({ name, packed }) => `${name} ${Math.round(packed / 1024)}`)
        .join(', ');
      rows.push(amountRow(whole, 'KB', [await kilobytes(packagePath)], { atMost: 1024 }, note));
      await rm(directory, { recursive: true });
    }
    if (wanted(firstRow)) {
      const service = await startSyntheticService();
      await using cleanup = new AsyncDisposableStack();
      cleanup.defer(() => service.close());
      await using code = await BenchWorkbench.start({ service });
      const probe = import.meta.resolve('../probes/loadedFiles.ts');
      const files = (await code.inHost(probe, 'patch-stacks.patch-stacks')) as string[];
      const sizes = await Promise.all(files.map(kilobytes));
      const sum = sizes.reduce((total, size) => total + size, 0);
      const client = sizes[files.findIndex((file) => file.includes('dispatchers'))] ?? 0;
      const note = `${files.length} files, of which ${Math.round(client)} KB are the HTTP client undici`;
      const budget = Object.values(await startBudget()).reduce((total, most) => total + most, 0);
      rows.push(amountRow(firstRow, 'KB', [sum], { atMost: budget }, note));
    }
    return rows;
  },
};

async function kilobytes(file: string): Promise<number> {
  return (await stat(file)).size / 1024;
}
