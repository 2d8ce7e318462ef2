import assert from 'node:assert/strict';
import FakeTimers from '@sinonjs/fake-timers';
import fc from 'fast-check';
import type { Memento } from 'vscode';
import { OrderedMemento } from '../../../src/ui/orderedMemento.ts';

/** Milliseconds that a message takes between an extension host and its window. */
const wayMs = 3;

/** As VS Code 1.139 does it (extHostMemento.ts, mainThreadStorage.ts): everything an extension keeps is one record, which comes back. */
class VsCodeMemento implements Memento {
  /** What the window has stored. */
  stored: Record<string, unknown> = {};
  refuses = false;
  #known: Record<string, unknown> = {};
  #written: PromiseWithResolvers<undefined> | undefined;

  keys(): readonly string[] {
    return Object.keys(this.#known);
  }

  get<Value>(key: string, otherwise?: Value): Value {
    return (this.#known[key] ?? otherwise) as Value;
  }

  update(key: string, value: unknown): Promise<undefined> {
    this.#known[key] = value;
    if (!this.#written) {
      const written = Promise.withResolvers<undefined>();
      this.#written = written;
      setTimeout(() => {
        this.#written = undefined;
        const record = JSON.stringify(this.#known);
        setTimeout(() => {
          const { refuses } = this;
          this.stored = refuses ? this.stored : (JSON.parse(record) as Record<string, unknown>);
          setTimeout(() => {
            this.#known = refuses ? this.#known : (JSON.parse(record) as Record<string, unknown>);
            if (refuses) {
              written.reject(new Error('The disk is full.'));
            } else {
              written.resolve(undefined);
            }
          }, wayMs);
        }, wayMs);
      });
    }
    return this.#written.promise;
  }
}

describe('what VS Code keeps for the extension', () => {
  let clock: FakeTimers.Clock;
  beforeEach(() => (clock = FakeTimers.install({ toFake: ['setTimeout'] })));
  afterEach(() => clock.uninstall());

  /** Writes values of a few keys, with pauses of milliseconds between them. @returns what was written last. */
  async function write(memory: Memento, writes: readonly { key: string; pause: number }[]) {
    const wanted: Record<string, number> = {};
    const written: Promise<unknown>[] = [];
    for (const [value, { key, pause }] of writes.entries()) {
      wanted[key] = value;
      written.push(Promise.resolve(memory.update(key, value)));
      await clock.tickAsync(pause);
      for (const name of Object.keys(wanted)) {
        assert.equal(memory.get(name), wanted[name], 'it is what was written last, at once');
      }
    }
    await clock.runAllAsync();
    await Promise.all(written);
    return wanted;
  }

  const anyWrites = fc.array(
    fc.record({ key: fc.constantFrom('a', 'b', 'c'), pause: fc.integer({ min: 0, max: 3 * wayMs }) }),
    { minLength: 1, maxLength: 8 },
  );

  it('is kept, whatever is written how soon after it', async () => {
    await fc.assert(
      fc.asyncProperty(anyWrites, async (writes) => {
        const code = new VsCodeMemento();
        const memory = new OrderedMemento(code);
        const wanted = await write(memory, writes);
        assert.deepEqual(code.stored, wanted);
        assert.deepEqual([...memory.keys()].toSorted(), Object.keys(wanted).toSorted());
        await memory.settled();
      }),
    );
  });

  it('would be lost otherwise', async () => {
    const code = new VsCodeMemento();
    const written = [code.update('a', 0)];
    await clock.tickAsync(1);
    written.push(code.update('b', 1));
    // What comes back is of before it.
    await clock.tickAsync(2 * wayMs - 1);
    assert.equal(code.get('b'), undefined);
    written.push(code.update('c', 2));
    await clock.runAllAsync();
    await Promise.all(written);
    assert.deepEqual(code.stored, { a: 0, c: 2 });
  });

  it('is what it was where it could not be written, and what comes next is written', async () => {
    const code = new VsCodeMemento();
    const memory = new OrderedMemento(code);
    code.refuses = true;
    const refused = assert.rejects(memory.update('a', 1), /full/);
    await clock.runAllAsync();
    await refused;
    code.refuses = false;
    assert.deepEqual(await write(memory, [{ key: 'b', pause: 0 }]), { b: 0 });
    assert.equal(code.stored['b'], 0);
  });

  it('is gone once it was taken back, also before that is written', async () => {
    const memory = new OrderedMemento(new VsCodeMemento());
    await write(memory, [{ key: 'a', pause: 0 }]);
    const written = memory.update('a', undefined);
    assert.deepEqual([memory.get('a', 'otherwise'), memory.keys()], ['otherwise', []]);
    await clock.runAllAsync();
    await written;
    assert.equal(memory.get('a'), undefined);
  });

  it('is there before it is written, until which its end is waited for', async () => {
    const code = new VsCodeMemento();
    const memory = new OrderedMemento(code);
    const written = [memory.update('a', 1), memory.update('b', 2)];
    let isSettled = false;
    const settled = memory.settled().then(() => (isSettled = true));
    await clock.tickAsync(3 * wayMs);
    assert.deepEqual([memory.get('b'), code.stored, isSettled], [2, { a: 1 }, false]);
    await clock.runAllAsync();
    await Promise.all([...written, settled]);
    assert.deepEqual(code.stored, { a: 1, b: 2 });
  });
});
