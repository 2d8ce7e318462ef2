import { parseJson } from './json.ts';
import { keysOf } from '../../util/fields.ts';
import { isObject } from '../../util/isObject.ts';

/** Notes that a decoder makes on its way: for the log, and for the decision to read the numbers again exactly. */
export interface DecodeReport {
  /** Records dropped because they have no identifier, at any depth. */
  dropped: number;
  /** Set when an integer did not fit into a number and lost digits. */
  lostDigits: boolean;
}

/** A fresh report. */
export function newReport(): DecodeReport {
  return { dropped: 0, lostDigits: false };
}

/** Reads one value of a response: undefined when it is missing or not readable. Never throws. */
export type Reader<T> = (value: unknown, report: DecodeReport) => T | undefined;

/** A JSON object, else undefined. */
export function object(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(value) && !Array.isArray(value) ? value : undefined;
}

/** Text, also when the service sent a number or a boolean. */
export const text: Reader<string> = (value, report) => {
  if (typeof value === 'string') {
    return value;
  }
  if (typeof value === 'number') {
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      report.lostDigits = true;
    }
    return String(value);
  }
  return typeof value === 'boolean' ? String(value) : undefined;
};

/** Text that names something: not empty. */
export const identifier: Reader<string> = (value, report) => {
  const name = typeof value === 'boolean' ? undefined : text(value, report);
  return name === '' ? undefined : name;
};

/** A whole number, also when the service sent it as text. */
export const integer: Reader<number> = (value) => {
  const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
};

/** Yes or no, also when the service sent it as text or as 0 and 1. */
export const flag: Reader<boolean> = (value) => {
  if (typeof value === 'boolean') {
    return value;
  }
  const word =
    typeof value === 'number' || typeof value === 'string' ? String(value).trim().toLowerCase() : '';
  if (word === 'true' || word === '1' || word === 'yes') {
    return true;
  }
  if (word === 'false' || word === '0' || word === 'no') {
    return false;
  }
  return undefined;
};

/** A structure, also when the service sent it as JSON text. */
export function structure(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : value;
}

/** One field of a resource: what the wire calls it, and how it is read. */
interface Field<T> {
  readonly wire: string;
  readonly read: Reader<T>;
}

/** A field of that name on the wire. */
export function at<T>(wire: string, read: Reader<T>): Field<T> {
  return { wire, read };
}

/** A field for every property of `T`: leaving one out does not compile. */
type Fields<T> = { readonly [K in keyof T]-?: Field<NonNullable<T[K]>> };

/**
 * A reader of objects with these fields. Fields that are missing or unreadable are left out; the record is
 * unreadable when one of `required` is. Unknown fields are not copied.
 */
export function record<T extends object>(fields: Fields<T>, required: readonly (keyof T)[]): Reader<T> {
  const entries = keysOf(fields).map((name) => {
    const field: Field<unknown> = fields[name];
    return { name, ...field, required: required.includes(name) };
  });
  return (value, report) => {
    const source = object(value);
    if (source === undefined) {
      return undefined;
    }
    const result: Record<string, unknown> = {};
    for (const entry of entries) {
      const read = entry.read(source[entry.wire], report);
      if (read !== undefined) {
        result[entry.name] = read;
      } else if (entry.required) {
        return undefined;
      }
    }
    return result as T;
  };
}

/** A list as it came: its readable records, and how many had no identifier. */
export interface List<T> {
  items: T[];
  /** Records without their identifier, left out of `items`. */
  dropped: number;
}

/** The entries of what stands for a list: an array, an object around one array, one object, or nothing. */
function entriesOf<T>(value: unknown, read: Reader<T>, report: DecodeReport): readonly unknown[] {
  if (Array.isArray(value)) {
    return value;
  }
  if (value === null || value === undefined || value === '') {
    return [];
  }
  const wrapper = object(value);
  if (wrapper === undefined || read(value, { ...report }) !== undefined) {
    return [value];
  }
  const arrays = Object.values(wrapper).filter((inner) => Array.isArray(inner));
  return arrays.length === 1 && arrays[0] ? arrays[0] : [value];
}

/** Reads whatever stands for a list of records (see wire forms in `entriesOf`). */
export function list<T>(value: unknown, read: Reader<T>, report: DecodeReport): List<T> {
  const items: T[] = [];
  let dropped = 0;
  for (const entry of entriesOf(value, read, report)) {
    const item = read(entry, report);
    if (item === undefined) {
      dropped++;
    } else {
      items.push(item);
    }
  }
  report.dropped += dropped;
  return { items, dropped };
}

/** A reader of an inner list that is empty when the service did not send it. */
export function items<T>(read: Reader<T>): Reader<T[]> {
  return (value, report) => list(structure(value), read, report).items;
}

/** A reader of one record, also when the service wraps it in an array. */
export function one<T>(read: Reader<T>): Reader<T> {
  return (value, report) => read(Array.isArray(value) ? value[0] : value, report);
}
