import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError, startService, type LocalService, type ServiceOptions } from './service.ts';

/**
 * Starts a service at the port at which it was the last time over the same data: what windows keep for it, such as links and texts that are not
 * sent, belongs to its address. Where something else has that port by now, it takes another one.
 *
 * @param options `port` is the one to begin with when there was no last time.
 */
export async function startAtLastPort(options: ServiceOptions): Promise<LocalService> {
  const file = path.join(options.dataDirectory, 'port');
  const noted = Number(await readFile(file, 'utf8').catch(() => '0'));
  const isPort = Number.isInteger(noted) && noted > 0 && noted < 65_536;
  const port = isPort ? noted : (options.port ?? 0);
  const service = await startService({ ...options, port }).catch((error: unknown) => {
    if (port !== 0 && error instanceof ServiceError && error.code === 'port_taken') {
      return startService({ ...options, port: 0 });
    }
    throw error;
  });
  await writeFile(file, new URL(service.url).port);
  return service;
}
