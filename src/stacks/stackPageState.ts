import type { PatchStack } from '../api/types/stacks.ts';
import type { StackPageState } from '../protocol/stackPage.ts';

/** A stack as its pages keep it over a reload of the window. */
export function stackPageState(
  serverUrl: string,
  projectId: string,
  { branchId, uuid }: PatchStack,
): StackPageState {
  return { serverUrl, projectId, ...(branchId !== undefined && { branchId }), stackUuid: uuid };
}
