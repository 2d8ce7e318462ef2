/** The file in which a window keeps what it knows of the service, for the next one. */
import { globSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Editor } from './editor.ts';
import { storageOf } from './plantedChanges.ts';
import { until } from './until.ts';
import type { Workbench } from './workbench.ts';

/** Waits until the window has written down everything that it knows now. @returns the file. */
export async function keptContent(editor: Editor, window: Workbench): Promise<string> {
  const knownAt = Date.now();
  await window.runCommand('Patch Stacks: Refresh');
  const files = (): string[] => globSync(path.join(storageOf(editor), '**/known.json'));
  const isWritten = async (): Promise<boolean> => (await stat(files()[0] ?? '')).mtimeMs > knownAt;
  await until(isWritten);
  return files()[0] ?? '';
}
