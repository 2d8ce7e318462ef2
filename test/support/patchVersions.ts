/** The versions of a patch as a model gives them, for what looks in older ones for the origin of a text. */
import type { Patch } from '../../src/api/types/patches.ts';
import type { TextsOfPatch } from '../../src/model/prose/followNames.ts';

/** The texts of a patch that has these older versions, the newest first. @param asked Gets each version that is asked for. */
export function textsOf(patch: Patch, older: readonly Patch[] = [], asked: string[] = []): TextsOfPatch {
  const place = { projectId: '1', branchId: 'topic', stackUuid: 'shown' };
  const stackOf = (uuid: string, createdAt: string) => ({
    uuid,
    branchId: 'topic',
    createdAt,
    contributors: [],
  });
  const model = {
    located: () => ({ ...place, changeId: patch.changeId }),
    stackOfPatch: async () => ({ stack: stackOf('shown', 'z'), patches: [patch] }),
    stacks: async () => ({
      value: older.map((_version, index) => stackOf(String(index), `a${9 - index}`)),
      asOf: new Date(),
    }),
    patchUnopened: async ({ stackUuid }: { stackUuid: string }) => {
      asked.push(stackUuid);
      const version = older[Number(stackUuid)];
      if (!version) {
        throw new Error(`There's no version ${stackUuid}.`);
      }
      return version;
    },
  } as unknown as TextsOfPatch['model'];
  return { model, ref: { ...place, changeId: patch.changeId }, patch };
}
