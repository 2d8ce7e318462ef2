/** True when there is time for everything: in `npm run test:adversary -- --full`, not in every run of the tests. */
export const isFull = process.env['PATCH_STACKS_TEST_FULL'] !== undefined;
