import assert from 'node:assert/strict';
import type { Patch, PatchReview, PatchUser } from '../../../src/api/types/patches.ts';
import type { PatchStack } from '../../../src/api/types/stacks.ts';
import { isOf, isWaitingFor, opinionsOf, type Me } from '../../../src/model/review.ts';

describe('what people say of a patch', () => {
  const me: Me = { id: '7', login: 'ada' };
  const grace: PatchUser = { id: '8', login: 'grace' };
  const of = (lists: Partial<PatchReview>): PatchReview => ({
    viewed: [],
    signedOff: [],
    rejected: [],
    ...lists,
  });

  for (const [name, patch, mine] of [
    ['nothing where nobody said anything', { reviewAll: of({}) }, undefined],
    ['nothing where the service says nothing', {}, undefined],
    ['signed off, by the id', { reviewAll: of({ signedOff: [grace, { id: '7' }] }) }, 'signedOff'],
    ['changes requested, by the id', { reviewAll: of({ rejected: [{ id: '7' }] }) }, 'changesRequested'],
    [
      'signed off, by the login where the list has no ids',
      { reviewAll: of({ signedOff: [{ login: 'ada' }] }) },
      'signedOff',
    ],
    [
      'not of somebody else who took the login',
      { reviewAll: of({ signedOff: [{ id: '9', login: 'ada' }] }) },
      undefined,
    ],
    [
      'nothing where the own list only is not empty',
      { review: of({ signedOff: [grace] }), reviewAll: of({}) },
      undefined,
    ],
    [
      'of the own list where the list of all does not have it',
      { review: of({ rejected: [{ id: '7' }] }), reviewAll: of({}) },
      'changesRequested',
    ],
    [
      'of the list of all before the own one',
      { review: of({ signedOff: [{ id: '7' }] }), reviewAll: of({ rejected: [{ id: '7' }] }) },
      'changesRequested',
    ],
    [
      'no agreement of somebody in both lists',
      { reviewAll: of({ signedOff: [{ id: '7' }], rejected: [{ id: '7' }] }) },
      'changesRequested',
    ],
  ] as [string, { review?: PatchReview; reviewAll?: PatchReview }, string | undefined][]) {
    it(`is mine: ${name}`, () => assert.equal(opinionsOf(patch, me).mine, mine));
  }

  it('is nobody’s when it is not known who is signed in', () => {
    assert.equal(
      opinionsOf({ reviewAll: of({ signedOff: [{ id: '7', login: 'ada' }] }) }, undefined).mine,
      undefined,
    );
  });

  it('goes by the login where the service does not say the own id', () => {
    const byLogin = { id: 'ada', login: 'ada' };
    assert.equal(
      opinionsOf({ reviewAll: of({ signedOff: [{ id: '7', login: 'ada' }] }) }, byLogin).mine,
      'signedOff',
    );
  });

  it('names who said what, everybody where the service lists them', () => {
    const { signedOff, changesRequested } = opinionsOf(
      { review: of({}), reviewAll: of({ signedOff: [grace], rejected: [{ login: 'bob' }] }) },
      me,
    );
    assert.deepEqual([signedOff, changesRequested], [[grace], [{ login: 'bob' }]]);
    assert.deepEqual(opinionsOf({ review: of({ signedOff: [grace] }) }, me).signedOff, [grace]);
  });

  const stack = (rest: Partial<PatchStack>) => ({ contributors: [], patches: [], ...rest });
  const patch = (rest: Partial<Patch> = {}): Patch => ({ changeId: 'I1', contributors: [], ...rest });

  it('is theirs whose patch or stack it is', () => {
    assert.equal(isOf(stack({ contributors: [{ user: { id: '7' } }] }), me), true);
    assert.equal(isOf(stack({ patches: [patch({ contributors: [{ user: { id: '7' } }] })] }), me), true);
    assert.equal(isOf(stack({ contributors: [{ user: grace }, { text: 'ada' }] }), me), false);
  });

  it('is waited for where somebody has said nothing of a patch of others', () => {
    const read = patch({ reviewAll: of({ signedOff: [{ id: '7' }] }) });
    const wanted = patch({ reviewAll: of({ rejected: [{ id: '7' }] }) });
    const unread = patch({ reviewAll: of({ signedOff: [grace] }) });
    assert.equal(isWaitingFor(stack({ patches: [read, wanted] }), me), false);
    assert.equal(isWaitingFor(stack({ patches: [read, unread] }), me), true);
    assert.equal(isWaitingFor(stack({ patches: [unread], status: 'closed' }), me), false);
    assert.equal(
      isWaitingFor(stack({ patches: [unread], contributors: [{ user: { id: '7' } }] }), me),
      false,
    );
    assert.equal(isWaitingFor({ contributors: [] }, me), true);
  });
});
