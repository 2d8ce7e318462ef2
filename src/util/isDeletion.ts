/** Lines of a diff before its first hunk are these at most. */
const longestHeader = 5_000;

/** Returns true for the diff of a file that is gone with it. */
export function isDeletion(diff: string): boolean {
  const start = diff.slice(0, longestHeader);
  const hunk = start.search(/^@@ /m);
  return /^deleted file mode /m.test(hunk < 0 ? start : start.slice(0, hunk));
}
