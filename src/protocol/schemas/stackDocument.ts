import * as v from 'valibot';
import { answersOf, requestsOf } from '../checked.ts';
import type { ForPart, StackDocumentHost, StackDocumentPage } from '../stackDocument.ts';
import { codeRequests, count, members, name, nothing, text } from './parts.ts';
import { preferences } from './patchDocument.ts';

export const stackDocumentSchemas = {
  requests: requestsOf<StackDocumentHost>()({
    ...codeRequests,
    settings: nothing,
    preferences: nothing,
    setPreferences: preferences,
    stack: members({ fresh: v.boolean() }),
    showNewer: nothing,
    noteDrawn: members({ changeIds: v.array(name) }),
    patchToShow: nothing,
  }),
  answers: answersOf<StackDocumentPage>()({
    show: nothing,
    showPatch: nothing,
    asText: members({ text, line: count }),
  }),
};

/** The message in it is held against the schemas of the patch document. */
export const forPart: v.GenericSchema<unknown, ForPart> = members({ patch: name, message: v.unknown() });
