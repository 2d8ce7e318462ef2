/** Compares what two versions do to a file where only their unified diffs are to be had. */

/** Lines that were changed, with the ones right before and after them. */
interface ChangedLines {
  before: string | undefined;
  changed: string[];
  after: string | undefined;
}

/**
 * Returns true when two unified diffs change the same lines next to the same ones. Line numbers, and context that is further
 * away, don't count: a rebase changes those. So lines that were moved to a place that looks alike count as the same.
 */
export function isSameDiff(one: string, other: string): boolean {
  if (withoutPlaces(one) === withoutPlaces(other)) {
    return true;
  }
  const [left, right] = [changesOf(one), changesOf(other)];
  return (
    left !== undefined &&
    left.headers === right?.headers &&
    left.changes.length === right.changes.length &&
    left.changes.every((change, index) => isSameChange(change, right.changes[index]))
  );
}

function isSameChange(one: ChangedLines, other: ChangedLines | undefined): boolean {
  return (
    one.changed.length === other?.changed.length &&
    one.changed.every((line, index) => line === other.changed[index]) &&
    isSameNeighbor(one.before, other.before) &&
    isSameNeighbor(one.after, other.after)
  );
}

/** At the edge of a hunk nobody knows what comes next. */
function isSameNeighbor(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

const hunkHeader = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;

/** The diff without anything that a rebase alone may change in it, lines left as they are. */
function withoutPlaces(diff: string): string {
  return diff
    .split('\n')
    .filter((line) => !line.startsWith('index '))
    .map((line) => (hunkHeader.test(line) ? '@@' : line))
    .join('\n');
}

/** The changes of a unified diff; undefined when it has none that are told line by line. */
function changesOf(diff: string): { headers: string; changes: ChangedLines[] } | undefined {
  const headers: string[] = [];
  const changes: ChangedLines[] = [];
  let isInHunk = false;
  let before: string | undefined;
  let open: ChangedLines | undefined;
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    if (hunkHeader.test(line)) {
      isInHunk = true;
      before = undefined;
      open = undefined;
    } else if (!isInHunk) {
      if (!line.startsWith('index ')) {
        headers.push(line);
      }
    } else if (line.startsWith('+') || line.startsWith('-') || (line.startsWith('\\') && open)) {
      if (!open) {
        open = { before, changed: [], after: undefined };
        changes.push(open);
      }
      open.changed.push(line);
    } else {
      if (open) {
        open.after = line;
        open = undefined;
      }
      before = line;
    }
  }
  return isInHunk ? { headers: headers.join('\n'), changes } : undefined;
}
