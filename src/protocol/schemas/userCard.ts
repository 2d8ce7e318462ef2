import type * as v from 'valibot';
import { answersOf, requestsOf } from '../checked.ts';
import type { UserCardHost, UserCardPage, UserCardState } from '../userCard.ts';
import { members, name, nothing, text } from './parts.ts';

export const userCardSchemas = {
  requests: requestsOf<UserCardHost>()({
    settings: nothing,
    load: nothing,
    copyAuthorizedKeys: nothing,
    copy: members({ text }),
    editProfile: nothing,
    manageKeys: nothing,
  }),
  answers: answersOf<UserCardPage>()({ reload: nothing }),
};

/** Held against what a panel that VS Code has kept says of itself. */
export const userCardState: v.GenericSchema<unknown, UserCardState> = members({ login: name });
