/** npm run package: builds the extension for use and packs it as patch-stacks.vsix. */
import { createVSIX } from '@vscode/vsce';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { buildExtension } from './build.ts';
import { say, step } from './progress.ts';
import { root } from './provision.ts';

await buildExtension(['--production']);
const file = path.join(root, 'patch-stacks.vsix');
// Everything that is needed is in the bundles; vsce would otherwise look into node_modules.
await step('Packing patch-stacks.vsix', () =>
  createVSIX({
    cwd: root,
    packagePath: file,
    dependencies: false,
    skipLicense: false,
    allowMissingRepository: true,
  }),
);
say(`patch-stacks.vsix  ${Math.round((await stat(file)).size / 1024)} KB`);
