import type { FieldMessage, NamedVersion } from '../errors.ts';
import { parseJson } from './json.ts';
import { object } from './values.ts';
import { within } from '../../util/budget.ts';

interface ServiceMessage {
  message?: string;
  fields: FieldMessage[];
  /** The version to write to instead, when that is what was wrong. */
  newest?: NamedVersion;
}

/** Error bodies are read no further than this: no one reads a longer message. Characters. */
const longestBody = 65_536;
const longestMessage = 500;

/**
 * Reads an error body: `{error, error_code}`, `{message}`, `{errors: […]}`, `{newest: {uuid, version}}`, plain text, or HTML,
 * which is reduced to its title. The text is cleaned; masking secrets in it is the caller's.
 */
export function serviceMessage(body: Buffer): ServiceMessage {
  // Not fatal: an error page in another encoding is still worth its ASCII.
  const raw = body.subarray(0, longestBody).toString('utf8').trim();
  if (raw === '') {
    return { fields: [] };
  }
  const value = parseJson(raw);
  if (value === undefined) {
    return withMessage(raw.startsWith('<') ? htmlTitle(raw) : raw, []);
  }
  if (typeof value === 'string') {
    return withMessage(value, []);
  }
  const source = object(Array.isArray(value) ? { errors: value } : value);
  if (source === undefined) {
    return { fields: [] };
  }
  const fields = fieldMessages(source['errors']);
  const inner = object(source['error']);
  const message = [
    source['message'],
    source['error'],
    inner?.['message'],
    source['error_description'],
    source['detail'],
    source['title'],
    fields.map(({ field, message }) => (field === '' ? message : `${field} ${message}`)).join('; '),
    source['error_code'],
  ].find((candidate) => typeof candidate === 'string' && candidate.trim() !== '');
  const newest = namedVersion(source['newest']);
  return {
    ...withMessage(typeof message === 'string' ? message : '', fields.slice(0, 50)),
    ...(newest && { newest }),
  };
}

function namedVersion(value: unknown): NamedVersion | undefined {
  const source = object(value);
  const uuid = source?.['uuid'];
  const version = source?.['version'];
  if (typeof uuid !== 'string' || uuid === '') {
    return undefined;
  }
  return {
    uuid,
    ...((typeof version === 'string' || typeof version === 'number') && { version: clean(String(version)) }),
  };
}

/** `errors` as a list of texts or `{field, message}`, or as an object from field to one or more texts. */
function fieldMessages(errors: unknown): FieldMessage[] {
  if (Array.isArray(errors)) {
    return errors.flatMap((entry: unknown) => {
      if (typeof entry === 'string') {
        return entryFor('', entry);
      }
      const source = object(entry);
      const field = [source?.['field'], source?.['path'], source?.['param'], source?.['attribute']].find(
        (name) => typeof name === 'string',
      );
      return entryFor(
        typeof field === 'string' ? field : '',
        source?.['message'] ?? source?.['error'] ?? source?.['code'],
      );
    });
  }
  return Object.entries(object(errors) ?? {}).flatMap(([field, messages]) =>
    (Array.isArray(messages) ? messages : [messages]).flatMap((message: unknown) => entryFor(field, message)),
  );
}

function entryFor(field: string, message: unknown): FieldMessage[] {
  return typeof message === 'string' && clean(message) !== ''
    ? [{ field: clean(field), message: clean(message) }]
    : [];
}

function withMessage(text: string, fields: FieldMessage[]): ServiceMessage {
  const message = clean(text);
  return message === '' ? { fields } : { message, fields };
}

const title = within(10_000, /<title\b[^>]{0,200}>([^<]{0,500})/i);
const heading = within(10_000, /<h1\b[^>]{0,200}>([^<]{0,500})/i);

function htmlTitle(html: string): string {
  return title.exec(html)?.[1] ?? heading.exec(html)?.[1] ?? '';
}

/** One line of plain text: no markup, no control or direction-changing characters, not too long. */
export function clean(text: string): string {
  const plain = text
    .slice(0, longestMessage * 4)
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_entity, name: string) => entities[name] ?? ' ')
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .toWellFormed()
    .trim();
  return plain.length > longestMessage ? `${plain.slice(0, longestMessage - 1).toWellFormed()}…` : plain;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};
