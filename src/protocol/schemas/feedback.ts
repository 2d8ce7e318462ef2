import * as v from 'valibot';
import { answersOf, requestsOf } from '../checked.ts';
import type { FeedbackHost, FeedbackPage } from '../feedback.ts';
import { codeRequests, formAnswers, formRequests, members, name, nothing, text } from './parts.ts';

const fields = { message: text, email: text, context: text, log: v.boolean(), repository: name, ignore: text, data: v.array(name) }; // prettier-ignore

export const feedbackSchemas = {
  requests: requestsOf<FeedbackHost>()({
    ...formRequests({
      message: v.exactOptional(fields.message),
      email: v.exactOptional(fields.email),
      context: v.exactOptional(fields.context),
      log: v.exactOptional(fields.log),
      repository: v.exactOptional(fields.repository),
      ignore: v.exactOptional(fields.ignore),
      data: v.exactOptional(fields.data),
    }),
    ...codeRequests,
    load: nothing,
    survey: members({ root: name, ignore: text }),
    chooseData: nothing,
    send: members({ fields: members(fields) }),
  }),
  answers: answersOf<FeedbackPage>()({ ...formAnswers, progress: nothing }),
};
