/** A script in the place of the `git` that this process runs. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** See the module. */
export class GitInPath {
  /** Its own folder, for what it notes and is told. */
  readonly folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-git-'));
  readonly #before = process.env['PATH'];

  /** @param script gives what the shell does, which has the real git's path and the folder. */
  constructor(script: (git: string, folder: string) => string) {
    const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    const text = `#!/bin/sh\n${script(git, this.folder)}`;
    writeFileSync(path.join(this.folder, 'git'), text, { mode: 0o755 });
    process.env['PATH'] = `${this.folder}${path.delimiter}${this.#before}`;
  }

  remove(): void {
    process.env['PATH'] = this.#before;
    rmSync(this.folder, { recursive: true });
  }
}
