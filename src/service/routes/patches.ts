import type { Hono } from 'hono/tiny';
import * as v from 'valibot';
import { HttpError, invalid, notFound } from '../errors.ts';
import {
  freeText,
  pathParameter,
  readJson,
  requestedPatch,
  requestedStack,
  requireNewest,
  requireUnchanged,
  viewOf,
  type Access,
  type RequestContext,
  type RequestEnvironment,
} from '../requests.ts';
import type { Database } from '../storage/database.ts';
import { findPatch, isUnread, markViewed, setReview, type PatchRow } from '../storage/patches.ts';
import {
  addTextSection,
  deleteSection,
  findSection,
  listSections,
  reorderSections,
  writeText,
  type SectionRow,
} from '../storage/sections.ts';
import { touchStack, type StackRow } from '../storage/stacks.ts';
import {
  findTextWithoutPatch,
  keepText,
  settleText,
  type TextWithoutPatch,
} from '../storage/textsWithoutPatch.ts';
import { lostTextRecord, patchRecord, sectionRecord } from '../wire.ts';

/** The longest text of a section, in characters. */
const longestText = 1_000_000;

const textSchema = v.object({
  text: v.optional(freeText(longestText)),
  // Not of the contract: the versions that somebody has decided over.
  resolves: v.optional(v.array(v.string())),
});

const newSectionSchema = v.object({
  type: v.literal('text', 'must be text'),
  text: v.optional(freeText(longestText), ''),
  position: v.optional(
    v.pipe(
      v.number('must be an integer'),
      v.integer('must be an integer'),
      v.minValue(0, 'must be at least 0'),
      v.maxValue(2 ** 31 - 1, 'must be an int32'),
    ),
  ),
});

const patchSchema = v.object({
  section_order: v.optional(
    v.array(
      v.string('must be a list of file paths and section codes'),
      'must be a list of file paths and section codes',
    ),
  ),
  sign_off: v.optional(v.boolean('must be true or false')),
});

/** Resolves once a patch was read that was only listed, or nobody reads any more. */
export type WhenRead = (patchId: number) => Promise<void>;

/** The operations on patches and their sections (contract §4, Patches). */
export function addPatchRoutes(api: Hono<RequestEnvironment>, database: Database, whenRead: WhenRead): void {
  const patchPath = '/patch_stack/:uuid/patch/:change_id';
  const sectionPath = `${patchPath}/section/:section_code`;

  waitForReading(api, patchPath, database, whenRead);

  // Reading a whole patch is what makes its reader a viewer of it, unless nobody has asked to see it yet.
  api.get(patchPath, (context) => {
    const patch = requestedPatch(database, context, 'read');
    if (context.req.header('sec-purpose') !== 'prefetch') {
      markViewed(database, patch, context.get('user'));
    }
    return context.json(patchRecord(viewOf(database, context), patch));
  });

  // A review takes only the permission to read: a reviewer need not be a member. `false` requests changes.
  api.patch(patchPath, async (context) => {
    requestedPatch(database, context, 'read');
    const { section_order, sign_off } = await readJson(context, patchSchema);
    const patch = requestedPatch(database, context, section_order ? 'write' : 'read');
    if (sign_off !== undefined) {
      requireNewest(database, requestedStack(database, context, 'read'));
    }
    database.transaction(() => {
      if (section_order) {
        const sections = listSections(database, patch.id);
        requireUnchanged(
          context,
          sections.map(({ identifier }) => identifier),
        );
        reorderSections(database, patch, orderedIds(sections, section_order));
      }
      if (sign_off !== undefined) {
        setReview(database, patch, context.get('user'), sign_off);
      }
    });
    const changed = findPatch(database, patch.stack_uuid, patch.change_id) ?? patch;
    return context.json(patchRecord(viewOf(database, context), changed));
  });

  api.post(`${patchPath}/section`, async (context) => {
    requestedPatch(database, context, 'write');
    const { text, position } = await readJson(context, newSectionSchema);
    // Another version may have come while the body did.
    const patch = requestedPatch(database, context, 'write');
    return context.json(
      sectionRecord(viewOf(database, context), addTextSection(database, patch, text, position)),
      201,
    );
  });

  addLostTextRoutes(api, database, sectionPath);

  api.get(sectionPath, (context) => {
    const { section } = requestedSection(database, context, 'read');
    return context.json(sectionRecord(viewOf(database, context), section));
  });

  api.patch(sectionPath, async (context) => {
    const { text, resolves = [] } = await readJson(context, textSchema);
    const { patch, section } = requestedSection(database, context, 'write');
    if (text === undefined) {
      return context.json(sectionRecord(viewOf(database, context), section));
    }
    requireText(section, "doesn't have text to change");
    requireUnchanged(context, section.text ?? '');
    const written = writeText(database, patch, section, { text, by: context.get('user').id, resolves });
    return context.json(sectionRecord(viewOf(database, context), written));
  });

  api.delete(sectionPath, (context) => {
    const { patch, section } = requestedSection(database, context, 'write');
    requireText(section, "shows the commit's changes and can't be deleted");
    requireUnchanged(context, section.text ?? '');
    deleteSection(database, patch, section);
    return context.body(null, 204);
  });
}

