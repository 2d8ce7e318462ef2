/** How a pending change is written down: JSON with the version of its form, so that an older extension leaves newer ones alone. */
import * as v from 'valibot';
import type { PendingChange } from './pendingChange.ts';

/** Raised with every change of what a pending change holds. */
const format = 1;

/** What a file turned out to be. */
export type ReadChange =
  | { kind: 'pending'; pending: PendingChange }
  /** Written by a newer version of the extension, and of use to that one. */
  | { kind: 'newer' }
  | { kind: 'unreadable' };

const text = v.string();
const list = v.array(v.string());
const patch = v.object({
  projectId: v.optional(text),
  branchId: v.optional(text),
  stackUuid: text,
  changeId: text,
});
const stackFields = v.object({ title: text, description: text });

function change<S extends v.ObjectEntries, C extends v.ObjectEntries>(subject: S, content: C) {
  return v.object({ subject: v.object(subject), content: v.object(content) });
}

const changes = v.union([
  change({ kind: v.literal('sectionText'), patch, code: text }, { base: text, text }),
  change({ kind: v.literal('newSection'), patch, key: text }, { text, after: v.nullable(text) }),
  change({ kind: v.literal('sectionDeletion'), patch, code: text }, { text, after: v.nullable(text) }),
  change({ kind: v.literal('sectionOrder'), patch }, { base: list, order: list }),
  change(
    { kind: v.literal('signOff'), patch },
    { review: v.picklist(['signedOff', 'changesRequested']), seen: text },
  ),
  change(
    { kind: v.literal('stack'), projectId: text, branchId: v.optional(text), stackUuid: text },
    {
      base: stackFields,
      fields: v.object({ title: v.exactOptional(text), description: v.exactOptional(text) }),
    },
  ),
  change(
    { kind: v.literal('form'), form: v.picklist(formNames()), about: v.optional(text) },
    { fields: v.record(text, v.unknown()) },
  ),
]);

function formNames() {
  return ['profile', 'createProject', 'editProject', 'createStack', 'release', 'feedback'] as const;
}

const changeSchema = v.intersect([
  v.object({
    id: text,
    title: text,
    state: v.picklist(['editing', 'queued', 'sending', 'failed', 'conflict']),
    startedAt: text,
    changedAt: text,
    typedOn: v.exactOptional(v.object({ page: text, edition: v.number() })),
    failure: v.exactOptional(
      v.object({
        kind: v.custom<NonNullable<PendingChange['failure']>['kind']>((kind) => typeof kind === 'string'),
        serviceMessage: v.exactOptional(text),
        mayHaveArrived: v.boolean(),
        theirs: v.exactOptional(text),
        field: v.exactOptional(v.picklist(['title', 'description'])),
        code: v.exactOptional(text),
        order: v.exactOptional(v.array(v.object({ identifier: text, name: text }))),
        patchVersion: v.exactOptional(text),
        newest: v.exactOptional(v.object({ uuid: text, version: v.exactOptional(text) })),
      }),
    ),
    resolution: v.exactOptional(text),
    attempt: v.exactOptional(
      v.object({
        text,
        typed: v.exactOptional(text),
        before: v.exactOptional(text),
        codes: v.exactOptional(list),
      }),
    ),
  }),
  changes,
]);

const fileSchema = v.object({ format: v.literal(format), pending: changeSchema });

/** The text of a pending change's file. */
export function encodeChange(pending: PendingChange): string {
  return `${JSON.stringify({ format, pending }, undefined, 1)}\n`;
}

/** Reads the text of a pending change's file. */
export function decodeChange(content: string): ReadChange {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    return { kind: 'unreadable' };
  }
  const said = (parsed as { format?: unknown } | null)?.format;
  if (typeof said === 'number' && said > format) {
    return { kind: 'newer' };
  }
  const result = v.safeParse(fileSchema, parsed);
  return result.success ? { kind: 'pending', pending: result.output.pending } : { kind: 'unreadable' };
}
