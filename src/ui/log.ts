import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';

/** The extension's one log: VS Code's own output channel with levels, shown by the *Show Log* command. */
export interface Log extends Disposable {
  debug(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  error(message: string, ...details: unknown[]): void;
  show(): void;
}

/** Creates the log. What is written to it must hold no secret. */
export function createLog(): Log {
  const channel = vscode.window.createOutputChannel('Patch Stacks', { log: true });
  return channel;
}
