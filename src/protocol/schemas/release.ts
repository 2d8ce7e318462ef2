import * as v from 'valibot';
import { answersOf, requestsOf } from '../checked.ts';
import type { FormPage } from '../form.ts';
import { releaseChannels, type ReleaseHost } from '../release.ts';
import { codeRequests, formAnswers, formRequests, members, name, nothing, text } from './parts.ts';

const channel = v.picklist(releaseChannels);

export const releaseSchemas = {
  requests: requestsOf<ReleaseHost>()({
    ...formRequests({
      place: v.exactOptional(name),
      version: v.exactOptional(text),
      revision: v.exactOptional(text),
      channel: v.exactOptional(channel),
    }),
    ...codeRequests,
    load: nothing,
    findRevision: members({ place: name, revision: text }),
    create: members({ version: text, sha: name, channel }),
    copy: members({ text }),
  }),
  answers: answersOf<FormPage>()(formAnswers),
};
