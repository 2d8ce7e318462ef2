import type { StackFields } from '../pendingChange.ts';
import { mergeText } from '../mergeText.ts';
import type { Sender } from '../sender.ts';

/** Reads a patch stack before its title or description is replaced, and joins what somebody else has written meanwhile. */
export const sendStack: Sender<'stack'> = async ({ subject, content, read, write }) => {
  const { projectId, branchId, stackUuid } = subject;
  const filter = { status: 'all' as const, ...(branchId !== undefined && { branchId }) };
  const { items } = await read((client, options) => client.stacks.list(projectId, filter, options));
  const stack = items.find(({ uuid }) => uuid === stackUuid);
  if (!stack) {
    return { kind: 'deleted' };
  }
  const before: StackFields = { title: stack.title ?? '', description: stack.description ?? '' };
  const update: Partial<StackFields> = {};
  for (const field of ['title', 'description'] as const) {
    const mine = content.fields[field];
    if (mine === undefined) {
      continue;
    }
    const [base, theirs] = [content.base[field], before[field]];
    const merge = mergeText(base, mine, theirs);
    // Words of two titles make no third one.
    if (merge.kind === 'conflict' || (field === 'title' && merge.text !== mine && merge.text !== theirs)) {
      return { kind: 'conflict', base, theirs, mine, field };
    }
    if (merge.text !== theirs) {
      update[field] = merge.text;
    }
  }
  if (Object.keys(update).length === 0) {
    return { kind: 'sent' };
  }
  await write((client, options) => client.stacks.update(stackUuid, update, options));
  const { description } = update;
  return {
    kind: 'sent',
    change: { kind: 'stack', stack: subject, before, after: { ...before, ...update } },
    ...(description !== undefined && description !== content.fields.description && { merged: description }),
  };
};
