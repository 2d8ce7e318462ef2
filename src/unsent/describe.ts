/** Descriptions of pending changes for people: a row for each kind. Their side for the service is in `model/pending/kinds/`. */
import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import { runCommand } from '../ui/commands.ts';
import type { Model } from '../model/model.ts';
import type { ChangeFailure } from '../model/pending/failure.ts';
import { markdownOf } from '../model/pending/inPatch.ts';
import type {
  ChangeContents,
  ChangeSubjects,
  KindName,
  WrittenByKind,
} from '../model/pending/kinds/index.ts';
import { namedSection, orderText } from '../model/pending/orderText.ts';
import { isLost, type PendingChange } from '../model/pending/pendingChange.ts';
import type { SentChange } from '../model/pending/pendingChanges.ts';
import { versionName } from '../ui/failures.ts';
import type { Review } from '../util/review.ts';
import type { Question } from './questions.ts';
import { formFields, openForm } from './forms.ts';
import type { PatchRef } from '../util/patchRef.ts';

/** A change that the service has taken, as one sentence, and the texts before and after. */
interface SentText {
  what: string;
  before: string;
  after: string;
}

interface Description<K extends KindName> {
  label(): string;
  /** The icon while nothing else is to be said. */
  icon: string;
  text(pending: PendingChange<ChangeSubjects[K]>, model: Model): string;
  /** The server's present content in its place, read anew. */
  onServer(pending: PendingChange<ChangeSubjects[K]>, model: Model): Promise<string>;
  /** Shows where the change was made. */
  open(subject: ChangeSubjects[K], model: Model, serverUrl: string): Promise<unknown>;
  /** The question about a conflict; missing where it is about words, which are merged in the merge editor. */
  question?(pending: PendingChange<ChangeSubjects[K]>): Question | undefined;
  /** The text that was merged with someone else's, when that is not all of it. */
  merged?(content: ChangeContents[K]): string;
  /** Said while a change waits that can't be taken back later. */
  waiting?(content: ChangeContents[K], title: string): string;
  /** Said of a change that the service has taken. */
  sent(written: WrittenByKind[K], title: string): SentText;
  /** The same of one that takes back another, where that is said in other words. */
  undone?(title: string): string;
  /** True when that is said at once, with *Undo*, and not only listed. */
  isTold: boolean;
}

