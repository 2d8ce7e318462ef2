import type * as v from 'valibot';
import { answersOf, requestsOf } from '../checked.ts';
import type { UserCardHost, UserCardPage, UserCardState } from '../userCard.ts';
import { members, name, nothing, text } from './parts.ts';

/** What the card of a user may say. */
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

/** What it has kept over a reload of the window. */
export const userCardState: v.GenericSchema<unknown, UserCardState> = members({ login: name });
