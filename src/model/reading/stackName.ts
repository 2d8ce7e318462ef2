import type { StackRef } from '../../util/patchRef.ts';

/** The name of a stack through all its versions. */
export interface StackName {
  projectId: string;
  branchId: string;
}

/** The stack that a version belongs to. One that is known by itself alone has no other versions. */
export function stackNameOf({ projectId = '', branchId, stackUuid }: StackRef): StackName {
  return { projectId, branchId: branchId ?? stackUuid };
}
