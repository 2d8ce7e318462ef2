/** Where a patch is; the project and branch are known when it was reached through them. */
export interface PatchAddress {
  projectId?: string | undefined;
  branchId?: string | undefined;
  stackUuid: string;
  changeId: string;
}
