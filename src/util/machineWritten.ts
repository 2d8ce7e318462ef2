/** Files that a machine wrote: no one needs to read all of them, so they start out folded. */

const lockFiles = new Set([
  'bun.lock', 'bun.lockb', 'cargo.lock', 'composer.lock', 'deno.lock', 'flake.lock', 'gemfile.lock', 'go.sum', 'go.work.sum',
  'gradle.lockfile', 'mix.lock', 'npm-shrinkwrap.json', 'package-lock.json', 'package.resolved', 'packages.lock.json',
  'paket.lock', 'pdm.lock', 'pipfile.lock', 'pnpm-lock.yaml', 'podfile.lock', 'poetry.lock', 'pubspec.lock', 'uv.lock',
  'yarn.lock', '.terraform.lock.hcl',
]); // prettier-ignore

const generatedName =
  /(\.min\.(js|mjs|cjs|css)|\.(js|css)\.map|[._]pb\.(go|h|cc|dart)|_pb2?(_grpc)?\.(py|js|ts|d\.ts)|\.g\.(dart|cs|ts)|\.generated\.\w+|\.designer\.cs|_generated\.\w+)$/i;
const generatedFolder = /(^|\/)(dist|vendor|node_modules|__generated__|third_party)\//;

/** The kind of machine-written file, by its path; undefined for others. */
export function machineWritten(path: string): 'lock' | 'generated' | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (lockFiles.has(name)) {
    return 'lock';
  }
  return generatedName.test(name) || generatedFolder.test(path) ? 'generated' : undefined;
}
