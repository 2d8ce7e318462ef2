/** A value that is created when it is first asked for. */
export interface Lazy<T> {
  (): Promise<T>;
  readonly created: boolean;
}

/** Creates a value on first use, once; a failure is not kept, so that the next use tries again. */
export function lazy<T>(create: () => Promise<T>): Lazy<T> {
  let value: Promise<T> | undefined;
  const get = (): Promise<T> => {
    value ??= create().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
  return Object.defineProperty(get, 'created', { get: () => value !== undefined }) as Lazy<T>;
}
