import type { LoginToken } from '../types/login.ts';
import { at, identifier, record, text, type Reader } from './values.ts';

const tokenRecord = record<Omit<LoginToken, 'lifetimeMs'>>(
  {
    token: at('token', identifier),
    url: at('url', text),
    expires: at('expires', text),
    browserToken: at('browser_token', text),
    name: at('name', text),
  },
  ['token'],
);

/** A login token as a record, or bare. */
export const loginToken: Reader<Omit<LoginToken, 'lifetimeMs'>> = (value, report) => {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return tokenRecord(value, report);
  }
  const token = identifier(typeof value === 'string' ? value.trim() : value, report);
  return token === undefined ? undefined : { token };
};
