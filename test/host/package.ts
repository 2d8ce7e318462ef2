/** npm run package: builds the extension for use and packs it as patch-stacks.vsix. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { buildExtension } from './build.ts';
import { packExtension } from './pack.ts';
import { say, step } from './progress.ts';
import { root } from './provision.ts';

await buildExtension(['--production']);
const file = path.join(root, 'patch-stacks.vsix');
await step('Packing patch-stacks.vsix', () => packExtension(file));
say(`patch-stacks.vsix  ${Math.round((await stat(file)).size / 1024)} KB`);
