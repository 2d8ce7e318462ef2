import type { ImportSummary } from './git/importer.ts';

/** One sentence on what was imported, and one for each thing the person should know. */
export function describeImport(summary: ImportSummary): string[] {
  const { project, defaultBranch, headDetached, stacks } = summary;
  const changed = stacks.filter(({ result }) => result !== 'unchanged').length;
  const sentences = [
    stacks.length === 0
      ? `No branch is ahead of ${defaultBranch ?? 'another'}, so there is no patch stack yet: commit something on a branch of your own, and start again.`
      : `${project} has ${stacks.length} patch stack${stacks.length === 1 ? '' : 's'} (${changed} new or changed), compared with ${defaultBranch ?? 'nothing'}.`,
  ];
  if (headDetached) {
    sentences.push(
      'The repository is at a detached HEAD: what is committed there is on no branch and is not shown until you run “git switch -c NAME”.',
    );
  }
  return sentences;
}
