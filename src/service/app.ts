// With one router in place of three: a service of forty routes needs no more.
import { Hono } from 'hono/tiny';
import { HttpError } from './errors.ts';
import { refuseForeignPages, refuseMalformedPaths, requireAccessToken, secureHeaders } from './guards.ts';
import { addLoginPages } from './loginPage.ts';
import { Logins, type TellCode } from './logins.ts';
import type { News } from './news.ts';
import { offerToCompare, type RequestEnvironment } from './requests.ts';
import { addContentRoutes } from './routes/contents.ts';
import { addFeedbackRoutes } from './routes/feedback.ts';
import { addLoginRoutes } from './routes/login.ts';
import { addNewsRoutes } from './routes/news.ts';
import { addPatchRoutes, type WhenRead } from './routes/patches.ts';
import { addProjectRoutes } from './routes/projects.ts';
import { addReleaseRoutes } from './routes/releases.ts';
import { addStackRoutes, type PublishBranch } from './routes/stacks.ts';
import { addUserRoutes } from './routes/users.ts';
import { isDiskFull, type Database } from './storage/database.ts';
import { isSameSecret, userForAccessToken } from './storage/tokens.ts';
import { findAvatar, findUser, type UserRow } from './storage/users.ts';
import { systemCode } from '../util/systemCode.ts';

interface AppOptions {
  database: Database;
  publishBranch: PublishBranch;
  /** The id of the user who signs in on the login page: the person this service runs for. */
  ownerId: number;
  /** The owner's access token for as long as this service runs. */
  ownToken: string;
  /** Shows the owner the code of a sign-in in the browser; without it there is none. */
  tellCode: TellCode | undefined;
  /** Told of every failure that is a defect of the service and not of a request. */
  onDefect: (error: unknown, request: string) => void;
  /** Told when somebody may have changed something. */
  onWrite: () => void;
  whenRead: WhenRead;
  /** Tells windows of that. */
  news: News;
}

/** The user whom an access token lets in; undefined when it is nobody's. */
function userWith(
  token: string,
  { database, ownerId, ownToken }: Pick<AppOptions, 'database' | 'ownerId' | 'ownToken'>,
): UserRow | undefined {
  return isSameSecret(token, ownToken) ? findUser(database, ownerId) : userForAccessToken(database, token);
}

function addAvatars(app: Hono<RequestEnvironment>, database: Database): void {
  app.get('/avatars/:sha', (context) => {
    const avatar = findAvatar(database, context.req.param('sha'));
    if (!avatar) {
      return context.notFound();
    }
    // An <img> cannot send a token: that no one can guess the digest of an image they do not have is what guards it.
    return context.body(new Uint8Array(avatar.bytes), 200, {
      'Content-Type': avatar.media_type,
      'Cache-Control': 'private, max-age=31536000, immutable',
    });
  });
}

/** Builds the whole HTTP interface: the operations of the contract, the contents of files and the news under /api, the login page and the avatars. */
export function createApp({
  database,
  publishBranch,
  ownerId,
  ownToken,
  tellCode,
  onDefect,
  onWrite,
  whenRead,
  news,
}: AppOptions): Hono<RequestEnvironment> {
  // Routes match the path as it was sent, so that an encoded slash never separates and nothing is decoded twice.
  const app = new Hono<RequestEnvironment>({ getPath: (request) => new URL(request.url).pathname });
  app.use(secureHeaders(), refuseForeignPages(), refuseMalformedPaths());

  addAvatars(app, database);
  const logins = new Logins({ clock: () => database.now(), tellCode });
  addLoginPages(app, database, logins, ownerId);

  const api = new Hono<RequestEnvironment>();
  addLoginRoutes(api, database, logins);
  api.use(requireAccessToken((token) => userWith(token, { database, ownerId, ownToken })));
  api.use(async ({ req }, next) => {
    await next();
    if (req.method !== 'GET') {
      onWrite();
    }
  });
  api.use(offerToCompare);
  addNewsRoutes(api, news);
  addContentRoutes(api, database, ownerId);
  addUserRoutes(api, database);
  addProjectRoutes(api, database);
  addStackRoutes(api, database, publishBranch);
  addPatchRoutes(api, database, whenRead);
  addReleaseRoutes(api, database);
  addFeedbackRoutes(api, database);
  app.route('/api', api);

  app.notFound((context) =>
    context.json(
      { error: `Couldn't find ${context.req.method} ${context.req.path}.`, error_code: 'not_found' },
      404,
    ),
  );
  app.onError((error, context) => {
    if (error instanceof HttpError) {
      return context.json(
        {
          error: error.message,
          error_code: error.code,
          ...(error.fields.length > 0 && { errors: error.fields }),
          ...error.details,
        },
        error.status,
      );
    }
    if (isDiskFull(error) || ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '')) {
      return context.json(
        { error: 'The disk is full. Free up space, then try again.', error_code: 'disk_full' },
        507,
      );
    }
    onDefect(error, `${context.req.method} ${context.req.path}`);
    return context.json(
      { error: 'Something went wrong. See the log of the local service.', error_code: 'internal_error' },
      500,
    );
  });
  return app;
}
