import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { root } from './provision.ts';
import { squeeze } from './squeeze.ts';

/**
 * Packs what `buildExtension(['--production'])` has built. The extension's page is that for those who use it.
 *
 * @param address where the files of the repository can be had as they are: the page's pictures and links then lead there, as
 *   a marketplace wants them. Without it they lead to what is in the package.
 */
export async function packExtension(packagePath: string, address?: string): Promise<void> {
  const page = await readFile(path.join(root, 'docs/marketplace.md'), 'utf8');
  await writeFile(path.join(root, 'dist/README.md'), pageOfPackage(page));
  await createVSIX({
    cwd: root,
    packagePath,
    readmePath: 'dist/README.md',
    // Everything that is needed is in the bundles; vsce would otherwise look into node_modules.
    dependencies: false,
    skipLicense: false,
    allowMissingRepository: true,
    ...(address === undefined
      ? { rewriteRelativeLinks: false }
      : { baseContentUrl: address, baseImagesUrl: address }),
  });
  await writeFile(packagePath, await squeeze(packagePath));
}

/** The page as it stands in the package, at its root, under the names that vsce gives to what it refers to. */
export function pageOfPackage(page: string): string {
  return page
    .replaceAll('](../', '](')
    .replaceAll('](CHANGELOG.md)', '](changelog.md)')
    .replaceAll('](LICENSE)', '](LICENSE.txt)');
}
