import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { MAX_GUESSES } from '../../src/service/loginGuesses.ts';
import { LOGIN_LIFETIME, MAX_PENDING_LOGINS } from '../../src/service/storage/tokens.ts';
import { RunningService, type Fields } from '../support/runningService.ts';

describe('service: sign-in', () => {
  let running: RunningService;
  let now: number;

  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1);
    running = await RunningService.start({ now: () => now });
  });

  afterEach(() => running.stop());

  async function begin(): Promise<Fields> {
    const { status, body } = await running.call('POST', '/login/token', { token: null });
    assert.equal(status, 201);
    return body;
  }

  const poll = (token: number | string) => running.call('GET', `/login/user/${token}`, { token: null });

  /** Does what the buttons of the page do. */
  async function decide(
    login: Fields,
    decision: string,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(new URL('/login', login.url), {
      method: 'POST',
      body: new URLSearchParams({ browser_token: login.browser_token, decision }),
      headers,
      redirect: 'manual',
    });
  }

  it('gives an access token once the person has confirmed, and only once', async () => {
    const login = await begin();
    assert.ok(Number.isInteger(login.token) && login.token > 0 && login.token < 2 ** 31);
    assert.equal(Date.parse(login.expires), now + LOGIN_LIFETIME);
    const waiting = await poll(login.token);
    assert.deepEqual([waiting.status, waiting.body.error_code], [404, 'login_pending']);
    const decided = await decide(login, 'confirm', { Origin: new URL(login.url).origin });
    assert.equal(decided.status, 303);
    assert.equal(decided.headers.get('location'), login.url);
    const { status, body } = await poll(login.token);
    assert.equal(status, 200);
    assert.equal(body.role, 'admin');
    assert.notEqual(body.access_token, running.service.token);
    const me = await running.call('GET', '/user', { token: body.access_token });
    assert.deepEqual([me.status, me.body.login, me.body.access_token], [200, body.login, body.access_token]);
    const again = await poll(login.token);
    assert.deepEqual([again.status, again.body.error_code], [410, 'login_spent']);
  });

  it('gives nothing once the person has refused, even if they confirm later', async () => {
    const login = await begin();
    await decide(login, 'refuse');
    await decide(login, 'confirm');
    const { status, body } = await poll(login.token);
    assert.deepEqual([status, body.error_code], [410, 'login_refused']);
  });

  it('expires', async () => {
    const login = await begin();
    const late = await begin();
    await decide(late, 'confirm');
    now += LOGIN_LIFETIME;
    assert.equal((await decide(login, 'confirm')).status, 404);
    assert.equal((await poll(login.token)).body.error_code, 'not_found');
    assert.equal((await poll(late.token)).status, 404);
    const page = await fetch(login.url);
    assert.equal(page.status, 404);
    assert.match(await page.text(), /expired/);
  });

  it('is asked for on a page that is accessible and runs nothing', async () => {
    const login = await begin();
    const response = await fetch(login.url);
    const html = await response.text();
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /form-action 'self'/);
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
    assert.ok(policy.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`));
    assert.doesNotMatch(html, /<script|https?:\/\/|\son\w+=|style="/);
    assert.match(html, /<html lang="en">/);
    assert.match(html, /<title>Sign in to Patch Stacks\?<\/title>/);
    assert.match(html, /<h1>/);
    assert.equal(html.match(/<button/g)?.length, 2);
    assert.ok(!html.includes(String(login.token)), 'the page does not give the polled token away');
    await decide(login, 'confirm');
    assert.match(await (await fetch(login.url)).text(), /You are signed in/);
    const other = await begin();
    await decide(other, 'refuse');
    assert.match(await (await fetch(other.url)).text(), /refused/);
  });

  it('shows names as text', async () => {
    await running.call('PUT', '/user', { json: { name: '<img src=x onerror=alert(1)>' } });
    const html = await (await fetch((await begin()).url)).text();
    assert.match(html, /&lt;img src=x/);
    assert.doesNotMatch(html, /<img/);
  });

  it('cannot be confirmed by another site, without the browser token, or in another form', async () => {
    const login = await begin();
    assert.equal((await decide(login, 'confirm', { Origin: 'https://evil.example' })).status, 403);
    assert.equal((await decide(login, 'confirm', { Origin: 'null' })).status, 403);
    assert.equal((await decide({ ...login, browser_token: 'x'.repeat(43) }, 'confirm')).status, 404);
    assert.equal((await decide({ ...login, browser_token: String(login.token) }, 'confirm')).status, 404);
    assert.equal((await decide(login, 'maybe')).status, 422);
    const json = await fetch(new URL('/login', login.url), {
      method: 'POST',
      body: JSON.stringify({ browser_token: login.browser_token, decision: 'confirm' }),
      headers: { 'Content-Type': 'text/plain' },
    });
    assert.equal(json.status, 415);
    assert.equal((await poll(login.token)).body.error_code, 'login_pending');
  });

  it('is given the address the caller used', async () => {
    const { text } = await running.callRaw('POST', '/api/login/token', { Host: `localhost:${running.port}` });
    assert.ok((JSON.parse(text) as Fields).url.startsWith(`http://localhost:${running.port}/login/`));
  });

  it('bounds how many tokens can be guessed', async () => {
    const login = await begin();
    await decide(login, 'confirm');
    for (let guess = 0; guess < MAX_GUESSES; guess++) {
      const token = 1 + ((login.token + guess) % (2 ** 31 - 2));
      assert.equal((await poll(token)).status, 404);
    }
    // Even the right one now: otherwise guessing would go on.
    assert.equal((await poll(login.token)).status, 429);
    now += 60_000;
    assert.equal((await poll(login.token)).status, 200);
  });

  it('bounds how many sign-ins wait', async () => {
    for (let number = 0; number < MAX_PENDING_LOGINS; number++) await begin();
    const { status, body } = await running.call('POST', '/login/token', { token: null });
    assert.deepEqual([status, body.error_code], [429, 'too_many_sign_ins']);
    now += LOGIN_LIFETIME;
    await begin();
  });

  it('refuses login tokens that are no int32', async () => {
    for (const token of ['0', '-1', '2147483648', 'abc', '1.5', '99999999999']) {
      assert.equal((await poll(token)).status, 422, token);
    }
  });
});
