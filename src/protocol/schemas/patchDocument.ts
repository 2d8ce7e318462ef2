import * as v from 'valibot';
import { answersOf, requestsOf } from '../checked.ts';
import type { PatchDocumentHost, PatchDocumentState, PatchDocumentView } from '../patchDocument.ts';
import { count, members, name, nothing, text, typedOn } from './parts.ts';

const code = members({ code: name });
const line = members({ side: v.picklist(['old', 'new']), line: count });
const place = members({ code: name, line: v.exactOptional(line) });
const direction = members({ direction: v.picklist(['next', 'previous']) });
const patch = members({ stackUuid: name, changeId: name });
const target = v.union([members({ key: name, after: v.nullable(name) }), code]);
const typed = { patch, target, base: text, text };
const splice = members({ from: count, to: count, insert: text });
const pending = members({
  patch,
  kind: v.picklist(['order', 'signOff', 'deletion']),
  code: v.exactOptional(name),
});

/** What the patch document may say. */
export const patchDocumentSchemas = {
  requests: requestsOf<PatchDocumentHost>()({
    settings: nothing,
    patch: members({ fresh: v.boolean() }),
    placeToReveal: nothing,
    noteFocus: members({ focus: v.picklist(['none', 'document', 'section', 'typing']) }),
    diff: code,
    diffs: nothing,
    preferences: nothing,
    setPreferences: members({
      layout: v.picklist(['unified', 'sideBySide']),
      ignoreWhitespace: v.boolean(),
    }),
    setViewed: members({ code: name, viewed: v.boolean() }),
    avatars: nothing,
    commitInWorkspace: nothing,
    fileLines: code,
    openChanges: members({ code: v.exactOptional(name) }),
    openFile: members({ path: name, line: v.exactOptional(count) }),
    openCommit: nothing,
    openNeighbour: direction,
    readAhead: direction,
    goToActive: nothing,
    signIn: nothing,
    showUser: members({ login: name }),
    copy: members({ text }),
    copyLink: nothing,
    // Writing.
    pendingChanges: members({ patch }),
    keepText: members({ ...typed, ...typedOn }),
    keepTyped: members({ patch, target, after: count, ...typedOn, splice: v.exactOptional(splice) }),
    sendText: members({ ...typed, ...typedOn }),
    handOver: members({
      patch,
      account: name,
      texts: v.array(members({ target, base: text, text, after: text, ...typedOn })),
    }),
    discardText: members({ patch, target }),
    undoDiscard: members({ patch, target }),
    decide: members({ patch, target, decision: v.picklist(['compare', 'merge', 'addAgain']) }),
    orderSections: members({ patch, order: v.array(name) }),
    chooseGap: members({ patch, moving: count, names: v.array(text) }),
    review: members({ patch, review: v.picklist(['signedOff', 'changesRequested']), seen: name }),
    retryPending: pending,
    discardPending: pending,
    takeOver: members({ patch, id: name }),
    undoChange: members({ patch, change: count }),
  }),
  answers: answersOf<PatchDocumentView>()({
    show: nothing,
    reveal: nothing,
    arrive: nothing,
    announce: nothing,
    find: nothing,
    go: nothing,
    asText: members({ text, line: count }),
    focusedPlace: v.nullable(place),
    showPending: nothing,
    adoptText: nothing,
    tellChange: nothing,
    dismissChange: nothing,
    editSection: v.boolean(),
    addSection: nothing,
    moveSections: v.boolean(),
    focusedSection: v.nullable(name),
  }),
};

/** What it has kept over a reload of the window. */
export const patchDocumentState: v.GenericSchema<unknown, PatchDocumentState> = members({
  serverUrl: name,
  projectId: v.exactOptional(name),
  branchId: v.exactOptional(name),
  stackUuid: name,
  changeId: name,
});
