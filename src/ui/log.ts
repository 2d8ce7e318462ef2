import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';
import { RecentLines } from '../util/recentLines.ts';
import { lazy } from '../util/lazy.ts';
import type { LogDocument } from './logDocument.ts';

const name = 'Patch Stacks';

/** The extension's one log: VS Code's own output channel with levels, shown by the *Show Log* command. */
export interface Log extends Disposable {
  debug(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  error(message: string, ...details: unknown[]): void;
  /** Shows it: as VS Code's own channel, or, where the editor writes none, as a document that says so. */
  show(): Promise<void>;
  /** The last lines written, of all levels, whatever the channel shows. */
  recent(): string;
}

const remembered = 512 * 1024;

/**
 * Creates the log. What is written to it must hold no secret.
 *
 * @param folder where VS Code writes the channel of this window.
 */
export function createLog(folder: vscode.Uri, now = () => new Date()): Log {
  const channel = vscode.window.createOutputChannel(name, { log: true });
  const lines = new RecentLines(remembered);
  let shown: LogDocument | undefined;
  const document = lazy(async () => {
    const { LogDocument } = await import('./logDocument.ts');
    shown = new LogDocument(() => lines.text());
    return shown;
  });
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, ...details: unknown[]): void => {
      channel[level](message, ...details);
      lines.add(`${now().toISOString()} [${level}] ${[message, ...details.map(String)].join(' ')}`);
      shown?.update();
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    show: async () => {
      if (await isWritten(folder)) {
        channel.show();
      } else {
        await (await document()).show();
      }
    },
    recent: () => lines.text(),
    dispose: () => {
      shown?.dispose();
      channel.dispose();
    },
  };
}

/**
 * True when the editor writes the channel to a file, which is then what it shows. Some editors have no library to write it with.
 */
async function isWritten(folder: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, `${name}.log`));
    return true;
  } catch {
    return false;
  }
}
