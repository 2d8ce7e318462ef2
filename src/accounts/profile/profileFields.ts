/** Between the service's user and the fields of the form. */
import { isApiError } from '../../api/errors.ts';
import type { User, UserUpdate } from '../../api/types/users.ts';
import type { ProfileFields, SaveAnswer } from '../../protocol/profile.ts';

/** The fields of the form as the service has them. */
export function fieldsOf(user: User): ProfileFields {
  const { name = '', givenName = '', familyName = '', locale = '' } = user;
  return { name, givenName, familyName, locale };
}

/** The part of `candidate` that is text for a field of the form, whoever wrote it. */
export function readFields(candidate: unknown): Partial<ProfileFields> {
  const source = (typeof candidate === 'object' ? candidate : null) ?? {};
  const fields: Partial<ProfileFields> = {};
  for (const name of ['name', 'givenName', 'familyName', 'locale'] as const) {
    const value: unknown = (source as Record<string, unknown>)[name];
    if (typeof value === 'string') {
      fields[name] = value;
    }
  }
  return fields;
}

/** What is sent: only what differs from what the service has. */
export function changesOf(user: User, fields: Partial<ProfileFields>): UserUpdate {
  const before = fieldsOf(user);
  const changed = Object.entries(fields).filter(
    ([name, value]) => before[name as keyof ProfileFields] !== value,
  );
  return Object.fromEntries(changed);
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
 * What the service said to each field, when it refused them.
 *
 * @returns undefined when the failure is none of the fields' fault.
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
