/** Messages from the local service, as a process beside the extension host, to the window that started it. */
export type LocalServiceMessage =
  /** Another one has the data still, and is waited for. */
  | { kind: 'waiting' }
  /** Another one has the data, and has proved that it is ours: it serves this window, too. This process ends. */
  | { kind: 'running'; data: string }
  /** Data of the repository that an earlier version kept elsewhere was copied from there; `others` have more of it, which isn't used. */
  | { kind: 'copied'; from: string; others: readonly string[] }
  | { kind: 'progress'; branch: string; done: number; total: number }
  /** It listens at `url`, the API root, takes `token`, and has its data in the folder `data`. */
  | { kind: 'ready'; url: string; token: string; data: string; isImported: boolean; projectId?: string }
  /** The import that went on when it got ready has ended; with a sentence in English where it failed. */
  | { kind: 'imported'; failure?: string; projectId?: string }
  /** Its database was damaged or gone: a copy of it is used, made at a time in milliseconds since the epoch. */
  | { kind: 'restored'; trouble: 'damaged' | 'empty' | 'missing'; copiedAt: number; keptIn?: string }
  /** It has shared, or tried to. */
  | { kind: 'sharing'; news: SharingNews }
  /** The answer to a request. */
  | { kind: 'answer'; id: number; answer: LocalServiceAnswer }
  /** It could not start: a word for programs and a sentence in English. */
  | { kind: 'failed'; code: string; message: string };

/** A message from the window to its local service, which answers it under its number. */
export type LocalServiceRequest = { id: number } & SharingRequest;

/** All that the window asks of the sharing. */
export type SharingRequest =
  /** The remotes of the repository. */
  | { kind: 'remotes' }
  /** Begins to share through a remote, now and from then on. */
  | { kind: 'share'; remote: string; asBranch: boolean }
  | { kind: 'stopSharing' }
  /** Pushes and fetches at once. */
  | { kind: 'shareNow' }
  /** The same, and pushes all that the remote has no longer. */
  | { kind: 'pushAgain' }
  /** The same, and takes in what another device shares in the person's name, who has said that it's theirs. */
  | { kind: 'addDevice'; device: string };

/** The answer to a request; of a failure a word for programs and a sentence in English. */
export type LocalServiceAnswer =
  { failure: { code: string; message: string } } | { remotes?: readonly Remote[]; news?: SharingNews };

/** A remote of the repository, with the address to which is pushed, without a password. */
export interface Remote {
  name: string;
  address: string;
}

/** The reason for which something is not shared. */
export type SharingTrouble =
  | 'offline'
  /** Nobody has said who pushes, or they must not. */
  | 'noRight'
  | 'hook'
  /** The host takes only branches and tags. */
  | 'noSuchRefs'
  | 'refused'
  /** The remote had it, and has it no longer: nothing is pushed before the person says so. */
  | 'vanished'
  /** It is pushed, and others don't take it yet: it is dated ahead of their clocks. */
  | 'clockAhead';

/** Something that the person said here and that can't be shared as it is. It stays on this computer, and is tried again with each round. */
export interface Withheld {
  what: 'profile' | 'key' | 'changes' | 'title' | 'description' | 'status' | 'text' | 'order' | 'review';
  /** What it is about: the title of the patch, the branch of the stack, or the name of the key. */
  of: string;
  why: 'tooLong' | 'characters' | 'unreadable';
}

/** Something that others share and that was not taken. */
export interface SharedProblem {
  /** Whose it is, as they call themselves; left out where nobody knows. */
  who?: string;
  /** What it is and why, in a sentence in English. */
  what: string;
}

/** The state of the sharing after a round of it. */
export interface SharingNews {
  /** Milliseconds since the epoch. */
  at: number;
  /** The number of changes here that the remote has not. */
  waiting: number;
  trouble?: SharingTrouble;
  /** The words of git for it. */
  reason?: string;
  /** When others take what is dated ahead, in milliseconds since the epoch. */
  takenAt?: number;
  problems: readonly SharedProblem[];
  /** Whose shared changes are so many that they aren't all taken in yet, as they call themselves; `who` is left out where nobody knows. */
  unfinished?: readonly { who?: string }[];
  /** Devices that share in the person's name, and of which nothing is taken in before they have said that they are theirs. */
  strangers?: readonly string[];
  withheld?: readonly Withheld[];
}