const rows: { [K in KindName]: Description<K> } = {
  sectionText: {
    label: () => vscode.l10n.t('Text'),
    icon: 'edit',
    text: ({ content }) => content.text,
    onServer: ({ subject }, model) => sectionOnServer(subject, subject.code, model),
    open: (subject, _model, serverUrl) => openSection(subject, serverUrl),
    question: lostSection,
    sent: ({ before, after }, title) => ({
      what: vscode.l10n.t('Changed the text of "{0}".', title),
      before,
      after,
    }),
    isTold: false,
  },

  sharedConflict: {
    label: () => vscode.l10n.t('Conflict'),
    icon: 'git-merge',
    text: ({ content }) => content.text,
    onServer: ({ subject }, model) => sectionOnServer(subject, subject.code, model),
    open: (subject, _model, serverUrl) => openSection(subject, serverUrl),
    question: lostSection,
    sent: ({ before, after }, title) => ({
      what: vscode.l10n.t('Resolved the conflict in "{0}".', title),
      before,
      after,
    }),
    isTold: true,
  },

  newSection: {
    label: () => vscode.l10n.t('New section'),
    icon: 'edit',
    text: ({ content }) => content.text,
    onServer: async ({ subject, failure }, model) =>
      failure?.code === undefined ? '' : sectionOnServer(subject, failure.code, model),
    open: ({ patch }, _model, serverUrl) => runCommand('openPatch', { serverUrl, ...patch }),
    question: ({ title }) => ({
      text: vscode.l10n.t('"{0}" may already have been added. Is this new section the same one?', title),
      actions: [
        { title: vscode.l10n.t("It's the Same"), value: 'same' },
        { title: vscode.l10n.t('Add Mine Too'), value: 'another' },
      ],
      left: 'theirs',
      right: 'mine',
      title: vscode.l10n.t('{0} (On the Server ↔ Yours)', title),
    }),
    sent: ({ text }, title) => ({
      what: vscode.l10n.t('Added section "{0}".', title),
      before: '',
      after: text,
    }),
    isTold: false,
  },

  sectionDeletion: {
    label: () => vscode.l10n.t('Deletion'),
    icon: 'trash',
    text: () => '',
    onServer: ({ subject }, model) => sectionOnServer(subject, subject.code, model),
    open: (subject, _model, serverUrl) => openSection(subject, serverUrl),
    question: ({ title }) => ({
      text: vscode.l10n.t('Someone else changed "{0}" after you deleted it. Delete it anyway?', title),
      actions: [
        { title: vscode.l10n.t('Delete'), value: 'mine' },
        { title: vscode.l10n.t('Keep'), value: 'theirs' },
      ],
      left: 'base',
      right: 'theirs',
      title: vscode.l10n.t('{0} (As You Deleted It ↔ On the Server)', title),
    }),
    sent: ({ text }, title) => ({
      what: vscode.l10n.t('Deleted section "{0}".', title),
      before: text,
      after: '',
    }),
    isTold: true,
  },

  sectionOrder: {
    label: () => vscode.l10n.t('Section order'),
    icon: 'edit',
    text: ({ subject, content, failure }, model) => {
      const known = model.knownPatch(subject.patch)?.value.sections?.map(namedSection);
      return orderText(content.order, known ?? failure?.order ?? []);
    },
    onServer: async ({ subject }, model) => {
      const { sections = [] } = await readPatch(subject.patch, model);
      return orderText(
        sections.map(({ identifier }) => identifier),
        sections.map(namedSection),
      );
    },
    open: ({ patch }, _model, serverUrl) => runCommand('openPatch', { serverUrl, ...patch }),
    question: ({ title }) => ({
      text: vscode.l10n.t(
        'Someone else reordered the same sections of "{0}". Which order do you want to keep?',
        title,
      ),
      actions: [
        { title: vscode.l10n.t('Keep Mine'), value: 'mine' },
        { title: vscode.l10n.t('Keep Theirs'), value: 'theirs' },
        { title: vscode.l10n.t('Show Previous Order'), value: 'showBase' },
      ],
      left: 'theirs',
      right: 'mine',
      title: vscode.l10n.t('{0} (On the Server ↔ Yours)', title),
    }),
    sent: ({ before, after, sections }, title) => ({
      what: vscode.l10n.t('Reordered the sections of "{0}".', title),
      before: orderText(before, sections),
      after: orderText(after, sections),
    }),
    undone: (title) => vscode.l10n.t('Restored the order of the sections of "{0}".', title),
    isTold: true,
  },

  signOff: {
    label: () => vscode.l10n.t('Review'),
    icon: 'edit',
    text: ({ content }) => reviewLabel(content.review),
    onServer: async ({ subject }, model) =>
      reviewLabel(model.opinions(await readPatch(subject.patch, model)).mine),
    open: ({ patch }, _model, serverUrl) => runCommand('openPatch', { serverUrl, ...patch }),
    waiting: ({ review, batch }, title) =>
      batch
        ? vscode.l10n.t('Signing off in a few seconds. Patches: {0}.', batch.size)
        : review === 'signedOff'
          ? vscode.l10n.t('Signing off on "{0}" in a few seconds.', title)
          : vscode.l10n.t('Requesting changes to "{0}" in a few seconds.', title),
    sent: ({ review }, title) => ({
      what:
        review === 'signedOff'
          ? vscode.l10n.t('Signed off on "{0}".', title)
          : vscode.l10n.t('Requested changes to "{0}".', title),
      before: '',
      after: reviewLabel(review),
    }),
    isTold: true,
  },

  stack: {
    label: () => vscode.l10n.t('Title and description'),
    icon: 'edit',
    text: ({ content }) => fieldLines(content.fields),
    onServer: async ({ subject: { projectId, stackUuid }, content }, model) => {
      const stacks = (await model.stacks(projectId, 'all')).value;
      const { title, description } = stacks.find(({ uuid }) => uuid === stackUuid) ?? {};
      return fieldLines(sameFields(content.fields, { title, description }));
    },
    open: async ({ projectId, stackUuid }, model) => {
      const stack = await model.findStack(projectId, stackUuid);
      return runCommand('editStack', ...(stack ? [{ projectId, stack }] : []));
    },
    merged: ({ fields }) => fields.description ?? '',
    sent: ({ before, after }, title) => ({
      what: vscode.l10n.t('Changed the title or description of "{0}".', title),
      before: `${before.title}\n\n${before.description}`,
      after: `${after.title}\n\n${after.description}`,
    }),
    isTold: false,
  },

  form: {
    label: () => vscode.l10n.t('Form'),
    icon: 'edit',
    text: ({ content }) => fieldLines(content.fields),
    onServer: async ({ subject, content }, model) =>
      fieldLines(sameFields(content.fields, await formFields(subject, model))),
    open: (subject, model) => openForm(subject, model, runCommand),
    // The form itself says what it has sent.
    sent: (written) => written,
    isTold: false,
  },
};

