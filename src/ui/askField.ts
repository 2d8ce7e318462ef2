import { askText, type TextQuestion } from './askText.ts';

/** A step of a form that asks for one of its fields. */
interface FieldQuestion<Field extends string> extends Omit<
  TextQuestion<undefined>,
  'onType' | 'check' | 'accept'
> {
  form: Partial<Record<Field, string>>;
  field: Field;
  /** Called when something was typed, which is in the form by then. */
  keep: () => void;
  /** As of `TextQuestion`; without it any text is right. */
  check?: TextQuestion<undefined>['check'];
  /** Does what is left to do with a text that is right; what it throws is told in the same place. */
  accept?: (text: string) => Promise<void>;
}

/**
 * Asks for a field of a form, which has what is typed at once.
 *
 * @throws what `askText` throws.
 */
export function askField<Field extends string>({
  form,
  field,
  keep,
  check = () => undefined,
  accept,
  ...question
}: FieldQuestion<Field>): Promise<undefined> {
  return askText<undefined>({
    value: form[field] ?? '',
    ...question,
    onType: (text) => {
      form[field] = text;
      keep();
    },
    check,
    accept: async (text) => {
      await accept?.(text);
      return { value: undefined };
    },
  });
}
