import type { Hono } from 'hono/tiny';
import * as v from 'valibot';
import type { News } from '../news.ts';
import { readQuery, type RequestEnvironment } from '../requests.ts';

/** The header in which a window says which one it is: what it does itself is no news to it. */
const windowHeader = 'patch-stacks-window';

const query = v.object({ after: v.optional(v.string()) });

/**
 * Tells that something has changed as soon as it has, beside the contract: `GET /news?after=MARK` is answered with the next mark,
 * after a while also where nothing is new. The service says in a header of each answer that it does.
 */
export function addNewsRoutes(api: Hono<RequestEnvironment>, news: News): void {
  api.use(async ({ req, header }, next) => {
    await next();
    header('Patch-Stacks-Offers', 'news', { append: true });
    if (req.method !== 'GET') {
      news.note(req.header(windowHeader));
    }
  });
  api.get('/news', async (context) => {
    const { after } = readQuery(context, query);
    const { req } = context;
    return context.json({ mark: await news.next(after, req.header(windowHeader), req.raw.signal) });
  });
}
