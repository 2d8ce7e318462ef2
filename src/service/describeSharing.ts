import type { Withheld } from '../protocol/localService.ts';
import type { SharingStatus } from './sharing/sharing.ts';

/** The lines that tell a person how it stands with the sharing. */
export function describeSharing(status: SharingStatus): string[] {
  const { state, waiting, reason, takenAt = 0, problems, unfinished = [] } = status;
  const { strangers = [], withheld = [] } = status;
  const changes = `${waiting} ${waiting === 1 ? 'change' : 'changes'} to share`;
  const said = reason === undefined ? '' : `: ${reason}`;
  const again = status.trouble === 'vanished' ? '. Start with --share-again to push it again.' : '';
  const lines = {
    shared: withheld.length === 0 ? 'Shared everything.' : 'Shared everything else.',
    offline: `Couldn't reach the remote (${changes})${said}`,
    refused: `The remote doesn't ${again === '' ? 'take' : 'have'} what is shared (${changes})${said}${again}`,
    ahead: `What you share is dated more than an hour ahead of others' clocks: they take it from ${new Date(takenAt).toISOString()} on. Check the date and time of this computer.`,
  };
  return [
    ...withheld.map((one) => `Stays on this computer: ${nameOf(one)} (${whys[one.why]})`),
    lines[state],
    ...unfinished.map(({ log, who = log }) => `Still taking in what ${who} shares: there is a lot of it.`),
    ...strangers.map(
      (device) =>
        `Another device shares in your name: ${device}. Nothing of it is shown. If it's yours, start with --share-device ${device}.`,
    ),
    ...problems.map(
      ({ log, reason: why, who }) =>
        `Left something out of ${log === '' ? 'the remote' : log}${who === undefined ? '' : ` (${who})`}: ${why}`,
    ),
  ];
}

function nameOf({ what, of }: Withheld): string {
  switch (what) {
    case 'profile':
      return `your name ${of}`;
    case 'key':
      return `the SSH key ${of}`;
    case 'changes':
      return `what commits of ${of} are called`;
    case 'title':
    case 'description':
    case 'status':
      return `the ${what} of ${of}`;
    case 'text':
      return `a text of ${of}`;
    case 'order':
      return `the order of ${of}`;
    case 'review':
      return `your review of ${of}`;
  }
}

const whys = {
  tooLong: 'too long to be shared',
  characters: "it has control characters, which can't be shared",
  unreadable: "others couldn't read it",
};
