/** Finds the program of an installed desktop VS Code: not its command-line helper, which ends before its window does. */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { findOnPath } from './provision.ts';

export function findDesktop(): string | undefined {
  const command = findOnPath('code');
  if (command === undefined || !hasDisplay()) {
    return undefined;
  }
  // …/bin/code beside …/code; in a remote terminal `code` is a script of another kind, and there is none.
  const folder = path.dirname(realpathSync(command));
  const candidates =
    process.platform === 'darwin'
      ? programsIn(path.resolve(folder, '../../../MacOS'))
      : [path.resolve(folder, process.platform === 'win32' ? '../Code.exe' : '../code')];
  return candidates.find((file) => existsSync(file) && path.basename(folder) === 'bin');
}

/** Returns true when a window can be shown at all. */
export function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

function programsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}
