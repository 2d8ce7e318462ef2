import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';
import { RecentLines } from '../util/recentLines.ts';

/** The extension's one log: VS Code's own output channel with levels, shown by the *Show Log* command. */
export interface Log extends Disposable {
  debug(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  error(message: string, ...details: unknown[]): void;
  show(): void;
  /** What was written last, of all levels, whatever the channel shows. */
  recent(): string;
}

/** How many characters of the log are remembered. */
const remembered = 512 * 1024;

/** Creates the log. What is written to it must hold no secret. */
export function createLog(now = () => new Date()): Log {
  const channel = vscode.window.createOutputChannel('Patch Stacks', { log: true });
  const lines = new RecentLines(remembered);
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, ...details: unknown[]): void => {
      channel[level](message, ...details);
      lines.add(`${now().toISOString()} [${level}] ${[message, ...details.map(String)].join(' ')}`);
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    show: () => channel.show(),
    recent: () => lines.text(),
    dispose: () => channel.dispose(),
  };
}
