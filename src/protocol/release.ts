/** Messages between the extension host and the form for a release. No credential is ever in them. */
import type { FormHost, FormStart } from './form.ts';
import type { CodeHost } from './panel.ts';

/** The channels a release can be in. */
export const releaseChannels = ['nightly', 'release'] as const;
export type ReleaseChannel = (typeof releaseChannels)[number];

export interface ReleaseFields {
  /** The id of the place the release is made from. */
  place: string;
  version: string;
  /** A branch, a tag, a SHA or another revision. */
  revision: string;
  channel: ReleaseChannel;
}

/** A version to take, and where it stands. */
export interface VersionSuggestion {
  version: string;
  /** A file such as *package.json*, or a tag. */
  source: string;
}

/** A repository or folder that is open. */
export interface ReleasePlace {
  id: string;
  name: string;
  /** True when Git can be asked what a revision stands for. */
  hasGit: boolean;
  versions: VersionSuggestion[];
}

/** One downloadable file. */
export interface BuildView {
  os?: string;
  arch?: string;
  platform?: string;
  file?: string;
  url?: string;
}

/** A release as the service answered it. */
export interface ReleaseView {
  version: string;
  channel?: string;
  sha?: string;
  buildVersion?: string;
  /** Markdown. */
  notes?: string;
  /** ISO 8601, or as the service wrote it. */
  releasedAt?: string;
  builds: BuildView[];
}

/** A release that was created from this workspace. */
export interface PastRelease {
  /** Tells it from the others. */
  id: string;
  /** The server's host. */
  server: string;
  /** ISO 8601. */
  createdAt: string;
  release: ReleaseView;
}

/** Everything the form starts from. */
export interface ReleaseForm extends FormStart<ReleaseFields> {
  /** The server's host. */
  server: string;
  places: ReleasePlace[];
  /** Newest first. */
  past: PastRelease[];
}

export type RevisionAnswer =
  | { kind: 'found'; sha: string; subject?: string; /** Undefined where nobody can say. */ pushed?: boolean }
  | { kind: 'unknown'; reason: string };

export type CreateAnswer =
  | { kind: 'created'; past: PastRelease[] }
  /** The person was asked whether they mean it, and does not. */
  | { kind: 'notSent' }
  /** The service says no: why, and which fields it names. */
  | { kind: 'refused'; reason: string; fields: Partial<Record<keyof ReleaseFields, string>> };

export interface ReleaseHost extends FormHost<ReleaseFields>, CodeHost {
  load: (parameters: null) => ReleaseForm;
  findRevision: (parameters: { place: string; revision: string }) => RevisionAnswer;
  /** Creates the release, after asking where the person should think twice. */
  create: (parameters: { version: string; sha: string; channel: ReleaseChannel }) => CreateAnswer;
  copy: (parameters: { text: string }) => null;
}
