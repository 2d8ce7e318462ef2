import type { SharingStatus } from './sharing/sharing.ts';

/** The lines that tell a person how it stands with the sharing. */
export function describeSharing({ state, waiting, reason, problems }: SharingStatus): string[] {
  const changes = `${waiting} ${waiting === 1 ? 'change' : 'changes'} to share`;
  const said = reason === undefined ? '' : `: ${reason}`;
  const lines = {
    shared: 'Shared everything.',
    offline: `Couldn't reach the remote (${changes})${said}`,
    refused: `The remote doesn't take what is shared (${changes})${said}`,
  };
  return [
    lines[state],
    ...problems.map(
      ({ log, reason: why }) => `Left something out of ${log === '' ? 'the remote' : log}: ${why}`,
    ),
  ];
}
