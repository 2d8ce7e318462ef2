import type { ImportSummary } from './git/importer.ts';

/** One sentence on what was imported, and one for each thing the person should know. */
export function describeImport(summary: ImportSummary): string[] {
  const { project, bases, headDetached, stacks, unreadable } = summary;
  const changed = stacks.filter(({ result }) => result !== 'unchanged').length;
  const sentences = [
    stacks.length === 0
      ? `No branch is ahead of ${list(bases) ?? 'another'}, so there aren't any patch stacks yet. Commit something to a branch of your own.`
      : `${project} has ${stacks.length} patch stack${stacks.length === 1 ? '' : 's'} (${changed} new or changed), compared with ${list(bases) ?? 'nothing'}.`,
  ];
  if (headDetached) {
    sentences.push(
      `The repository has a detached HEAD. Commits there aren't on a branch and won't show until you run "git switch -c NAME".`,
    );
  }
  for (const { branch, reason } of unreadable) {
    sentences.push(`The commits of ${branch} couldn't be listed. ${reason}`);
  }
  return sentences;
}

/** The names of a few branches; undefined when there are none. */
function list(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : new Intl.ListFormat('en').format(names.slice(0, 3));
}
