/** One downloadable file of a release (contract §2, Release). */
export interface ReleaseBuild {
  os?: string;
  arch?: string;
  url?: string;
  file?: string;
  platform?: string;
}

/** A release build record (contract §2, Release). */
export interface Release {
  /** The identifier: a release without one is unreadable. */
  version: string;
  notes?: string;
  sha?: string;
  /** `nightly` or `release`, or whatever else the service said. */
  channel?: string;
  buildVersion?: string;
  releasedAt?: string;
  builds: ReleaseBuild[];
}

/** A release to record. */
export interface ReleaseCreation {
  version: string;
  /** The git SHA it was built from. */
  sha: string;
  channel: 'nightly' | 'release';
}
