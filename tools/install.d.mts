export function runNpm(
  args: readonly string[],
  cwd: string,
): Promise<{ code: number; stdout: string; output: string }>;
export function explainNpmFailure(output: string): string;
export function lastLines(output: string, count: number): string;
export function withLock<T>(file: string, work: () => Promise<T>, whenWaiting?: () => void): Promise<T>;
export function isAlive(pid: number): boolean;
