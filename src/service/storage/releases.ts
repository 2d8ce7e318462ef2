import type { Database } from './database.ts';

/** The channels a release can be in. */
type ReleaseChannel = 'nightly' | 'release';

/** A release build record as it is stored. */
interface ReleaseRow {
  id: number;
  version: string;
  channel: ReleaseChannel;
  sha: string;
  notes: string | null;
  /** The version with the commit it was built from, such as `1.2.0+abc1234`. */
  build_version: string;
  /** JSON: an array of `{os, arch, url, file, platform}`; empty until builds are attached. */
  builds: string;
  user_id: number | null;
  released_at: number;
}

/** The release of a version in a channel. */
export function findRelease(
  database: Database,
  version: string,
  channel: ReleaseChannel,
): ReleaseRow | undefined {
  return database
    .query<ReleaseRow>('SELECT * FROM releases WHERE version = ? AND channel = ?')
    .get(version, channel);
}

/** Records a release; the version must be free in its channel. */
export function createRelease(
  database: Database,
  release: { version: string; sha: string; channel: ReleaseChannel; userId: number },
): ReleaseRow {
  database.run(
    `INSERT INTO releases (version, channel, sha, build_version, builds, user_id, released_at)
     VALUES (?, ?, ?, ?, '[]', ?, ?)`,
    release.version,
    release.channel,
    release.sha,
    `${release.version}+${release.sha.slice(0, 7)}`,
    release.userId,
    database.now(),
  );
  const row = findRelease(database, release.version, release.channel);
  if (!row) {
    throw new Error('The release that was just created is gone.');
  }
  return row;
}
