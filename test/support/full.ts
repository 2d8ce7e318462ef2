/** True when there is time for everything: in `npm run test:full` and `npm run test:adversary -- --full`, not in every run. */
export const isFull = process.env['PATCH_STACKS_TEST_FULL'] !== undefined;

/** A test that takes long, where a shorter one of every run, named beside it, notices the same mistakes but for how they meet. */
export const itInFull: (title: string, test: Mocha.AsyncFunc) => void = isFull ? it : it.skip;
