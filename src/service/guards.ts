/** The checks before every operation: who may reach the service at all, and who is asking. */
import type { MiddlewareHandler } from 'hono';
import { HttpError } from './errors.ts';
import { originOf, type RequestEnvironment } from './requests.ts';
import type { UserRow } from './storage/users.ts';

/**
 * Refuses requests that a foreign web page makes this computer's browser send: one that reaches us under another host
 * name (DNS rebinding), one that a page of another origin sends, and one that only loads something, as an image does.
 */
export function refuseForeignPages(): MiddlewareHandler<RequestEnvironment> {
  return async (context, next) => {
    const { host, origin } = context.env.incoming.headers;
    const port = context.env.incoming.socket.localPort ?? 0;
    const names = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
    if (host === undefined || !names.includes(host.toLowerCase())) {
      throw new HttpError(403, 'foreign_host', `This service only answers requests to ${names.join(', ')}.`);
    }
    if (origin !== undefined && origin.toLowerCase() !== originOf(context).toLowerCase()) {
      throw foreignOrigin();
    }
    const {
      'sec-fetch-site': site,
      'sec-fetch-mode': mode,
      'sec-fetch-dest': destination,
    } = context.env.incoming.headers;
    const opensLoginPage =
      context.req.method === 'GET' &&
      context.req.path.startsWith('/login/') &&
      mode === 'navigate' &&
      destination === 'document';
    if ((site === 'cross-site' || site === 'same-site') && !opensLoginPage) {
      throw foreignOrigin();
    }
    await next();
  };
}

function foreignOrigin(): HttpError {
  return new HttpError(403, 'foreign_origin', "Other websites can't use this service.");
}

/** Refuses paths that cannot be decoded, so that no operation sees half-decoded parameters, and finds nothing at those with a slash at their end. */
export function refuseMalformedPaths(): MiddlewareHandler<RequestEnvironment> {
  return async (context, next) => {
    try {
      decodeURIComponent(context.req.path);
    } catch {
      throw new HttpError(400, 'malformed_path', "The path isn't valid percent-encoded UTF-8.");
    }
    // The router would take them for those without it.
    return context.req.path.endsWith('/') ? context.notFound() : next();
  };
}

/** The security headers of every answer. Pages that need more say so themselves. */
export function secureHeaders(): MiddlewareHandler<RequestEnvironment> {
  return async (context, next) => {
    await next();
    context.header('X-Content-Type-Options', 'nosniff');
    if (!context.res.headers.has('Cache-Control')) {
      context.header('Cache-Control', 'no-store');
    }
    if (!context.res.headers.has('Content-Security-Policy')) {
      context.header('Content-Security-Policy', `default-src 'none'; frame-ancestors 'none'`);
    }
  };
}

/**
 * Lets only callers with a good access token pass, in `X-Auth-Token` or as a bearer (contract §5).
 *
 * @param userOf the user whose token it is; undefined when it is nobody's.
 */
export function requireAccessToken(
  userOf: (token: string) => UserRow | undefined,
): MiddlewareHandler<RequestEnvironment> {
  return async (context, next) => {
    const token =
      context.req.header('x-auth-token') ??
      /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    const user = token === undefined ? undefined : userOf(token);
    if (token === undefined || !user) {
      context.header('WWW-Authenticate', 'Bearer');
      throw new HttpError(
        401,
        'unauthorized',
        token === undefined
          ? 'Send an access token in X-Auth-Token.'
          : 'The access token is invalid or has expired. Sign in again.',
      );
    }
    context.set('user', user);
    context.set('accessToken', token);
    await next();
  };
}
