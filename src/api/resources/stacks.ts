import { stack } from '../decode/stacks.ts';
import { one, type List } from '../decode/values.ts';
import { path, query } from '../path.ts';
import type { Call, CallOptions } from '../call.ts';
import type { Requester } from '../request.ts';
import type { PatchStack, StackFilter, StackUpdate } from '../types/stacks.ts';

/** Patch stacks (contract §4, Patch stacks). */
export class Stacks {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** `GET /patch_stack/{project_id}`: the stacks of a project. */
  list(projectId: string, filter: StackFilter = {}, options?: CallOptions): Promise<List<PatchStack>> {
    const call: Call = {
      operation: 'stacks.list',
      method: 'GET',
      repeat: 'read',
      path: () => path`/patch_stack/${{ project_id: projectId }}`,
      query: query({ branch_id: filter.branchId, status: filter.status }),
    };
    return this.#requester.readList(call, stack, options);
  }

  /** `GET /patch_stack/{project_id}/{branch_id}`: the latest stack of a branch. */
  latestForBranch(projectId: string, branchId: string, options?: CallOptions): Promise<PatchStack> {
    const call: Call = {
      operation: 'stacks.latestForBranch',
      method: 'GET',
      repeat: 'read',
      path: () => path`/patch_stack/${{ project_id: projectId }}/${{ branch_id: branchId }}`,
    };
    return this.#requester.read(call, one(stack), options);
  }

  /** `GET /patch_stack/{project_id}/{branch_id}/patch_status`: the stack with the caller's patch statuses. */
  patchStatuses(projectId: string, branchId: string, options?: CallOptions): Promise<PatchStack> {
    const call: Call = {
      operation: 'stacks.patchStatuses',
      method: 'GET',
      repeat: 'read',
      path: () => path`/patch_stack/${{ project_id: projectId }}/${{ branch_id: branchId }}/patch_status`,
    };
    return this.#requester.read(call, one(stack), options);
  }

  /** `POST /patch_stack`: makes a stack from a branch and a timeline event. */
  create(
    creation: { projectId: string; branchId: string; oplogSha: string },
    options?: CallOptions,
  ): Promise<PatchStack> {
    const call: Call = {
      operation: 'stacks.create',
      method: 'POST',
      repeat: 'once',
      path: () => path`/patch_stack`,
      json: { project_id: creation.projectId, branch_id: creation.branchId, oplog_sha: creation.oplogSha },
    };
    return this.#requester.read(call, stack, options);
  }

  /** `PATCH /patch_stack/{uuid}`: changes a stack. Undefined when the service does not show the result. */
  update(uuid: string, update: StackUpdate, options?: CallOptions): Promise<PatchStack | undefined> {
    const { status, title, description } = update;
    const call: Call = {
      operation: 'stacks.update',
      method: 'PATCH',
      repeat: 'once',
      path: () => path`/patch_stack/${{ uuid }}`,
      json: { status, title, description },
      plainText: true,
    };
    return this.#requester.readOptional(call, one(stack), options);
  }
}
