/** The local service as a program in a process of its own. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const main = path.resolve('src/service/main.ts');

/** See the module. */
export class Program {
  readonly child: ChildProcess;
  errors = '';
  output = '';
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;

  /**
   * @param environment Variables that it has beside those of this process.
   * @param detached Whether it has a process group of its own, with all that it runs.
   */
  constructor(args: readonly string[], environment: NodeJS.ProcessEnv = {}, { detached = false } = {}) {
    this.child = spawn(process.execPath, [main, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached,
      env: { ...process.env, ...environment },
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.ended = once(this.child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  }

  /** Waits for the line that says it is ready. */
  async ready(): Promise<{ url: string; token: string }> {
    while (!this.output.includes('\n')) {
      const stdout = this.child.stdout;
      assert.ok(stdout);
      await Promise.race([
        once(stdout, 'data'),
        this.ended.then((code) => assert.fail(`It ended with ${code}: ${this.errors}`)),
      ]);
    }
    return JSON.parse(this.output) as { url: string; token: string };
  }
}
