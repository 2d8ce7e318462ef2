import * as v from 'valibot';
import { answersOf, requestsOf } from '../checked.ts';
import type { FormPage } from '../form.ts';
import type { ProfileHost } from '../profile.ts';
import { formAnswers, formRequests, members, name, nothing, text } from './parts.ts';

const fields = {
  name: v.exactOptional(text),
  givenName: v.exactOptional(text),
  familyName: v.exactOptional(text),
  locale: v.exactOptional(text),
};

const bytes = v.custom<Uint8Array>((value) => value instanceof Uint8Array, 'Bytes');

export const profileSchemas = {
  requests: requestsOf<ProfileHost>()({
    ...formRequests(fields),
    load: nothing,
    chooseAvatar: members({ fileName: name, bytes }),
    dropAvatar: nothing,
    save: members({ fields: members(fields) }),
  }),
  answers: answersOf<FormPage>()(formAnswers),
};
