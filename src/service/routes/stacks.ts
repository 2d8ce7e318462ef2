import type { Hono } from 'hono/tiny';
import * as v from 'valibot';
import { notFound } from '../errors.ts';
import {
  filledLine,
  freeText,
  integerText,
  pathParameter,
  readableProject,
  readJson,
  readQuery,
  requestedStack,
  requireUnchanged,
  viewOf,
  writableProject,
  type RequestContext,
  type RequestEnvironment,
} from '../requests.ts';
import type { Database } from '../storage/database.ts';
import type { ProjectRow } from '../storage/projects.ts';
import { findLatestStack, listStacks, updateStack, type StackRow } from '../storage/stacks.ts';
import { stackRecord } from '../wire.ts';
import { pageSchema } from './projects.ts';

/** Makes the next version of a branch's stack. */
export type PublishBranch = (project: ProjectRow, branchId: string, oplogSha: string) => Promise<StackRow>;

// No default limit here: the contract gives a caller nothing to ask for the next page of stacks with.
const listSchema = v.object({
  ...pageSchema,
  limit: v.optional(integerText(1)),
  branch_id: v.optional(v.string()),
  status: v.optional(
    v.picklist(
      ['active', 'inactive', 'closed', 'loading', 'all'],
      'must be active, inactive, closed, loading, or all',
    ),
    'active',
  ),
});

const newStackSchema = v.object({
  project_id: v.pipe(v.union([v.string(), v.number()], 'must be a string'), v.transform(String)),
  branch_id: filledLine(1000),
  oplog_sha: filledLine(200),
});

const changeSchema = v.object({
  status: v.optional(v.picklist(['active', 'closed'], 'must be active or closed')),
  title: v.optional(filledLine(1000)),
  description: v.optional(freeText(100_000)),
});

/** The operations on patch stacks (contract §4, Patch stacks). */
export function addStackRoutes(
  api: Hono<RequestEnvironment>,
  database: Database,
  publish: PublishBranch,
): void {
  api.post('/patch_stack', async (context) => {
    const { project_id, branch_id, oplog_sha } = await readJson(context, newStackSchema);
    const project = writableProject(database, context, project_id);
    const stack = await publish(project, branch_id, oplog_sha);
    return context.json(stackRecord(viewOf(database, context), stack), 201);
  });

  api.patch('/patch_stack/:uuid', async (context) => {
    requestedStack(database, context, 'write');
    const change = await readJson(context, changeSchema);
    // Another version may have come while the body did.
    const stack = requestedStack(database, context, 'write');
    requireUnchanged(context, [stack.title, stack.description ?? '']);
    const changed = updateStack(database, stack.uuid, change);
    return context.json(stackRecord(viewOf(database, context), changed));
  });

  api.get('/patch_stack/:project_id', (context) => {
    const project = readableProject(database, context, pathParameter(context, 'project_id'));
    const { branch_id, ...filter } = readQuery(context, listSchema);
    const stacks = listStacks(database, project.id, { ...filter, branchId: branch_id });
    const view = viewOf(database, context);
    return context.json(stacks.map((stack) => stackRecord(view, stack)));
  });

  api.get('/patch_stack/:project_id/:branch_id', (context) =>
    context.json(stackRecord(viewOf(database, context), latestStack(database, context))),
  );

  // The latest stack again: what the caller did with each patch is in the patch's `review`. The path could also mean
  // the patch `patch_status` of a stack; project ids are numbers and stack ids are not, so the id decides.
  api.get(String.raw`/patch_stack/:project_id{\d+}/:branch_id/patch_status`, (context) =>
    context.json(stackRecord(viewOf(database, context), latestStack(database, context))),
  );
}

function latestStack(database: Database, context: RequestContext): StackRow {
  const project = readableProject(database, context, pathParameter(context, 'project_id'));
  const branchId = pathParameter(context, 'branch_id');
  const stack = findLatestStack(database, project.id, branchId);
  if (!stack) {
    throw notFound(`a patch stack for branch ${branchId}`);
  }
  return stack;
}
