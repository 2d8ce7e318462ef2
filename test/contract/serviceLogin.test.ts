import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import {
  codeTries,
  loginLifetimeMs,
  mostCodes,
  mostMisses,
  spendLifetimeMs,
} from '../../src/service/logins.ts';
import { accessTokenLifetimeMs } from '../../src/service/storage/tokens.ts';
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

  /** Does what the buttons of the page do, with the code that the owner was shown for the sign-in. */
  async function decide(
    login: Fields,
    decision: string,
    headers: Record<string, string> = {},
    code = running.codeOf(login),
  ): Promise<Response> {
    return fetch(new URL('/login', login.url), {
      method: 'POST',
      body: new URLSearchParams({ browser_token: login.browser_token, decision, code }),
      headers,
      redirect: 'manual',
    });
  }

  it('gives an access token once the person has confirmed, and only once', async () => {
    const login = await begin();
    assert.ok(Number.isInteger(login.token) && login.token > 0 && login.token < 2 ** 31);
    assert.equal(Date.parse(login.expires), now + loginLifetimeMs);
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
    now += spendLifetimeMs;
    assert.equal((await poll(late.token)).status, 404);
    now += loginLifetimeMs;
    await decide(login, 'confirm');
    assert.equal((await poll(login.token)).body.error_code, 'login_pending');
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
    assert.match(await (await fetch(login.url)).text(), /You(&#39;|')re signed in/);
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

  describe('for everyone else on the computer', () => {
    it('needs the code that only the owner was shown', async () => {
      const login = await begin();
      const shown = running.codeOf(login);
      assert.match(shown, /^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
      const html = await (await fetch(login.url)).text();
      const answer = JSON.stringify(login) + html;
      assert.ok(!answer.includes(shown), 'the code is in no answer');
      assert.ok(!answer.includes(shown.replace('-', '')));
      for (const code of ['', 'AAAAA-AAAAA', shown.slice(0, -1), login.name]) {
        const decided = await decide(login, 'confirm', {}, code);
        assert.equal(decided.status, 422);
        assert.match(await decided.text(), /isn't the code for/);
      }
      assert.equal((await poll(login.token)).status, 404);
      assert.equal((await decide(login, 'confirm')).status, 303);
      assert.equal((await poll(login.token)).status, 200);
    });

    it('ends after five wrong codes, even for the right one', async () => {
      const login = await begin();
      for (let wrong = 0; wrong < codeTries; wrong++) {
        await decide(login, 'confirm', {}, 'WRONG');
      }
      await decide(login, 'confirm');
      assert.match(await (await fetch(login.url)).text(), /wrong too often/);
      assert.deepEqual((await poll(login.token)).body.error_code, 'login_refused');
    });

    it('takes a code for its own sign-in alone, while somebody else begins one at the same time', async () => {
      const mine = await begin();
      const others = await begin();
      assert.deepEqual(
        running.shown.map(({ name }) => name),
        [mine.name, others.name],
        'the owner is shown whose codes they are',
      );
      assert.notEqual(mine.name, others.name);
      assert.notEqual(running.codeOf(mine), running.codeOf(others));
      const page = await (await fetch(others.url)).text();
      assert.ok(page.includes(others.name) && !page.includes(mine.name), 'the page says whose it is');
      // As the owner does who was led to the page of somebody else.
      const misled = await decide(others, 'confirm', {}, running.codeOf(mine));
      assert.equal(misled.status, 422);
      assert.ok((await misled.text()).includes(others.name));
      assert.equal((await poll(others.token)).status, 404);
      assert.equal((await decide(mine, 'confirm')).status, 303);
      assert.equal((await poll(mine.token)).status, 200);
      assert.equal((await poll(others.token)).status, 404);
    });

    it('shows a code once, however often its page is opened', async () => {
      const login = await begin();
      await fetch(login.url);
      await fetch(login.url);
      assert.equal(running.shown.length, 1);
    });

    it('takes a code as people type it', async () => {
      const login = await begin();
      const typed = ` ${running.codeOf(login).toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l').replace('-', ' ')} `;
      assert.equal((await decide(login, 'confirm', {}, typed)).status, 303);
    });

    it('takes no code that is as old as a sign-in may be', async () => {
      const old = await begin();
      now += loginLifetimeMs + 1;
      assert.equal((await decide(old, 'confirm')).status, 404);
      const login = await begin();
      assert.equal((await decide(login, 'confirm', {}, running.codeOf(old))).status, 422);
      assert.equal((await decide(login, 'confirm')).status, 303);
    });

    it('leaves room for the owner, and few lines in the terminal, however many are begun', async () => {
      const mine = await begin();
      for (let number = 0; number < 300; number++) {
        await begin();
      }
      assert.equal(running.shown.length, mostCodes);
      const late = await begin();
      await decide(mine, 'confirm');
      assert.equal((await poll(mine.token)).status, 200);
      // As its page says: the code is shown when that is loaded again.
      now += 60_000;
      assert.equal(running.codeOf(late), '');
      assert.match(await (await fetch(late.url)).text(), /reload this page in a minute/);
      await decide(late, 'confirm');
      assert.equal((await poll(late.token)).status, 200);
    });

    it('answers the owner while others guess', async () => {
      const login = await begin();
      for (let guess = 0; guess < mostMisses; guess++) {
        assert.equal((await poll(1 + ((login.token + guess) % (2 ** 31 - 2)))).status, 404);
      }
      assert.equal((await poll(1 + (login.token % (2 ** 31 - 2)))).status, 429);
      await decide(login, 'confirm');
      assert.equal((await poll(login.token)).status, 200);
      now += 60_000;
      assert.equal((await poll(1 + (login.token % (2 ** 31 - 2)))).status, 404);
    });

    it('is not begun, polled or confirmed by what a web page loads', async () => {
      const login = await begin();
      const loads = {
        'Sec-Fetch-Site': 'cross-site',
        'Sec-Fetch-Mode': 'no-cors',
        'Sec-Fetch-Dest': 'image',
      };
      for (const [method, path] of [
        ['GET', `/api/login/user/${login.token}`],
        ['POST', '/api/login/token'],
        ['GET', new URL(login.url).pathname],
        ['POST', '/login'],
        ['GET', '/avatars/x'],
      ] as const) {
        const host = { Host: `127.0.0.1:${running.port}` };
        const { status } = await running.callRaw(method, path, { ...host, ...loads });
        assert.equal(status, 403, `${method} ${path}`);
        const sameSite = { ...loads, 'Sec-Fetch-Site': 'same-site' };
        assert.equal((await running.callRaw(method, path, { ...host, ...sameSite })).status, 403);
      }
      const opened = {
        'Sec-Fetch-Site': 'cross-site',
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Dest': 'document',
      };
      const { status } = await running.callRaw('GET', new URL(login.url).pathname, {
        Host: `127.0.0.1:${running.port}`,
        ...opened,
      });
      assert.equal(status, 200, 'a person who follows the link sees the page');
    });

    it('is closed where no one is shown a code', async () => {
      const closed = await RunningService.start({ isOwnerShownCodes: false });
      try {
        const { status, body } = await closed.call('POST', '/login/token', { token: null });
        assert.deepEqual([status, body.error_code], [403, 'sign_in_closed']);
      } finally {
        await closed.stop();
      }
    });

    it('gives another user of the computer nothing', async function () {
      if (process.platform !== 'linux' || process.getuid?.() !== 0) {
        this.skip();
      }
      // Everything that the user may do without being the owner: all but to read the owner's files and terminal.
      const attack = `
        const api = ${JSON.stringify(running.service.url)};
        const files = [];
        for (const name of ['token', 'running.json', 'patch-stacks.sqlite']) {
          try { require('node:fs').readFileSync(${JSON.stringify(running.dataDirectory)} + '/' + name); files.push(name); } catch {}
        }
        (async () => {
          const login = await (await fetch(api + '/login/token', { method: 'POST' })).json();
          const page = await (await fetch(login.url)).text();
          for (const code of ['', login.browser_token, String(login.token), ...(page.match(/[0-9A-Z]{5}-[0-9A-Z]{5}/g) ?? [])]) {
            await fetch(new URL('/login', login.url), { method: 'POST', redirect: 'manual',
              body: new URLSearchParams({ browser_token: login.browser_token, decision: 'confirm', code }) });
          }
          const { status } = await fetch(api + '/login/user/' + login.token);
          process.stdout.write(JSON.stringify({ uid: process.getuid(), files, status }));
        })();`;
      const { stdout } = await promisify(execFile)('/proc/self/exe', ['-e', attack], {
        uid: 65_534,
        gid: 65_534,
        cwd: '/',
        env: {},
      });
      const { uid, files, status } = JSON.parse(stdout) as { uid: number; files: string[]; status: number };
      assert.deepEqual([uid, files, status], [65_534, [], 404]);
    });
  });

  it('gives access tokens that end a month after they were used last', async () => {
    const token = running.service.issueToken((await running.call('GET', '/user')).body.login);
    const status = async () => (await running.call('GET', '/user', { token })).status;
    now += accessTokenLifetimeMs - 1000;
    assert.equal(await status(), 200);
    now += accessTokenLifetimeMs - 1000;
    assert.equal(await status(), 200);
    now += accessTokenLifetimeMs;
    assert.equal(await status(), 401);
  });

  it('refuses login tokens that are no int32', async () => {
    for (const token of ['0', '-1', '2147483648', 'abc', '1.5', '99999999999']) {
      assert.equal((await poll(token)).status, 422, token);
    }
  });
});
