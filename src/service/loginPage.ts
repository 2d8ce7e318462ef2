/**
 * The pages on which a person confirms a sign-in: what the `url` of a login token opens.
 *
 * The page names its sign-in, and asks for the one-time code of it that only the owner of the service sees: everyone on this
 * computer can reach it. Other
 * web pages are kept out by the unguessable browser token and the checks on Host and Origin.
 */
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { Hono } from 'hono/tiny';
import { html, raw } from 'hono/html';
import * as v from 'valibot';
import { HttpError } from './errors.ts';
import type { Logins, LoginState } from './logins.ts';
import {
  bodyChunks,
  mediaType,
  originOf,
  validate,
  type RequestContext,
  type RequestEnvironment,
} from './requests.ts';
import type { Database } from './storage/database.ts';
import { findUser, type UserRow } from './storage/users.ts';

/** The path of the page for one sign-in. */
export function loginPagePath(browserToken: string): string {
  return `/login/${encodeURIComponent(browserToken)}`;
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 26rem; margin: 1rem; padding: 2rem; border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas);
  border-radius: 12px; }
h1 { margin: 0 0 .75rem; font-size: 1.4rem; line-height: 1.25; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
button { font: inherit; padding: .5rem 1.25rem; border-radius: 8px; border: 1px solid currentColor; cursor: pointer;
  background: transparent; color: inherit; }
label { display: block; }
input[type='text'] { font: 1.25rem/1.5 ui-monospace, monospace; letter-spacing: .1em; width: 100%; box-sizing: border-box;
  margin-top: .25rem; padding: .4rem .6rem; border-radius: 8px; border: 1px solid currentColor; background: Field;
  color: FieldText; }
.problem { font-weight: 600; }
button.main { background: #0b5cad; border-color: #0b5cad; color: #fff; }
button:focus-visible, input:focus-visible { outline: 3px solid CanvasText; outline-offset: 2px; }
.note { color: color-mix(in srgb, CanvasText 70%, Canvas); font-size: .875rem; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing but our own style by its hash, and forms to ourselves. */
const pagePolicy = [
  `default-src 'none'`,
  `style-src 'sha256-${styleHash}'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

const decisionSchema = v.object({
  browser_token: v.string('is required'),
  decision: v.picklist(['confirm', 'refuse'], 'must be confirm or refuse'),
  code: v.optional(v.string(), ''),
});

/** Adds the pages. `ownerId` is the user who signs in on them. */
export function addLoginPages(
  app: Hono<RequestEnvironment>,
  database: Database,
  logins: Logins,
  ownerId: number,
): void {
  app.get('/login/:browser_token', (context) => {
    const browserToken = context.req.param('browser_token');
    const state = logins.find(browserToken);
    return state
      ? showState(context, state, {
          browserToken,
          name: logins.name(browserToken),
          user: owner(database, ownerId),
        })
      : showGone(context);
  });

  app.post('/login', async (context) => {
    const form = validate(decisionSchema, await readForm(context));
    const browserToken = form.browser_token;
    const state =
      form.decision === 'refuse'
        ? logins.refuse(browserToken)
        : logins.confirm(browserToken, form.code, ownerId);
    if (!state) {
      return showGone(context);
    }
    if (state === 'pending') {
      const triesLeft = logins.triesLeft(browserToken);
      const name = logins.name(browserToken);
      return showState(context, state, { browserToken, name, user: owner(database, ownerId), triesLeft });
    }
    // To the page again, so that reloading it sends nothing twice.
    return context.redirect(`${originOf(context)}${loginPagePath(browserToken)}`, 303);
  });
}

function owner(database: Database, ownerId: number): UserRow {
  const user = findUser(database, ownerId);
  if (!user) {
    throw new Error('The user that this service runs for no longer exists.');
  }
  return user;
}

async function readForm(context: RequestContext): Promise<Record<string, string>> {
  if (mediaType(context) !== 'application/x-www-form-urlencoded') {
    throw new HttpError(415, 'unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.');
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyChunks(context, 10_000)) {
    chunks.push(chunk);
  }
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
}

interface LoginView {
  readonly browserToken: string;
  /** The name of the sign-in. */
  readonly name: string;
  readonly user: UserRow;
  /** After a wrong code: how many more may be tried. */
  readonly triesLeft?: number;
}

function showState(context: Context, state: LoginState, { browserToken, name, user, triesLeft }: LoginView) {
  switch (state) {
    case 'pending': {
      const tries = triesLeft === 1 ? 'one more try' : `${triesLeft ?? 0} more tries`;
      return page(
        context,
        triesLeft === undefined ? 200 : 422,
        triesLeft === undefined ? 'Sign in to Patch Stacks?' : 'Wrong code: sign in to Patch Stacks?',
        html`<p>
            An editor on this computer asks to use the local service as
            <strong>${user.name}</strong> (${user.login}). This is sign-in <strong>${name}</strong>. If you
            began it, your editor shows the same name. Refuse if it shows another, or none.
          </p>
          <form method="post" action="/login" autocomplete="off">
            <input type="hidden" name="browser_token" value="${browserToken}" />
            <label>
              Sign-in code for ${name}
              <input
                type="text"
                name="code"
                required
                autofocus
                maxlength="40"
                autocapitalize="characters"
                spellcheck="false"
                aria-describedby="where${triesLeft === undefined ? '' : ' problem'}"
                ${triesLeft === undefined ? '' : raw('aria-invalid="true"')}
              />
            </label>
            ${
              triesLeft === undefined
                ? ''
                : html`<p id="problem" class="problem" role="alert">
                    This isn't the code for ${name}. You have ${tries}.
                  </p>`
            }
            <p id="where" class="note">
              The terminal in which the service was started shows the code beside this name. If it doesn't,
              reload this page in a minute.
            </p>
            <button class="main" name="decision" value="confirm">Sign In</button>
            <button name="decision" value="refuse" formnovalidate>Refuse</button>
          </form>`,
      );
    }
    case 'refused':
      return page(
        context,
        200,
        'Sign-in refused',
        html`<p>No one was signed in. You can close this page.</p>`,
      );
    case 'exhausted':
      return page(
        context,
        200,
        'Sign-in ended',
        html`<p>
          The code was wrong too often, so no one was signed in. Start the sign-in again in your editor.
        </p>`,
      );
    case 'confirmed':
      return page(
        context,
        200,
        "You're signed in",
        html`<p>
          Go back to your editor: it's signed in as <strong>${user.name}</strong>. You can close this page.
        </p>`,
      );
  }
}

function showGone(context: Context) {
  return page(context, 404, 'This sign-in has expired', html`<p>Start it again in your editor.</p>`);
}

function page(context: Context, status: 200 | 404 | 422, title: string, content: ReturnType<typeof html>) {
  context.header('Content-Security-Policy', pagePolicy);
  // Keeps the browser token out of other sites' hands, but lets the form say where it comes from.
  context.header('Referrer-Policy', 'same-origin');
  return context.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          ${raw(`<style>${style}</style>`)}
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
