import type { PatchStack, TextWithoutPatch } from '../types/stacks.ts';
import { contributors, patches } from './patches.ts';
import { at, identifier, integer, items, record, text, type Reader } from './values.ts';

const textWithoutPatch = record<TextWithoutPatch>(
  {
    changeId: at('change_id', identifier),
    code: at('code', identifier),
    patchTitle: at('patch_title', text),
    text: at('data', text),
  },
  ['changeId', 'code', 'text'],
);

/** Missing where there is none, as with other services. */
const textsWithoutPatch: Reader<TextWithoutPatch[]> = (value, report) => {
  const found = items(textWithoutPatch)(value, report);
  return found?.length === 0 ? undefined : found;
};

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
    base: at('base', identifier),
    textsWithoutPatch: at('texts_without_patch', textsWithoutPatch),
  },
  ['uuid'],
);
