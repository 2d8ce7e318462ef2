/** A second try: for what failed in windows, for few of them, and never in silence. */
import assert from 'node:assert/strict';
import { mostSecondTries, picturesIn, secondTryLines, tryAgain, type Tried } from '../../secondTry.ts';

const passes: Tried = { failed: 0 };
const fails: Tried = { failed: 1, failures: ['writing keeps: 1 !== 2'], pictures: ['/shots/failed-1.png'] };

/** Jobs by their outcomes, try for try: one that begins with "unit" has one try. */
async function run(
  tries: Record<string, readonly Tried[]>,
): Promise<{ again: string[]; red: string[]; passedNow: ReadonlyMap<string, Tried> }> {
  const jobs = Object.keys(tries).map((name) => ({ name, hasSecondTry: !name.startsWith('unit') }));
  const outcomes = new Map(jobs.map(({ name }) => [name, tries[name]?.[0] ?? passes]));
  const again: string[] = [];
  let running = 0;
  const passedNow = await tryAgain(jobs, outcomes, async ({ name }) => {
    again.push(name);
    running += 1;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(running, 1, 'it is alone');
    running -= 1;
    return tries[name]?.[1] ?? fails;
  });
  return {
    again,
    red: [...outcomes].flatMap(([name, { failed }]) => (failed > 0 ? name : [])),
    passedNow,
  };
}

describe('the second try', () => {
  it('is for what failed alone', async () => {
    const { again, red, passedNow } = await run({
      'e2e/a': [passes],
      'e2e/b': [fails, passes],
      host: [fails, passes],
    });
    assert.deepEqual(again, ['e2e/b', 'host']);
    assert.deepEqual(red, []);
    assert.deepEqual([...passedNow.keys()], ['e2e/b', 'host']);
  });

  it('leaves red what fails both times, and does not list it as passed', async () => {
    const { again, red, passedNow } = await run({ 'e2e/a': [fails, fails], 'e2e/b': [fails, passes] });
    assert.deepEqual(again, ['e2e/a', 'e2e/b']);
    assert.deepEqual(red, ['e2e/a']);
    assert.deepEqual([...passedNow.keys()], ['e2e/b']);
  });

  it('is for no unit or contract test, and for nothing beside one that failed', async () => {
    const { again, red } = await run({ 'unit/others': [fails, passes], 'e2e/a': [fails, passes] });
    assert.deepEqual(again, []);
    assert.deepEqual(red, ['unit/others', 'e2e/a']);
  });

  it(`is for ${mostSecondTries} files at most`, async () => {
    const files = (count: number): Record<string, Tried[]> =>
      Object.fromEntries(Array.from({ length: count }, (_value, index) => [`e2e/${index}`, [fails, passes]]));
    assert.equal((await run(files(mostSecondTries))).red.length, 0);
    const { again, red } = await run(files(mostSecondTries + 1));
    assert.deepEqual(again, []);
    assert.equal(red.length, mostSecondTries + 1);
  });

  it('is told, with the first failure and its picture', () => {
    assert.deepEqual(secondTryLines(new Map([['e2e/writing', fails]])), [
      'Passed at the second try:',
      '  e2e/writing',
      '    writing keeps: 1 !== 2',
      '    a picture: /shots/failed-1.png',
    ]);
    assert.deepEqual(secondTryLines(new Map()), []);
  });

  it('finds the pictures in the output of a job', () => {
    assert.deepEqual(
      picturesIn(
        '  1) fails\n--- a picture: /a folder/failed-1.png\nno --- a picture: x\n--- a picture: b.png\n',
      ),
      ['/a folder/failed-1.png', 'b.png'],
    );
  });
});
