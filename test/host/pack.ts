import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { root } from './provision.ts';

/** Packs what `buildExtension(['--production'])` has built. */
export async function packExtension(packagePath: string): Promise<void> {
  // Without the pictures: whoever reads it in the editor's list of extensions would not see them.
  const readme = await readFile(path.join(root, 'README.md'), 'utf8');
  const pictures = /^!\[[^\]]*\]\([^)]*\)\n\n|^Both pictures are[^\n]*\n\n/gm;
  await writeFile(path.join(root, 'dist/README.md'), readme.replaceAll(pictures, ''));
  await createVSIX({
    cwd: root,
    packagePath,
    readmePath: 'dist/README.md',
    // Everything that is needed is in the bundles; vsce would otherwise look into node_modules.
    dependencies: false,
    skipLicense: false,
    allowMissingRepository: true,
    // Without a repository vsce knows no address for the README's pictures.
    rewriteRelativeLinks: false,
  });
}
