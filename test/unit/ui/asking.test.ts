import assert from 'node:assert/strict';
import { setImmediate as afterTurn } from 'node:timers/promises';
import type { QuickInput } from 'vscode';
import { asking, isAsking, putAwayLater } from '../../../src/ui/asking.ts';

describe('asking a person', () => {
  it('is known until the last of all questions is answered, or fails', async () => {
    const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    assert.equal(isAsking(), false);
    const answers = [asking(() => first.promise), asking(() => second.promise)];
    assert.equal(isAsking(), true);
    first.resolve('yes');
    assert.equal(await answers[0], 'yes');
    assert.equal(isAsking(), true);
    second.reject(new Error('given up'));
    await assert.rejects(answers[1] ?? assert.fail(), /given up/);
    assert.equal(isAsking(), false);
  });

  it('tells a question whether another one has come since', async () => {
    const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const isLast: (() => boolean)[] = [];
    const ask = (promise: Promise<string>) => (isLastNow: () => boolean) => {
      isLast.push(isLastNow);
      return promise;
    };
    const answers = [asking(ask(first.promise)), asking(ask(second.promise))];
    assert.deepEqual(
      isLast.map((one) => one()),
      [false, true],
    );
    second.resolve('no');
    await answers[1];
    assert.equal(isLast[0]?.(), true);
    first.resolve('yes');
    await answers[0];
  });

  it('keeps a box until the one of the next step had its turn to come', async () => {
    let isThere = true;
    putAwayLater({ dispose: () => (isThere = false) } as unknown as QuickInput);
    await Promise.resolve();
    assert.equal(isThere, true);
    await afterTurn();
    assert.equal(isThere, false);
  });
});
