import type { SignatureState } from '../../util/review.ts';

/** Somebody who wrote part of a patch: a service user, or only an e-mail address or a name. */
export interface Contributor {
  email?: string;
  user?: PatchUser;
  /** The text the service gave when it gave no structure: a name or an address. */
  text?: string;
}

/** The part of a user that patches and reviews carry. */
export interface PatchUser {
  id?: string;
  login?: string;
  name?: string;
  email?: string;
  avatarUrl?: string;
  /** The way in which what they say of a patch is signed; missing where the service doesn't say. */
  signature?: SignatureState;
}

/** The size of a patch; every count is missing when the service did not say. */
export interface PatchStatistics {
  fileCount?: number;
  sectionCount?: number;
  /** Lines added. */
  lines?: number;
  /** Lines deleted. */
  deletions?: number;
  files?: string[];
}

/** Who has viewed a patch, signed it off, or requested changes. */
export interface PatchReview {
  viewed: PatchUser[];
  signedOff: PatchUser[];
  /** Those who have requested changes. */
  rejected: PatchUser[];
}

/** One patch of a stack (contract §2, Patch). */
export interface Patch {
  /** The identifier: a patch without one is dropped. */
  changeId: string;
  commitSha?: string;
  patchSha?: string;
  title?: string;
  description?: string;
  /** Zero-based place in the stack, base to tip. */
  position?: number;
  version?: string;
  createdAt?: string;
  contributors: Contributor[];
  /** Missing when the service did not say, or not in a form that can be read. */
  statistics?: PatchStatistics;
  /** Marks of the caller, or of whomever the service means: see `opinionsOf` in the model. */
  review?: PatchReview;
  /** Everybody's marks. */
  reviewAll?: PatchReview;
  /** In position order; missing when the service did not send them. */
  sections?: PatchSection[];
}

/** The part that text and diff sections share (contract §2, Patch section). */
interface PatchSectionBase {
  /** The identifier in paths and in `section_order`: the section's `code`, else its `identifier`. */
  code: string;
  id?: string;
  /** The entry this section has in `section_order`: the path of a diff section, the code of a text section. */
  identifier: string;
  title?: string;
  version?: string;
  /** Zero-based place in the patch. */
  position?: number;
}

/** A section of the author's prose. */
export interface TextSection extends PatchSectionBase {
  sectionType: 'text';
  /** Markdown; missing when the service did not send it. */
  text?: string;
  /** Set when the commit's message changed after its text was edited. Not of the contract. */
  changedMessage?: ChangedMessage;
  /** Set while other versions of the text conflict with it. Not of the contract. */
  versions?: TextVersions;
}

/** Who wrote a text that conflicts with others, and those. */
export interface TextVersions {
  /** True where the caller wrote it. */
  isOwn?: boolean;
  /** The name of who wrote it. */
  by?: string;
  /** The latest first. */
  others: OtherVersion[];
}

/** A version of a text that was written at the same time as the one that is shown. */
export interface OtherVersion {
  /** Names it when somebody decides over it. */
  id: string;
  text: string;
  /** What it and the text that is shown were made of. */
  before: string;
  by?: string;
}

/** A commit's message before and after it changed. */
export interface ChangedMessage {
  before: string;
  now: string;
}

/** A section that shows one changed file. */
export interface DiffSection extends PatchSectionBase {
  sectionType: 'diff';
  oldPath?: string;
  newPath?: string;
  /** Bytes before and after. */
  oldSize?: number;
  newSize?: number;
  /** Numbers of hunks, lines added and lines deleted. */
  hunks?: number;
  lines?: number;
  deletions?: number;
  diffSha?: string;
  /** The file's encoding, where the service says that it isn't UTF-8. */
  encoding?: string;
  baseFileSha?: string;
  newFileSha?: string;
  /** Unified diff; missing when the service did not send it. */
  diffPatch?: string;
}

/** A section of a kind this client does not know: shown as unreadable, kept in the order. */
export interface UnknownSection extends PatchSectionBase {
  sectionType: 'unknown';
}

/** One section of a patch. */
export type PatchSection = TextSection | DiffSection | UnknownSection;

export interface PatchUpdate {
  /** Every section's `identifier`, in the wanted order. */
  sectionOrder?: readonly string[];
  /** True signs the patch off, false requests changes; nothing takes either back. */
  signOff?: boolean;
}
