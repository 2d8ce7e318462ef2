/** Writes a pending change down: JSON with the version of its form, so that an older extension leaves newer ones alone. */
import * as v from 'valibot';
import type { ChangeFailureKind } from './failure.ts';
import { changeSchemas } from './kinds/index.ts';
import type { PendingChange } from './pendingChange.ts';

/** Raised with every change of what a pending change holds. */
const format = 1;

type ReadChange =
  | { kind: 'pending'; pending: PendingChange }
  /** Written by a newer version of the extension, and of use to that one. */
  | { kind: 'newer' }
  | { kind: 'unreadable' };

const text = v.string();

const pendingSchema = v.intersect([
  v.object({
    id: text,
    title: text,
    state: v.picklist(['editing', 'queued', 'sending', 'failed', 'conflict']),
    startedAt: text,
    changedAt: text,
    typedOn: v.exactOptional(v.object({ page: text, edition: v.number() })),
    failure: v.exactOptional(
      v.object({
        kind: v.custom<ChangeFailureKind>((kind) => typeof kind === 'string'),
        serviceMessage: v.exactOptional(text),
        theirs: v.exactOptional(text),
        field: v.exactOptional(v.picklist(['title', 'description'])),
        isShared: v.exactOptional(v.literal(true)),
        by: v.exactOptional(text),
        code: v.exactOptional(text),
        order: v.exactOptional(v.array(v.object({ identifier: text, name: text }))),
        patchVersion: v.exactOptional(text),
        newest: v.exactOptional(v.object({ uuid: text, version: v.exactOptional(text) })),
      }),
    ),
    resolution: v.exactOptional(text),
    proposed: v.exactOptional(v.literal(true)),
    attempt: v.exactOptional(
      v.object({
        text,
        typed: v.exactOptional(text),
        before: v.exactOptional(text),
        base: v.exactOptional(text),
        codes: v.exactOptional(v.array(text)),
      }),
    ),
  }),
  v.union(changeSchemas),
]);

const fileSchema = v.object({ format: v.literal(format), pending: pendingSchema });
const newerSchema = v.object({ format: v.pipe(v.number(), v.gtValue(format)) });

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
  if (v.is(newerSchema, parsed)) {
    return { kind: 'newer' };
  }
  const result = v.safeParse(fileSchema, parsed);
  return result.success ? { kind: 'pending', pending: result.output.pending } : { kind: 'unreadable' };
}
