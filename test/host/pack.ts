import { createVSIX } from '@vscode/vsce';
import { root } from './provision.ts';

/** Packs what `buildExtension(['--production'])` has built. */
export async function packExtension(packagePath: string): Promise<void> {
  await createVSIX({
    cwd: root,
    packagePath,
    // Everything that is needed is in the bundles; vsce would otherwise look into node_modules.
    dependencies: false,
    skipLicense: false,
    allowMissingRepository: true,
    // Without a repository vsce knows no address for the README's pictures.
    rewriteRelativeLinks: false,
  });
}
