/**
 * The local service as a program. When it is ready it prints one line of JSON, `{"url": …, "token": …}`, on stdout;
 * everything that is meant for a person goes to stderr.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeCode } from './describeCode.ts';
import { describeImport } from './describeImport.ts';
import { describeSharing } from './describeSharing.ts';
import type { ImportProgress, ImportSummary, ServiceOptions } from './service.ts';
import type { RestoredDatabase } from './storage/databaseCopies.ts';
import { systemCode } from '../util/systemCode.ts';
import { messageOf } from '../util/messageOf.ts';

const help = `Serves patch stacks from a Git repository, on this computer only.

Usage: npm run service -- [options]

  --repo PATH   The Git repository to import (default: the current folder).
  --base REF    What all branches are compared with (default: each with the branch it left,
                or what "git config patchStacks.base" says).
  --port N      The port on 127.0.0.1 (default: that of the last time, else a free one).
  --data DIR    Where everything is kept (default: with your other data, a folder for each repository, which
                "npm start" and VS Code use, too).
  --share REMOTE
                Shares the stacks of the branches that a remote has, such as origin, with everybody who can
                read it: what people write about them, and what they say of them. See docs/sharing.md.
  --share-as-branch
                Shares them as a branch (patch-stacks/*), as it's done by itself where a host takes only branches.
  --share-again
                Pushes again what was shared and is no longer at the remote, also what others shared.
  --share-device DEVICE
                Another device of yours that shares in your name: what it says is shown here, too.
  --share-every SECONDS
                How often the remote is looked at (default: 60).
  --help        Shows this.

When it is ready it prints one line: {"url": "http://127.0.0.1:PORT/api", "token": "…"}
Ctrl+C stops it.
`;

/** A mistake in the command line. */
class UsageError extends Error {}

interface Arguments {
  repository: string;
  base: string | undefined;
  port: number | undefined;
  dataDirectory: string | undefined;
  share:
    | { remote: string; everySeconds: number; asBranch: boolean; again: boolean; devices: string[] }
    | undefined;
}

/** @returns undefined when only help is asked for. @throws UsageError */
function readArguments(args: readonly string[]): Arguments | undefined {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        repo: { type: 'string', default: '.' },
        base: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        share: { type: 'string' },
        'share-as-branch': { type: 'boolean', default: false },
        'share-again': { type: 'boolean', default: false },
        'share-device': { type: 'string', multiple: true, default: [] },
        'share-every': { type: 'string', default: '60' },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
  if (values.help) {
    return undefined;
  }
  const port = values.port === undefined ? undefined : Number(values.port);
  if (values.port !== undefined && (!/^\d+$/.test(values.port) || Number(port) > 65_535)) {
    throw new UsageError(`"${values.port}" isn't a port. Enter a number from 0 to 65535 for --port.`);
  }
  const everySeconds = Number(values['share-every']);
  if (!/^\d{1,6}$/.test(values['share-every']) || everySeconds < 1) {
    throw new UsageError(
      `"${values['share-every']}" isn't a number of seconds. Enter one from 1 on for --share-every.`,
    );
  }
  return {
    share:
      values.share === undefined
        ? undefined
        : {
            remote: values.share,
            everySeconds,
            asBranch: values['share-as-branch'],
            again: values['share-again'],
            devices: values['share-device'],
          },
    repository: path.resolve(values.repo),
    base: values.base,
    port,
    dataDirectory: values.data === undefined ? undefined : path.resolve(values.data),
  };
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Shows the code of a sign-in in the browser: in this terminal, where no one else on the computer sees it. */
function tellCode(code: string, name: string): void {
  say(describeCode(code, name));
}

/** Shows progress: on a terminal as one line that changes, else every few seconds. */
function progressReporter(): { report: (progress: ImportProgress) => void; end: () => void } {
  const intervalMs = process.stderr.isTTY ? 100 : 2000;
  let last = Date.now();
  let shown = false;
  return {
    report({ branch, done, total }) {
      if (Date.now() - last < intervalMs) {
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

/** Where the data of the repository lies, of which the person is told what was found elsewhere. */
async function findData(repository: string, signal: AbortSignal): Promise<string> {
  const { describeStore, findStore } = await import('./stores.ts');
  const { openRepository } = await import('./git/repository.ts');
  const store = await findStore(await openRepository(repository, signal), [
    path.resolve('.vscode-test', 'service'),
  ]);
  describeStore(store).forEach(say);
  return store.directory;
}

async function main(): Promise<number> {
  const given = readArguments(process.argv.slice(2));
  if (!given) {
    process.stdout.write(help);
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
  const { describeRestored, startService } = await import('./service.ts').catch((error: unknown) => {
    if (systemCode(error) === 'ERR_UNKNOWN_BUILTIN_MODULE') {
      throw new UsageError(
        `Node ${process.versions.node} doesn't have SQLite. Use Node 22.13 or later, or "npm run service".`,
      );
    }
    throw error;
  });
  const { startAtLastPort } = await import('./lastPort.ts');
  const progress = progressReporter();
  try {
    const { dataDirectory = await findData(given.repository, stop.signal), port, ...rest } = given;
    const options = {
      ...rest,
      dataDirectory,
      share: given.share && { ...given.share, onChange: (status) => describeSharing(status).forEach(say) },
      signal: stop.signal,
      onProgress: progress.report,
      readyWhen: 'readable',
      onFollowed: (imported) => describeImport(imported).forEach(say),
      onRestored: (restored: RestoredDatabase) => say(describeRestored(restored)),
      tellCode,
    } satisfies ServiceOptions;
    const service =
      port === undefined ? await startAtLastPort(options) : await startService({ ...options, port });
    const tell = (imported: ImportSummary): void => {
      progress.end();
      describeImport(imported).forEach(say);
    };
    const ready = `${JSON.stringify({ url: service.url, token: service.token })}\n`;
    if (service.imported) {
      tell(service.imported);
      process.stdout.write(ready);
    } else {
      process.stdout.write(ready);
      const imported = await Promise.race([service.importing, stopped]);
      if (imported) {
        tell(imported);
      }
    }
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
      say(`${error.message}\n\n${help}`);
      return;
    }
    const known = error instanceof Error && error.name === 'ServiceError';
    say(
      known
        ? error.message
        : `Couldn't start the service: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  },
);
