import assert from 'node:assert/strict';
import { asking, isAsking } from '../../../src/ui/asking.ts';

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
});