/** Nothing is answered of a patch that was only listed, nor is anything written to it: whoever asks waits until it was read. */
function waitForReading(
  api: Hono<RequestEnvironment>,
  patchPath: '/patch_stack/:uuid/patch/:change_id',
  database: Database,
  whenRead: WhenRead,
): void {
  api.use(`${patchPath}/*`, async ({ req }, next) => {
    const find = () => findPatch(database, req.param('uuid'), req.param('change_id'));
    const patch = find();
    if (patch && isUnread(patch)) {
      await whenRead(patch.id);
      const read = find();
      if (read && isUnread(read)) {
        throw new HttpError(
          503,
          'not_read',
          "This patch couldn't be read from its repository yet. Try again.",
        );
      }
    }
    return next();
  });
}

/** A text whose patch is gone goes before a section of that path: it is asked for under the change that it was written about. */
function addLostTextRoutes(api: Hono<RequestEnvironment>, database: Database, sectionPath: string): void {
  api.delete(sectionPath, async (context, next) => {
    const lost = requestedLostText(database, context);
    if (!lost) {
      return next();
    }
    database.transaction(() => {
      settleText(database, lost.stack, lost.text.code);
      touchStack(database, lost.stack.uuid);
    });
    return context.body(null, 204);
  });

  // Writing it again brings it back: whoever threw it away may have meant another one.
  api.patch(sectionPath, async (context, next) => {
    const lost = requestedLostText(database, context);
    if (!lost) {
      return next();
    }
    const { text = lost.text.text } = await readJson(context, textSchema);
    database.transaction(() => {
      keepText(database, lost.stack, { ...lost.text, text });
      touchStack(database, lost.stack.uuid);
    });
    return context.json(lostTextRecord({ ...lost.text, text }));
  });
}

/** The text without a patch that a path names, where the stack has no such patch. @throws HttpError as `requestedStack` */
function requestedLostText(
  database: Database,
  context: RequestContext,
): { stack: StackRow; text: TextWithoutPatch } | undefined {
  const stack = requestedStack(database, context, 'write');
  const changeId = pathParameter(context, 'change_id');
  if (findPatch(database, stack.uuid, changeId)) {
    return undefined;
  }
  const text = findTextWithoutPatch(database, stack, changeId, pathParameter(context, 'section_code'));
  return text && { stack, text };
}

function requestedSection(
  database: Database,
  context: RequestContext,
  access: Access,
): { patch: PatchRow; section: SectionRow } {
  const patch = requestedPatch(database, context, access);
  const code = pathParameter(context, 'section_code');
  const section = findSection(database, patch.id, code);
  if (!section) {
    throw notFound(`section ${code}`);
  }
  return { patch, section };
}

function requireText(section: SectionRow, reason: string): void {
  if (section.section_type !== 'text') {
    throw new HttpError(422, 'not_a_text_section', `The diff section ${section.identifier} ${reason}.`);
  }
}

/**
 * The sections' ids in the wanted order, given as paths and codes. Sections the order leaves out follow in the order
 * they had: someone may have added one since the caller looked.
 *
 * @throws HttpError 422 for an entry that names no section, or one twice.
 */
function orderedIds(sections: readonly SectionRow[], order: readonly string[]): number[] {
  const named = new Map(
    sections.flatMap((section) => [[section.code, section] as const, [section.identifier, section]]),
  );
  const rest = new Map(sections.map((section) => [section.id, section]));
  const ids = order.map((entry) => {
    const section = named.get(entry);
    if (!section) {
      throw invalid('section_order', `"${entry}" isn't a section of this patch`);
    }
    if (!rest.delete(section.id)) {
      throw invalid('section_order', `lists "${entry}" twice`);
    }
    return section.id;
  });
  return [...ids, ...rest.keys()];
}
