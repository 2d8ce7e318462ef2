/** Between the service's user and the fields of the form. */
import { isApiError } from '../../api/errors.ts';
import type { User, UserUpdate } from '../../api/types/users.ts';
import type { ProfileFields, SaveAnswer } from '../../protocol/profile.ts';
import { changedFields } from '../../util/fields.ts';

/** The fields of the form as the service has them. */
export function fieldsOf(user: User): ProfileFields {
  const { name = '', givenName = '', familyName = '', locale = '' } = user;
  return { name, givenName, familyName, locale };
}

/** The part of `candidate` that is text for a field of the form, whoever wrote it. */
export function readFields(candidate: unknown): Partial<ProfileFields> {
  const source: Record<string, unknown> = typeof candidate === 'object' ? { ...candidate } : {};
  const fields: Partial<ProfileFields> = {};
  for (const name of ['name', 'givenName', 'familyName', 'locale'] as const) {
    const value = source[name];
    if (typeof value === 'string') {
      fields[name] = value;
    }
  }
  return fields;
}

/** Returns the changes to send: only fields that differ from what the service has. */
export function changesOf(user: User, fields: Partial<ProfileFields>): UserUpdate {
  return changedFields(fieldsOf(user), fields);
}

/** The service's names of the fields that a form has under another one. */
const fieldNames: Readonly<Record<string, keyof ProfileFields | 'avatar'>> = {
  name: 'name',
  given_name: 'givenName',
  givenName: 'givenName',
  family_name: 'familyName',
  familyName: 'familyName',
  locale: 'locale',
  avatar: 'avatar',
};

/**
 * Returns the service's objection to each field it refused.
 *
 * @returns undefined when the failure has nothing to do with the fields.
 */
export function refusedFields(
  error: unknown,
): Extract<SaveAnswer, { kind: 'refused' }>['fields'] | undefined {
  if (!isApiError(error) || error.kind !== 'invalid') {
    return undefined;
  }
  const fields: Extract<SaveAnswer, { kind: 'refused' }>['fields'] = {};
  for (const { field, message } of error.fields) {
    const name = Object.hasOwn(fieldNames, field) ? fieldNames[field] : undefined;
    if (name !== undefined) {
      fields[name] ??= message;
    }
  }
  return fields;
}
