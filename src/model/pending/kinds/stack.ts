/** Another title or description of a patch stack. */
import * as v from 'valibot';
import { changeSchema, type Kind } from '../kind.ts';
import { mergeText } from '../../../util/mergeText.ts';

const schema = changeSchema(
  {
    kind: v.literal('stack'),
    projectId: v.string(),
    branchId: v.optional(v.string()),
    stackUuid: v.string(),
  },
  {
    base: v.object({ title: v.string(), description: v.string() }),
    fields: v.object({ title: v.exactOptional(v.string()), description: v.exactOptional(v.string()) }),
  },
);
type Change = v.InferOutput<typeof schema>;
type Subject = Change['subject'];
type Content = Change['content'];

/** The fields of a patch stack that a person writes. */
type StackFields = Content['base'];

interface Written {
  kind: 'stack';
  stack: Subject;
  before: StackFields;
  after: StackFields;
}

const fieldNames = ['title', 'description'] as const;

/** See the module. */
export const stack = {
  schema,
  key: ({ stackUuid }) => [stackUuid],
  // All versions of a branch's stack wait for each other: changes go into the newest.
  queue: ({ branchId, stackUuid }) => [branchId ?? stackUuid],
  isNothing: ({ base, fields }) =>
    fieldNames.every((name) => fields[name] === undefined || fields[name] === base[name]),
  goOn: (before, typed) => {
    const base = { ...typed.base };
    // A field that was not in it yet begins now.
    for (const name of fieldNames) {
      base[name] = before.fields[name] === undefined ? base[name] : before.base[name];
    }
    return { ...typed, base };
  },
  rest: ({ subject, content }, { base, fields }) => ({
    subject,
    content: { ...content, base: { ...base, ...fields } },
  }),

  conflict: {
    sides: ({ base, fields }, { field = 'title' }) => ({ base: base[field], mine: fields[field] ?? '' }),
    resolve: (content, text, { field, theirs }) =>
      field
        ? { base: { ...content.base, [field]: theirs }, fields: { ...content.fields, [field]: text } }
        : content,
  },

  /** Reads the patch stack before its title or description is replaced, and merges what someone else has written meanwhile. */
  send: async ({ subject, content, read, write }) => {
    const { projectId, branchId, stackUuid } = subject;
    const filter = { status: 'all' as const, ...(branchId !== undefined && { branchId }) };
    const { items } = await read((client, options) => client.stacks.list(projectId, filter, options));
    const there = items.find(({ uuid }) => uuid === stackUuid);
    if (!there) {
      return { kind: 'notFound' };
    }
    const before: StackFields = { title: there.title ?? '', description: there.description ?? '' };
    const update: Partial<StackFields> = {};
    for (const field of fieldNames) {
      const mine = content.fields[field];
      if (mine === undefined) {
        continue;
      }
      const theirs = before[field];
      const merge = mergeText(content.base[field], mine, theirs);
      // Words of two titles make no third one.
      if (merge.kind === 'conflict' || (field === 'title' && merge.text !== mine && merge.text !== theirs)) {
        return { kind: 'conflict', theirs, field };
      }
      if (merge.text !== theirs) {
        update[field] = merge.text;
      }
    }
    const isChanged = Object.keys(update).length > 0;
    if (isChanged) {
      await write((client, options) => client.stacks.update(stackUuid, update, options), {
        replaces: [before.title, before.description],
      });
    }
    const { description } = update;
    return {
      kind: 'sent',
      ...(isChanged && {
        written: { kind: 'stack', stack: subject, before, after: { ...before, ...update } },
      }),
      ...(description !== undefined && description !== content.fields.description && { merged: description }),
      show: (model) => model.refreshStacks(projectId),
    };
  },

  inverse: ({ stack: subject, before, after }) => ({ subject, content: { base: after, fields: before } }),
} satisfies Kind<Subject, Content, Written>;
