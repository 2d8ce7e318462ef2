/** By which code the system says what went wrong, such as *ENOENT*; undefined for what it has not said. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
