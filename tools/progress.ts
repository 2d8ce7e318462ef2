/** Progress in plain words: a line when a step starts, and how long it took when it is done. */

/** A failure whose message is the one sentence the person should read: no stack trace helps them. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

let output: NodeJS.WriteStream = process.stdout;

/** From now on progress goes to stderr: what a program reads on stdout is nothing but the result. */
export function sayOnStderr(): void {
  output = process.stderr;
}

export function say(line: string): void {
  output.write(`${line}\n`);
}

export async function step<T>(
  title: string,
  work: (report: (detail: string) => void) => Promise<T>,
): Promise<T> {
  const started = Date.now();
  const seconds = (): string => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  if (!output.isTTY) {
    say(`${title} …`);
    let reported = 0;
    const result = await work((detail) => {
      // A log file needs a sign of life now and then, not every one of them.
      if (Date.now() - Math.max(started, reported) > 2000) {
        reported = Date.now();
        say(`  ${detail}`);
      }
    });
    say(`  done in ${seconds()}`);
    return result;
  }
  let detail = '';
  const draw = (end: string): void => {
    const width = output.columns - 1;
    output.write(`\r\x1b[2K${`${title} … ${end}`.slice(0, width)}`);
  };
  const timer = setInterval(() => draw(`${seconds()} ${detail}`), 250);
  draw('');
  try {
    const result = await work((text) => (detail = text));
    draw(`done in ${seconds()}\n`);
    return result;
  } catch (error) {
    draw('failed\n');
    throw error;
  } finally {
    clearInterval(timer);
  }
}
