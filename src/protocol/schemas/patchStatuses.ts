import type * as v from 'valibot';
import { answersOf, requestsOf } from '../checked.ts';
import type { PatchStatusesHost, PatchStatusesPage, PatchStatusesState } from '../patchStatuses.ts';
import { members, name, nothing } from './parts.ts';

export const patchStatusesSchemas = {
  requests: requestsOf<PatchStatusesHost>()({
    settings: nothing,
    load: nothing,
    openPatch: members({ changeId: name }),
  }),
  answers: answersOf<PatchStatusesPage>()({ reload: nothing, show: nothing }),
};

/** Held against what a panel that VS Code has kept says of itself. */
export const patchStatusesState: v.GenericSchema<unknown, PatchStatusesState> = members({
  serverUrl: name,
  projectId: name,
  branchId: name,
});
