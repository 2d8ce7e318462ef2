/**
 * The local service as a program. When it is ready it prints one line of JSON, `{"url": …, "token": …}`, on stdout;
 * everything that is meant for a person goes to stderr.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeImport } from './describeImport.ts';
import type { ImportProgress } from './service.ts';

const HELP = `Serves patch stacks from a git repository, on this machine only.

Usage: npm run service -- [options]

  --repo PATH   The git repository to import (default: the current folder).
  --port N      The port on 127.0.0.1 (default: a free one).
  --data DIR    Where everything is kept (default: .vscode-test/service in the current folder).
  --help        Shows this.

When it is ready it prints one line: {"url": "http://127.0.0.1:PORT/api", "token": "…"}
Ctrl+C stops it.
`;

/** A mistake in the command line. */
class UsageError extends Error {}

interface Arguments {
  repository: string;
  port: number;
  dataDirectory: string;
}

/** @returns undefined when only help is asked for. @throws UsageError */
function readArguments(args: readonly string[]): Arguments | undefined {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        repo: { type: 'string', default: '.' },
        port: { type: 'string', default: '0' },
        data: { type: 'string', default: path.join('.vscode-test', 'service') },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (values.help) {
    return undefined;
  }
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not “${values.port}”.`);
  }
  return { repository: path.resolve(values.repo), port, dataDirectory: path.resolve(values.data) };
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Shows the code of a sign-in in the browser: in this terminal, where no one else on the computer sees it. */
function tellCode(code: string): void {
  say(`Sign-in code: ${code} (the sign-in page asks for it; ignore it if you didn't just start a sign-in)`);
}

/** Shows progress: on a terminal as one line that changes, else every few seconds. */
function progressReporter(): { report: (progress: ImportProgress) => void; end: () => void } {
  const interval = process.stderr.isTTY ? 100 : 2000;
  let last = Date.now();
  let shown = false;
  return {
    report({ branch, done, total }) {
      if (Date.now() - last < interval) {
        return;
      }
      last = Date.now();
      const line = `Importing ${branch}: ${done} of ${total} commits`;
      if (process.stderr.isTTY) {
        process.stderr.write(`\r\u001b[K${line}`);
        shown = true;
      } else {
        say(line);
      }
    },
    end() {
      if (shown) {
        process.stderr.write('\r\u001b[K');
      }
      shown = false;
    },
  };
}

async function main(): Promise<number> {
  const given = readArguments(process.argv.slice(2));
  if (!given) {
    process.stdout.write(HELP);
    return 0;
  }
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        stop.abort(new Error('Stopped.'));
        resolve();
      });
    }
  });
  // Node calls its SQLite experimental, which is no concern of the person who starts this.
  process.removeAllListeners('warning');
  const { startService } = await import('./service.ts').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_BUILTIN_MODULE') {
      throw new UsageError(
        `Node ${process.versions.node} has no SQLite: use Node 22.13 or later, or “npm run service”.`,
      );
    }
    throw error;
  });
  const progress = progressReporter();
  try {
    const service = await startService({
      ...given,
      signal: stop.signal,
      onProgress: progress.report,
      tellCode,
    });
    progress.end();
    if (service.imported) {
      describeImport(service.imported).forEach(say);
    }
    process.stdout.write(`${JSON.stringify({ url: service.url, token: service.token })}\n`);
    await stopped;
    await service.close();
    return 0;
  } catch (error) {
    progress.end();
    if (stop.signal.aborted) {
      return 130;
    }
    throw error;
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.exitCode = 1;
    if (error instanceof UsageError) {
      say(`${error.message}\n\n${HELP}`);
      return;
    }
    const known = error instanceof Error && error.name === 'ServiceError';
    say(
      known
        ? error.message
        : `The service could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  },
);