/** The description of a change. A `PendingChange` is of one kind throughout, as in `kindOf`. */
export function describe<K extends KindName>({ kind }: { kind: K }): Description<K> {
  return rows[kind];
}

/** A change that the service has taken, and whether it is told at once. @param isUndo whether it takes back an earlier one. */
export function describeSent(
  { change, title }: Pick<SentChange, 'change' | 'title'>,
  isUndo = false,
): SentText & { isTold: boolean } {
  const row = describe(change);
  const isOneOfMany = change.kind === 'signOff' && change.isOneOfMany === true;
  const sent = row.sent(change, title);
  const what = (isUndo ? row.undone?.(title) : undefined) ?? sent.what;
  return { ...sent, what, isTold: row.isTold && !isOneOfMany };
}

function openSection({ patch, code }: { patch: PatchRef; code: string }, serverUrl: string) {
  return runCommand('openPatch', { ...patch, serverUrl, sectionCode: code });
}

async function readPatch(patch: PatchRef, model: Model): Promise<Patch> {
  const { value, failure } = await model.refreshPatch(patch);
  if (failure instanceof Error) {
    throw failure;
  }
  return value;
}

async function sectionOnServer({ patch }: { patch: PatchRef }, code: string, model: Model): Promise<string> {
  const { sections = [] } = await readPatch(patch, model);
  const section = sections.find((candidate) => candidate.code === code);
  return section ? markdownOf(section) : '';
}

/** The fields of a form or a stack, a line for each. */
function fieldLines(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** Of what is there, the fields that are changed. */
function sameFields(changed: object, there: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(changed).map((name) => [name, there[name] ?? '']));
}

function reviewLabel(review: Review | undefined): string {
  switch (review) {
    case 'signedOff':
      return vscode.l10n.t('signed off');
    case 'changesRequested':
      return vscode.l10n.t('changes requested');
    case undefined:
      return vscode.l10n.t('not reviewed');
  }
}

/** The question about a text whose section is gone. */
function lostSection({ subject, title, failure }: PendingChange): Question | undefined {
  return failure && isLost({ subject }, failure)
    ? {
        text: lostSectionText(title, failure),
        actions: [
          { title: vscode.l10n.t('Add as New Section'), value: 'mine' },
          { title: vscode.l10n.t('Discard'), value: 'theirs' },
        ],
        left: 'base',
        right: 'mine',
        title: vscode.l10n.t('{0} (Before Deletion ↔ Yours)', title),
      }
    : undefined;
}

function lostSectionText(title: string, { kind, newest }: ChangeFailure): string {
  if (!newest) {
    return vscode.l10n.t(
      'Someone else deleted "{0}", which you changed. Add your text as a new section?',
      title,
    );
  }
  return kind === 'ambiguous'
    ? vscode.l10n.t(
        'The newest version of the patch stack, {0}, has several sections that could be "{1}", which you changed. Add your text as a new section?',
        versionName(newest),
        title,
      )
    : vscode.l10n.t(
        'The newest version of the patch stack, {0}, no longer has "{1}", which you changed. Add your text as a new section?',
        versionName(newest),
        title,
      );
}
