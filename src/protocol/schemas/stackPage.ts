import * as v from 'valibot';
import { answersOf, requestsOf } from '../checked.ts';
import {
  lostTextActions,
  stackActions,
  type StackPageHost,
  type StackPagePage,
  type StackPageState,
} from '../stackPage.ts';
import { codeRequests, formAnswers, formRequests, members, name, nothing, text } from './parts.ts';

export const stackPageSchemas = {
  requests: requestsOf<StackPageHost>()({
    ...formRequests({
      title: v.exactOptional(text),
      description: v.exactOptional(text),
      before: v.exactOptional(members({ title: text, description: text })),
    }),
    ...codeRequests,
    load: nothing,
    refresh: nothing,
    changes: members({ older: name, newer: name }),
    openVersion: members({ stackUuid: name }),
    openPatch: members({ changeId: name }),
    openInVersion: members({ changeId: name, stackUuid: name }),
    review: members({ changeId: name, review: v.picklist(['signedOff', 'changesRequested']) }),
    lostText: members({ action: v.picklist(lostTextActions), changeId: name, code: name }),
    run: members({ action: v.picklist(stackActions) }),
    saveFields: nothing,
    endEditing: nothing,
  }),
  answers: answersOf<StackPagePage>()({ ...formAnswers, show: nothing }),
};

/** Held against what a panel that VS Code has kept says of itself. */
export const stackPageState: v.GenericSchema<unknown, StackPageState> = members({
  serverUrl: name,
  projectId: name,
  branchId: v.exactOptional(name),
  stackUuid: name,
});
