/**
 * The pages on which a person confirms a sign-in: what the `url` of a login token opens.
 *
 * The person at this machine is the person the service runs for, so the page asks for no password: what it keeps out
 * is other web pages (the unguessable browser token, the checks on Host and Origin) and clicks by mistake.
 */
import { createHash } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { html, raw } from 'hono/html';
import * as v from 'valibot';
import { HttpError } from './errors.ts';
import {
  bodyChunks,
  mediaType,
  originOf,
  validate,
  type RequestContext,
  type RequestEnvironment,
} from './requests.ts';
import type { Database } from './storage/database.ts';
import { decideLogin, findLoginByBrowserToken, type LoginRow } from './storage/tokens.ts';
import { findUser, type UserRow } from './storage/users.ts';

/** The path of the page for one sign-in. */
export function loginPagePath(browserToken: string): string {
  return `/login/${encodeURIComponent(browserToken)}`;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 26rem; margin: 1rem; padding: 2rem; border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas);
  border-radius: 12px; }
h1 { margin: 0 0 .75rem; font-size: 1.4rem; line-height: 1.25; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
button { font: inherit; padding: .5rem 1.25rem; border-radius: 8px; border: 1px solid currentColor; cursor: pointer;
  background: transparent; color: inherit; }
button.main { background: #0b5cad; border-color: #0b5cad; color: #fff; }
button:focus-visible { outline: 3px solid CanvasText; outline-offset: 2px; }
.note { color: color-mix(in srgb, CanvasText 70%, Canvas); font-size: .875rem; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing but our own style by its hash, and forms to ourselves. */
const PAGE_POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${STYLE_HASH}'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

const decisionSchema = v.object({
  browser_token: v.string('is required'),
  decision: v.picklist(['confirm', 'refuse'], 'must be confirm or refuse'),
});

/** Adds the pages. `ownerId` is the user who signs in on them. */
export function addLoginPages(app: Hono<RequestEnvironment>, database: Database, ownerId: number): void {
  app.get('/login/:browser_token', (context) => {
    const browserToken = context.req.param('browser_token');
    const login = findLoginByBrowserToken(database, browserToken);
    return login ? showState(context, login, browserToken, owner(database, ownerId)) : showGone(context);
  });

  app.post('/login', async (context) => {
    const { browser_token, decision } = validate(decisionSchema, await readForm(context));
    const login = findLoginByBrowserToken(database, browser_token);
    if (!login) return showGone(context);
    decideLogin(database, login.token, decision === 'confirm' ? ownerId : undefined);
    // To the page again, so that reloading it sends nothing twice.
    return context.redirect(`${originOf(context)}${loginPagePath(browser_token)}`, 303);
  });
}

function owner(database: Database, ownerId: number): UserRow {
  const user = findUser(database, ownerId);
  if (!user) throw new Error('The user this service runs for is gone.');
  return user;
}

async function readForm(context: RequestContext): Promise<Record<string, string>> {
  if (mediaType(context) !== 'application/x-www-form-urlencoded') {
    throw new HttpError(415, 'unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.');
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyChunks(context, 10_000)) chunks.push(chunk);
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
}

function showState(context: Context, login: LoginRow, browserToken: string, user: UserRow) {
  switch (login.state) {
    case 'pending':
      return page(
        context,
        200,
        'Sign in to Patch Stacks?',
        html`<p>
            An editor on this machine asks to use the local service as
            <strong>${user.name}</strong> (${user.login}).
          </p>
          <p class="note">Refuse if you did not just start a sign-in.</p>
          <form method="post" action="/login">
            <input type="hidden" name="browser_token" value="${browserToken}" />
            <button class="main" name="decision" value="confirm">Sign in</button>
            <button name="decision" value="refuse">Refuse</button>
          </form>`,
      );
    case 'refused':
      return page(
        context,
        200,
        'Sign-in refused',
        html`<p>Nobody was signed in. You can close this page.</p>`,
      );
    default:
      return page(
        context,
        200,
        'You are signed in',
        html`<p>
          Go back to your editor: it is signed in as <strong>${user.name}</strong>. You can close this page.
        </p>`,
      );
  }
}

function showGone(context: Context) {
  return page(context, 404, 'This sign-in has expired', html`<p>Start it again in your editor.</p>`);
}

function page(context: Context, status: 200 | 404, title: string, content: ReturnType<typeof html>) {
  context.header('Content-Security-Policy', PAGE_POLICY);
  // Keeps the browser token out of other sites' hands, but lets the form say where it comes from.
  context.header('Referrer-Policy', 'same-origin');
  return context.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          ${raw(`<style>${STYLE}</style>`)}
        </head>
        <body>
          <main>
            <h1>${title}</h1>
            ${content}
          </main>
        </body>
      </html>`,
    status,
  );
}
