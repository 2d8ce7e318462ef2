import type { Hono } from 'hono/tiny';
import * as v from 'valibot';
import { forbidden, HttpError } from '../errors.ts';
import { filledLine, readJson, type RequestEnvironment } from '../requests.ts';
import type { Database } from '../storage/database.ts';
import { createRelease, findRelease } from '../storage/releases.ts';
import { timestamp } from '../wire.ts';

const releaseSchema = v.object({
  version: filledLine(100),
  sha: v.pipe(
    v.string('must be a string'),
    v.regex(/^[0-9a-f]{7,64}$/i, 'must be a git SHA: 7 to 64 hex digits'),
  ),
  channel: v.picklist(['nightly', 'release'], 'must be nightly or release'),
});

/** The operation on releases (contract §4, Releases). Only an admin may create one. */
export function addReleaseRoutes(api: Hono<RequestEnvironment>, database: Database): void {
  api.post('/releases', async (context) => {
    const { version, sha, channel } = await readJson(context, releaseSchema);
    const user = context.get('user');
    if (user.role !== 'admin') {
      throw forbidden('Only admins can create releases.');
    }
    if (findRelease(database, version, channel)) {
      throw new HttpError(409, 'release_exists', `${channel} ${version} already exists.`, [
        { field: 'version', message: 'is taken' },
      ]);
    }
    const release = createRelease(database, { version, sha: sha.toLowerCase(), channel, userId: user.id });
    const builds: unknown = JSON.parse(release.builds);
    return context.json(
      {
        version: release.version,
        notes: release.notes,
        sha: release.sha,
        channel: release.channel,
        build_version: release.build_version,
        released_at: timestamp(release.released_at),
        builds,
      },
      201,
    );
  });
}
