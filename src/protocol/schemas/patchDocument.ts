import * as v from 'valibot';
import { answersOf, requestsOf } from '../checked.ts';
import type { SectionRef } from '../../util/patchRef.ts';
import type { PatchDocumentHost, PatchDocumentView } from '../patchDocument.ts';
import { codeRequests, count, members, name, nothing, text, typedOn } from './parts.ts';

const code = members({ code: name });
const line = members({ side: v.picklist(['old', 'new']), line: count, end: v.exactOptional(count) });
const place = members({ code: name, line: v.exactOptional(line) });
const direction = members({ direction: v.picklist(['next', 'previous']) });
const patch = members({
  serverUrl: v.optional(name),
  projectId: v.optional(name),
  branchId: v.optional(name),
  stackUuid: name,
  changeId: name,
});
const target = v.union([members({ key: name, after: v.nullable(name) }), code]);
const changes = v.array(v.union([count, v.tupleWithRest([count], text)]));
const typed = members({
  patch,
  target,
  typed: v.union([members({ base: text, text }), members({ after: count, changes })]),
  ...typedOn,
});
const pending = members({
  patch,
  kind: v.picklist(['order', 'signOff', 'deletion']),
  code: v.exactOptional(name),
});

/** The choices of a person for how diffs are laid out. */
export const preferences = members({
  layout: v.picklist(['unified', 'sideBySide']),
  ignoreWhitespace: v.boolean(),
  wrap: v.boolean(),
});

export const patchDocumentSchemas = {
  requests: requestsOf<PatchDocumentHost>()({
    settings: nothing,
    patch: members({ fresh: v.boolean() }),
    placeToReveal: nothing,
    noteFocus: members({ focus: v.picklist(['none', 'document', 'section', 'typing']) }),
    noteFocusGiven: nothing,
    diff: code,
    diffs: nothing,
    preferences: nothing,
    setPreferences: preferences,
    compareWith: members({ baseline: v.picklist(['nothing', 'lastRead', 'signedOff', 'choose']) }),
    compareWithWritten: code,
    confirmText: code,
    setRead: members({ code: name, isRead: v.boolean() }),
    noteSeen: members({ fingerprint: name, codes: v.array(name) }),
    avatars: nothing,
    commitInWorkspace: nothing,
    generated: nothing,
    moved: nothing,
    fileLines: code,
    binary: code,
    ...codeRequests,
    fileIcons: members({
      paths: v.array(name),
      kind: v.picklist(['light', 'dark', 'highContrast', 'highContrastLight']),
    }),
    openChanges: members({ code: v.exactOptional(name) }),
    proseLinks: code,
    chooseLine: members({ lines: v.array(members({ path: name, line: count, text })) }),
    images: members({ paths: v.array(name) }),
    checkText: members({ text }),
    offeredNames: nothing,
    template: nothing,
    openFile: members({ path: name, line: v.exactOptional(count) }),
    openCommit: nothing,
    openOtherCommit: members({ sha: name }),
    openNeighbor: direction,
    openOther: members({ changeId: name }),
    readAhead: direction,
    goToActive: nothing,
    showNewer: nothing,
    getContents: nothing,
    signIn: nothing,
    showUser: members({ login: name }),
    copy: members({ text }),
    copyLink: nothing,
    // Writing.
    saveTextLocally: typed,
    sendText: typed,
    restoreTexts: members({
      patch,
      account: name,
      texts: v.array(members({ target, base: text, text, after: text, ...typedOn })),
    }),
    discardText: members({ patch, target }),
    undoDiscard: members({ patch, target }),
    actOnText: members({ patch, target, action: v.picklist(['compare', 'merge', 'addAgain', 'showOther']) }),
    resolveShared: members({ patch, code: name }),
    orderSections: members({ patch, order: v.array(name) }),
    chooseGap: members({ patch, moving: count, names: v.array(text) }),
    review: members({
      patch,
      review: v.picklist(['signedOff', 'changesRequested']),
      seen: name,
      anyway: v.exactOptional(v.boolean()),
      goesOn: v.exactOptional(v.boolean()),
    }),
    dismissUnseen: members({ patch }),
    retryPending: pending,
    discardPending: pending,
    takeOver: members({ patch, id: name }),
    undoChange: members({ patch, change: count }),
    dismissChange: members({ patch, change: count }),
  }),
  answers: answersOf<PatchDocumentView>()({
    show: v.boolean(),
    reveal: nothing,
    arrive: nothing,
    announce: nothing,
    find: nothing,
    go: nothing,
    colorAnew: nothing,
    asText: members({ text, line: count }),
    focusedPlace: v.nullable(place),
    editSection: v.boolean(),
    addSection: nothing,
    moveSections: v.boolean(),
    focusedSection: v.nullable(name),
  }),
};

/** The place of the patch, which the page has kept over a reload of the window. */
export const patchDocumentState: v.GenericSchema<unknown, SectionRef> = members({
  serverUrl: name,
  projectId: v.exactOptional(name),
  branchId: v.exactOptional(name),
  stackUuid: name,
  changeId: name,
});
