import assert from 'node:assert/strict';
import { diffSides } from '../../../src/patch/diffSides.ts';

describe('both sides of a diff', () => {
  it('have each line where its number says', () => {
    assert.deepEqual(
      diffSides('@@ -2,2 +2,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n@@ -6 +6 @@\n-x\n+y\n'),
      {
        before: '\na\nb\n\n\nx',
        after: '\na\nc\n\n\ny',
      },
    );
  });

  it('are not told by what is no diff', () => {
    assert.equal(diffSides('Binary files differ'), undefined);
    assert.equal(diffSides('@@ -1,9 +1,9 @@\n-too short\n'), undefined);
  });
});
