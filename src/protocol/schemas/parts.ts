/** Common parts of the messages of several pages. */
import * as v from 'valibot';
import { isObject } from '../../util/isObject.ts';

/** For methods that are told nothing, and for those that answer nothing. */
export const nothing = v.null();

/** A text that is typed, or shown. */
export const text = v.string();

/** Characters of what names something: nothing that the service gives is longer. */
const longestName = 100_000;

/** A code, an id, a path or another name. */
export const name = v.pipe(v.string(), v.maxLength(longestName));

/** A place in a text, a line of it, or a number that counts up. */
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** True for something that has members by names, and is nothing else: for valibot a list without any is an object, too. */
const isPlain = (value: unknown): boolean => {
  const prototype: unknown = isObject(value) ? Object.getPrototypeOf(value) : undefined;
  return prototype === Object.prototype || prototype === null;
};

/** An object with members by names. Those that it doesn't name are left out of what is acted on. */
export function members<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(v.custom<object>(isPlain, 'Object'), v.object(entries));
}

/** The page of a text's typing, and how far it was. */
export const typedOn = { page: name, edition: count };

/** Requests of every page that has code, formulas, or emoji on it. */
export const codeRequests = {
  colors: members({
    name: v.union([members({ path: name }), members({ language: name })]),
    theme: members({
      id: name,
      kind: v.picklist(['light', 'dark', 'highContrast', 'highContrastLight']),
    }),
    lines: v.array(text),
    isStart: v.boolean(),
  }),
  formulas: members({ formulas: v.array(members({ source: text, display: v.boolean() })) }),
  emoji: nothing,
};

/** Requests of every form. @param fields those of the form, each of which may be missing. */
export function formRequests<const Fields extends v.ObjectEntries>(fields: Fields) {
  return {
    settings: nothing,
    saveFieldsLocally: members({ fields: members(fields), ...typedOn }),
    restoreFields: members({ account: name, fields: members(fields), after: members(fields), ...typedOn }),
    discardFields: members(typedOn),
  };
}

export const formAnswers = { reload: nothing };
