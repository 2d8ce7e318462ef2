import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { root } from './provision.ts';
import { squeeze } from './squeeze.ts';

/**
 * Packs what `buildExtension(['--production'])` has built. The extension's page is that for those who use it.
 *
 * @param address where the files of the repository can be had as they are: the page's pictures and links then lead there.
 *   Without it the page has none of them.
 */
export async function packExtension(packagePath: string, address?: string): Promise<void> {
  const page = await readFile(path.join(root, 'docs/marketplace.md'), 'utf8');
  await writeFile(path.join(root, 'dist/README.md'), pageOfPackage(page, address !== undefined));
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
  await writeFile(packagePath, await squeeze(packagePath, asUsed));
}

/**
 * The page as it stands in the package, at its root. VS Code shows what is on the web and nothing else: it takes pictures and links of the
 * package itself away, and pictures in `data:` URLs.
 *
 * @param isOnWeb whether the repository's files can be had at an address, which is then put before their names.
 */
export function pageOfPackage(page: string, isOnWeb: boolean): string {
  const fromRoot = page.replaceAll('](../', '](');
  return isOnWeb
    ? fromRoot
    : fromRoot.replaceAll(/^!\[.*\]\(.*\)\n\n/gm, '').replaceAll(/\[([^\]]*)\]\((?!https:)[^)]*\)/g, '$1');
}

/** What only those need of the manifest who build the extension. */
const forBuilding = ['scripts', 'devDependencies', 'allowScripts', 'mocha', 'prettier'];

/** A file as it is packed: the manifest without what is for building, and JSON without the space that only people need. */
function asUsed(name: string, content: Buffer): Buffer | string {
  if (!name.endsWith('.json')) {
    return content;
  }
  const values = Object.entries(JSON.parse(content.toString('utf8')) as object);
  const isUsed = (key: string): boolean => name !== 'extension/package.json' || !forBuilding.includes(key);
  return JSON.stringify(Object.fromEntries(values.filter(([key]) => isUsed(key))));
}
