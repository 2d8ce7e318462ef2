import type { PatchStack } from '../types/stacks.ts';
import { contributors, patches } from './patches.ts';
import { at, identifier, integer, record, text } from './values.ts';

/** One patch stack. */
export const stack = record<PatchStack>(
  {
    uuid: at('uuid', identifier),
    branchId: at('branch_id', text),
    oplogSha: at('oplog_sha', text),
    title: at('title', text),
    description: at('description', text),
    status: at('status', text),
    version: at('version', text),
    createdAt: at('created_at', text),
    stackSize: at('stack_size', integer),
    contributors: at('contributors', contributors),
    patches: at('patches', patches),
  },
  ['uuid'],
);
