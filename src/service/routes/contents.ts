import type { Hono } from 'hono/tiny';
import * as v from 'valibot';
import { notFound } from '../errors.ts';
import { readBlobs } from '../git/contents.ts';
import { readQuery, type RequestEnvironment } from '../requests.ts';
import type { Database } from '../storage/database.ts';
import { importedRepositories } from '../storage/projects.ts';

/** Ids that are answered at once. */
const mostIds = 100;

/** Bytes of all contents in an answer. */
const mostBytes = 16 * 1024 * 1024;

const query = v.object({
  ids: v.pipe(
    v.string('must be ids of blobs, with commas between them'),
    v.transform((ids) => ids.split(',')),
    v.array(v.pipe(v.string(), v.regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'must be full ids of blobs'))),
    v.maxLength(mostIds, `must be no more than ${mostIds} ids`),
  ),
});

/**
 * Gives the contents of files of the repositories that were imported, by the ids of their blobs, beside the contract: to the person
 * whom the service runs for, who has the repositories anyway, and whose window may not run git on them. The service says so in
 * a header of each answer to them.
 */
export function addContentRoutes(api: Hono<RequestEnvironment>, database: Database, ownerId: number): void {
  api.use(async (context, next) => {
    await next();
    if (context.get('user').id === ownerId) {
      context.header('Patch-Stacks-Offers', 'contents', { append: true });
    }
  });
  api.get('/contents', async (context) => {
    if (context.get('user').id !== ownerId) {
      throw notFound('GET /api/contents');
    }
    const { ids } = readQuery(context, query);
    const contents = new Map<string, Buffer>();
    for (const directory of importedRepositories(database)) {
      const missing = ids.filter((id) => !contents.has(id));
      if (missing.length > 0) {
        const found = await readBlobs(directory, missing, mostBytes, context.req.raw.signal);
        found.forEach(({ id, bytes }) => contents.set(id, bytes));
      }
    }
    return context.json({
      contents: [...contents].map(([id, bytes]) => ({ id, content: bytes.toString('base64') })),
    });
  });
}
