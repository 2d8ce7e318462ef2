/** `Object.keys` for an object that has no other keys than its type says. */
export function keysOf<T extends object>(value: T): (keyof T & string)[] {
  return Object.keys(value) as (keyof T & string)[];
}

/** Those of the fields that are not as they were before. */
export function changedFields<T extends object>(before: Readonly<T>, now: Partial<T>): Partial<T> {
  const changed: Partial<T> = {};
  for (const name of keysOf(now)) {
    if (now[name] !== before[name]) {
      changed[name] = now[name];
    }
  }
  return changed;
}
