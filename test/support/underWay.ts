/** Which test was under way at a time: what a window has written is read later than it was written. */
import type Mocha from 'mocha';

interface Begun {
  readonly title: string;
  readonly file: string;
  readonly at: number;
}

/** VS Code takes a rejection in an extension for one that nobody handles after a second, and writes it then. */
const rejectionsLateMs = 1_200;

export class TestTimes {
  readonly #begun: Begun[] = [];

  /** Notes each test, with the hooks around it, and each hook around all of them. */
  follow(runner: Mocha.Runner): void {
    runner.on('test', (test) => this.note(test, Date.now()));
    runner.on('hook', (hook) => this.note(hook, Date.now()));
  }

  note(runnable: Mocha.Runnable, at: number): void {
    const test = runnable.title.includes(' each" hook') ? runnable.ctx?.currentTest : undefined;
    const { file = '' } = test ?? runnable;
    const title = (test ?? runnable).fullTitle();
    if (this.#begun.at(-1)?.title !== title) {
      this.#begun.push({ title, file, at });
    }
  }

  /** What was under way at a time, and before it what may have caused what was written then. */
  at(time: number, isRejection = false): readonly Begun[] {
    const from = isRejection ? time - rejectionsLateMs : time;
    return this.#begun.filter(
      (one, index) => one.at <= time && (this.#begun[index + 1]?.at ?? Infinity) > from,
    );
  }
}

/** The tests of this process. */
export const testTimes = new TestTimes();
