/** A local service over a data directory, in a process of its own so that it does not take the caller's time. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startService } from '../../src/service/service.ts';

/** A service in another process. */
export interface ServedData extends AsyncDisposable {
  url: string;
  token: string;
}

/** Serves a data directory until it is disposed of. */
export async function serveData(dataDirectory: string): Promise<ServedData> {
  const child = fork(fileURLToPath(import.meta.url), [dataDirectory], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [message] = (await once(child, 'message')) as [{ url: string; token: string }];
  return {
    ...message,
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.send) {
  const { url, token, close } = await startService({ dataDirectory: process.argv[2] ?? '' });
  process.send({ url, token });
  process.once('disconnect', () => void close());
}
