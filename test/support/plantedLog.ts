import { execFileSync } from 'node:child_process';
import { encodeBatch, pathOf, type Operation, type Writer } from '../../src/service/sharing/operations.ts';

/**
 * Has a device share operations at a remote without a service of its own, as whoever may push there can.
 *
 * @param remote the folder of the remote's repository.
 * @param commits the operations of each commit of the log, also those of a type that nobody knows; they are a minute old.
 */
export function plantLog(remote: string, writer: Writer, ...commits: readonly (readonly object[])[]): void {
  const git = (input: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd: remote, input, encoding: 'utf8' }).trim();
  const written = Date.now() - 60_000;
  let seq = 0;
  let tip: string | undefined;
  for (const contents of commits) {
    const operations = contents.map((content) => {
      seq++;
      return { id: '', writer, seq, clock: [written, seq] as const, content: content as Operation };
    });
    const blob = git(encodeBatch(writer, operations), 'hash-object', '-w', '--stdin');
    const tree = git(`100644 blob ${blob}\toperations\n`, 'mktree');
    tip = git('', 'commit-tree', tree, ...(tip === undefined ? [] : ['-p', tip]), '-m', 'x');
  }
  git('', 'update-ref', `refs/patch-stacks/v1/${pathOf(writer)}`, tip ?? '');
}
