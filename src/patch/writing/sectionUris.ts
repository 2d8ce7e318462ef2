import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { sectionScheme } from '../../contributions.ts';
import { pathPart } from '../../util/pathPart.ts';
import type { SectionRef } from '../../util/patchRef.ts';

/** A section that has a file. */
export type FileSection = SectionRef & { sectionCode: string };

const memoryKey = 'sectionFiles';

/** Addresses that are remembered, at most: those of all tabs that a window may come back with. */
const most = 200;

/**
 * The addresses of the files that sections are for VS Code. Their path is for people; which section it is says a short mark
 * in the query, for VS Code shows the whole address in its messages.
 */
export class SectionUris {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** The file of a section. */
  async file(section: FileSection, patchName: string, sectionName: string): Promise<vscode.Uri> {
    const mark = createHash('sha256').update(JSON.stringify(section)).digest('hex').slice(0, 8);
    const others = Object.entries(this.#known).filter(([other]) => other !== mark);
    await this.#memory.update(memoryKey, Object.fromEntries([...others.slice(1 - most), [mark, section]]));
    return vscode.Uri.from({
      scheme: sectionScheme,
      path: `/${pathPart(patchName) || section.changeId}/${pathPart(sectionName) || section.sectionCode}.md`,
      query: mark,
    });
  }

  /** The section of a file; undefined for one that was opened too long ago. */
  find(file: vscode.Uri): FileSection | undefined {
    return this.#known[file.query];
  }

  get #known(): Readonly<Record<string, FileSection | undefined>> {
    return this.#memory.get(memoryKey, {});
  }
}
