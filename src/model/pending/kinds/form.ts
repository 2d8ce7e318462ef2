/** The content of a form. Only the form itself sends it. */
import * as v from 'valibot';
import { changeSchema, type Kind } from '../kind.ts';

const schema = changeSchema(
  {
    kind: v.literal('form'),
    form: v.picklist(['profile', 'createProject', 'editProject', 'createStack', 'release', 'feedback']),
    // The id of the thing that it changes, if any.
    about: v.optional(v.string()),
  },
  { fields: v.record(v.string(), v.unknown()) },
);
type Change = v.InferOutput<typeof schema>;

/** The forms that keep what is typed into them. */
export type FormName = Change['subject']['form'];

/** See the module. */
export const form = {
  schema,
  key: ({ form: name, about = '' }) => [name, about],
  queue: ({ form: name, about = '' }) => [name, about],
  isNothing: ({ fields }) => Object.keys(fields).length === 0,
  goOn: (_before, typed) => typed,
  rest: (change) => change,
} satisfies Kind<Change['subject'], Change['content']>;
