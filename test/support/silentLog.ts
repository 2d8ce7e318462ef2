import type { Log } from '../../src/ui/log.ts';

/** A log that keeps nothing. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  show: async () => undefined,
  recent: () => '',
  dispose: () => undefined,
};
