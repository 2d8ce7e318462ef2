/** The log that is written here: the operations of one's own that are noted down, until they are in a commit. */
import type { Withheld } from '../../protocol/localService.ts';
import { startOf } from '../../util/budget.ts';
import type { HybridClock } from './clock.ts';
import type { Fold } from './fold.ts';
import {
  chainEndSchema,
  noChain,
  pathOf,
  whyWithheld,
  type ChainEnd,
  type LoggedOperation,
  type Operation,
  type Writer,
} from './operations.ts';
import type { SharingStore } from './store.ts';

/** What follows for whoever has something to say. Both have to be thought of: what isn't shared must not be written over. */
export interface Outcome {
  /** It is noted down, and goes into the log next. */
  shared: () => void;
  /** Nobody would take it as it is. It isn't noted down, and has to stay as it is here until it can be. */
  withheld: () => void;
}

/**
 * Notes down an operation of the person here.
 *
 * @param of What it is about, for the person.
 */
export type Emit = (operation: Operation, of: string, outcome: Outcome) => void;

/** Characters of the name of something that can't be shared. */
const longestName = 200;

/** See the module. */
export class OwnLog {
  readonly writer: Writer;
  readonly #store: SharingStore;
  readonly #fold: Fold;
  readonly #clock: HybridClock;

  constructor(writer: Writer, store: SharingStore, fold: Fold, clock: HybridClock) {
    this.writer = writer;
    this.#store = store;
    this.#fold = fold;
    this.#clock = clock;
  }

  /** The last operation. */
  get end(): ChainEnd {
    return this.#store.readAs(chainEndSchema, 'end') ?? noChain;
  }

  /** The operations that the remote hasn't got, as far as is known, each with its name among them: they go into the log next, or are in it. */
  get outbox(): [name: string, operation: LoggedOperation][] {
    return this.#store.list('outbox').map(([name, operation]) => [name, operation as LoggedOperation]);
  }

  /** Forgets operations up to one that the remote has. */
  forgetUpTo(seq: number): void {
    const names = this.outbox.filter(([, operation]) => operation.seq <= seq).map(([name]) => name);
    this.#store.transaction(() => names.forEach((name) => this.#store.forget('outbox', name)));
  }

  /** The way to say all that there is to say once: what can't be shared is gathered. */
  begin(): { emit: Emit; withheld: Withheld[] } {
    const withheld: Withheld[] = [];
    const emit: Emit = (operation, of, outcome) => {
      const why = this.#note(operation);
      if (why === undefined) {
        outcome.shared();
      } else {
        withheld.push({ what: subjectOf(operation), of: startOf(of, longestName), why });
        outcome.withheld();
      }
    };
    return { emit, withheld };
  }

  /** Notes down an operation. @returns Why it isn't, where nobody would take it. */
  #note(content: Operation): Withheld['why'] | undefined {
    const before = this.end;
    const seq = before.seq + 1;
    const { writer } = this;
    const operation: LoggedOperation = {
      id: `${pathOf(writer)}/${seq}`,
      writer,
      seq,
      clock: this.#clock.next(),
      content,
    };
    const why = whyWithheld(operation, before);
    if (why !== undefined) {
      return why;
    }
    this.#store.write({ seq, clock: operation.clock } satisfies ChainEnd, 'end');
    this.#store.write(this.#clock.last, 'clock');
    this.#store.write(operation, 'outbox', String(seq).padStart(15, '0'));
    this.#fold.add([operation]);
    return undefined;
  }
}

function subjectOf(operation: Operation): Withheld['what'] {
  switch (operation.type) {
    case 'person':
      return 'profile';
    case 'version':
    case 'ahead':
      return 'changes';
    case 'stack':
      return operation.title !== undefined
        ? 'title'
        : operation.description !== undefined
          ? 'description'
          : 'status';
    case 'key':
    case 'text':
    case 'order':
    case 'review':
      return operation.type;
  }
}
