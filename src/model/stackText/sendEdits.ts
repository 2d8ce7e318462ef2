/** Sends what somebody has made of a stack's markdown file: as pending changes, each merged with what others have changed meanwhile. */
import { randomUUID } from 'node:crypto';
import { isOutOfReach } from '../../api/errors.ts';
import type { StackRef } from '../../util/patchRef.ts';
import { sectionTitle } from '../../util/sectionTitle.ts';
import { Turns } from '../../util/turns.ts';
import type { ChangeContent, ChangeSubject } from '../pending/kinds/index.ts';
import type { KnownChange, SendOutcome } from '../pending/pendingChange.ts';
import type { PendingChanges } from '../pending/pendingChanges.ts';
import type { Follows, PatchPlan, StackPlan } from './planEdits.ts';
import type { PatchText, StackText } from './stackText.ts';

/** A stack, as pending changes name it. */
export interface StackPlace extends StackRef {
  projectId: string;
}

/** A pending change that the service has not taken; `outcome` is missing where it was not sent, for another one came to nothing. */
export interface Unsent {
  pending: KnownChange;
  outcome?: SendOutcome;
}

export interface SentEdits {
  /** The stack as it is written then: what was sent, and what waits. */
  text: StackText;
  unsent: Unsent[];
}

/** Patches that are sent at once; the changes of each one after the other. */
const mostAtOnce = 4;

/**
 * See the module. All of it is saved locally before anything is sent.
 *
 * @param untitled what a text without any words is called.
 */
export async function sendEdits(
  pendingChanges: PendingChanges,
  place: StackPlace,
  base: StackText,
  plan: StackPlan,
  untitled: string,
): Promise<SentEdits> {
  const queues: Queue[] = [
    keepFields(pendingChanges, place, base, plan),
    ...(await Promise.all(
      plan.patches.map((patch, index) =>
        keepPatch(pendingChanges, place, patch, { title: base.patches[index]?.title ?? '', untitled }),
      ),
    )),
  ];
  await pendingChanges.flush();
  const turns = new Turns(mostAtOnce);
  const wholeWay = { isOpen: true };
  await Promise.all(queues.map((queue) => turns.take(() => sendInTurn(pendingChanges, queue, wholeWay))));
  const { fields } = plan;
  return {
    text: {
      title: fields.title ?? base.title,
      description: fields.description ?? base.description,
      patches: plan.patches.map((patch, index) => ({
        changeId: patch.changeId,
        title: base.patches[index]?.title ?? '',
        sections: resultOf(patch, queues[index + 1]?.added ?? []),
      })),
    },
    unsent: queues.flatMap(({ unsent }) => unsent),
  };
}

/** Changes that are sent one after the other. */
interface Queue {
  ids: string[];
  /** The texts that are added: each by its key, and by its code when the service has it. */
  added: { key: string; code?: string }[];
  unsent: Unsent[];
}

function keepFields(
  pendingChanges: PendingChanges,
  { projectId, branchId, stackUuid }: StackPlace,
  { title, description }: StackText,
  { fields }: StackPlan,
): Queue {
  const queue: Queue = { ids: [], added: [], unsent: [] };
  if (Object.keys(fields).length > 0) {
    const subject = { kind: 'stack' as const, projectId, branchId, stackUuid };
    keep(pendingChanges, queue, subject, { base: { title, description }, fields }, title);
  }
  return queue;
}

async function keepPatch(
  pendingChanges: PendingChanges,
  place: StackPlace,
  { changeId, texts, deletions, order, additions }: PatchPlan,
  { title, untitled }: { title: string; untitled: string },
): Promise<Queue> {
  const { projectId, branchId, stackUuid } = place;
  const patch = { projectId, branchId, stackUuid, changeId };
  const queue: Queue = { ids: [], added: additions.map(() => ({ key: randomUUID() })), unsent: [] };
  const after = (follows: Follows): string | null =>
    typeof follows === 'number' ? (queue.added[follows]?.key ?? null) : follows;
  const put = <S extends ChangeSubject>(subject: S, content: ChangeContent<S>, name = untitled): void =>
    keep(pendingChanges, queue, subject, content, name);

  for (const { section, text, follows } of texts) {
    const { code } = section;
    const name = sectionTitle(text) ?? sectionTitle(section.text);
    if (section.isNew === true) {
      put({ kind: 'newSection', patch, key: code }, { text, after: after(follows) }, name);
    } else {
      put({ kind: 'sectionText', patch, code }, { base: section.text, text }, name);
    }
  }
  for (const { section, follows } of deletions) {
    const { code, isNew, text } = section;
    const unsent =
      isNew === true
        ? pendingChanges.find({ kind: 'newSection', patch, key: code })
        : pendingChanges.find({ kind: 'sectionText', patch, code });
    if (unsent) {
      // Nobody gets it any more; it can be had back.
      await pendingChanges.discard(unsent.id);
    }
    if (isNew !== true) {
      const known = unsent && 'base' in unsent.content ? unsent.content.base : text;
      put({ kind: 'sectionDeletion', patch, code }, { text: known, after: follows }, sectionTitle(text));
    }
  }
  if (order) {
    put({ kind: 'sectionOrder', patch }, order, title);
  }
  additions.forEach(({ text, follows }, index) => {
    const key = queue.added[index]?.key ?? randomUUID();
    put({ kind: 'newSection', patch, key }, { text, after: after(follows) }, sectionTitle(text));
  });
  return queue;
}

function keep<S extends ChangeSubject>(
  pendingChanges: PendingChanges,
  queue: Queue,
  subject: S,
  content: ChangeContent<S>,
  title: string,
): void {
  pendingChanges.put(subject, content, title);
  const pending = pendingChanges.find(subject);
  if (pending) {
    queue.ids.push(pending.id);
  }
}

/**
 * Sends changes of one patch; those behind one that was not sent wait with it, for they build on each other.
 *
 * @param way that of all patches: when the service can't be reached, they wait as well.
 */
async function sendInTurn(
  pendingChanges: PendingChanges,
  { ids, added, unsent }: Queue,
  way: { isOpen: boolean },
): Promise<void> {
  let { isOpen } = way;
  for (const id of ids) {
    const pending = pendingChanges.get(id);
    if (!pending) {
      continue;
    }
    isOpen &&= way.isOpen;
    const outcome = isOpen ? await pendingChanges.send(id) : undefined;
    if (outcome?.kind !== 'sent') {
      unsent.push({ pending, ...(outcome && { outcome }) });
    }
    if (outcome?.kind === 'failed') {
      isOpen = false;
      way.isOpen &&= !isOutOfReach(outcome.error);
    }
    const { subject } = pending;
    const addition = subject.kind === 'newSection' && added.find(({ key }) => key === subject.key);
    if (addition && outcome?.kind === 'sent' && outcome.code !== undefined) {
      addition.code = outcome.code;
    }
  }
}

/** The sections of a patch as they are then. */
function resultOf({ result }: PatchPlan, added: Queue['added']): PatchText['sections'] {
  return result.map((section) => {
    if (section.kind !== 'added') {
      return section;
    }
    const { key = '', code = key } = added[section.index] ?? {};
    return { kind: 'text', code, identifier: code, text: section.text, ...(code === key && { isNew: true }) };
  });
}
