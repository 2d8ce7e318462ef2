import assert from 'node:assert/strict';
import { countChanges, parseFileDiff } from '../../../src/webview/patchDocument/diff/diff.ts';

const modified = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@ function outer() {
 const a = 1;
-const b = 2;
+const b = 3;
+const c = 4;
 // @@ not a hunk @@
@@ -10 +11 @@
-last
+last!
\\ No newline at end of file
`;

describe('parseFileDiff', () => {
  it('reads hunks as rows with line numbers on either side', () => {
    const diff = parseFileDiff(modified);
    assert.ok(diff);
    assert.deepEqual(
      diff.rows.map(({ type, oldLine, newLine, text }) => [type, oldLine, newLine, text]),
      [
        ['hunk', undefined, undefined, '@@ -1,3 +1,4 @@ function outer() {'],
        ['context', 1, 1, 'const a = 1;'],
        ['delete', 2, undefined, 'const b = 2;'],
        ['add', undefined, 2, 'const b = 3;'],
        ['add', undefined, 3, 'const c = 4;'],
        ['context', 3, 4, '// @@ not a hunk @@'],
        ['hunk', undefined, undefined, '@@ -10 +11 @@'],
        ['delete', 10, undefined, 'last'],
        ['add', undefined, 11, 'last!'],
        ['note', undefined, undefined, 'No newline at end of file'],
      ],
    );
    assert.equal(diff.change, 'modified');
    assert.deepEqual(countChanges(diff.rows), { added: 3, deleted: 2 });
  });

  const head = 'diff --git a/old b/new\n';
  for (const [name, text, expected] of [
    ['a rename', 'similarity index 100%\nrename from old\nrename to new\n', { change: 'renamed' }],
    ['a copy', 'similarity index 100%\ncopy from old\ncopy to new\n', { change: 'copied' }],
    ['a mode change', 'old mode 100644\nnew mode 100755\n', { oldMode: '100644', newMode: '100755' }],
    ['an empty new file', 'new file mode 100644\nindex 0000000..e69de29\n', { change: 'created' }],
    ['an empty deleted file', 'deleted file mode 100644\nindex e69de29..0000000\n', { change: 'deleted' }],
    ['a binary file', 'index 1..2 100644\nBinary files a/old and b/new differ\n', { binary: true }],
    ['a binary patch', 'index 1..2 100644\nGIT binary patch\nliteral 1\nIcmZPo0ssI2\n\n', { binary: true }],
  ] as const) {
    it(`reads ${name}, which has no rows`, () => {
      const diff = parseFileDiff(head + text);
      assert.ok(diff);
      assert.deepEqual(diff.rows, []);
      for (const [key, value] of Object.entries(expected)) {
        assert.equal(diff[key as keyof typeof diff], value, key);
      }
    });
  }

  it('keeps carriage returns and odd characters in the text', () => {
    const diff = parseFileDiff('@@ -1 +1 @@\n-a\r\n+\u0000\u202e<b>\n');
    assert.deepEqual(
      diff?.rows.slice(1).map((row) => row.text),
      ['a\r', '\u0000\u202e<b>'],
    );
  });

  for (const text of ['', 'no diff at all', '@@ -1,9 +1,9 @@\n-too short\n', '{"json": true}']) {
    it(`does not take ${JSON.stringify(text)} for a diff`, () => {
      assert.equal(parseFileDiff(text), undefined);
    });
  }
});
