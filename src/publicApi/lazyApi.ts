import type * as vscode from 'vscode';
import type { Change, PatchStacksApi, PatchStacksExports } from './patchStacks.ts';

/** The part of the interface for other extensions that is loaded when it is first used. */
export type ApiOperations = Omit<PatchStacksApi, 'server' | 'onDidChange'>;

export interface PublicApiContext {
  readonly activeServer: () => string | undefined;
  readonly onDidChange: vscode.Event<Change>;
  readonly operations: () => Promise<ApiOperations>;
}

/** The exports of the extension, for other extensions. */
export function createExports({
  activeServer,
  onDidChange,
  operations,
}: PublicApiContext): PatchStacksExports {
  const api: PatchStacksApi = {
    get server() {
      return activeServer();
    },
    onDidChange,
    projects: async () => (await operations()).projects(),
    stacks: async (...args) => (await operations()).stacks(...args),
    patches: async (...args) => (await operations()).patches(...args),
    patch: async (...args) => (await operations()).patch(...args),
    open: async (...args) => (await operations()).open(...args),
    reveal: async (...args) => (await operations()).reveal(...args),
  };
  return {
    getApi: (version: number) => {
      if (version !== 1) {
        throw new RangeError(`Patch Stacks has no interface of version ${version}: ask for 1.`);
      }
      return api;
    },
  };
}
