/** The clock of the service is another one than that of this computer. */
import assert from 'node:assert/strict';
import { loginWaitMs } from '../../src/accounts/loginWait.ts';
import { ApiClient } from '../../src/api/client.ts';
import { isApiError } from '../../src/api/errors.ts';
import { FaultServer } from '../support/faultServer.ts';

const minute = 60_000;

describe('a service whose clock differs', () => {
  let server: FaultServer;
  let client: ApiClient;

  before(async () => {
    server = await FaultServer.start();
    client = new ApiClient({ serverUrl: server.url, getToken: async () => undefined });
  });

  after(async () => {
    await client.close();
    await server.stop();
  });

  /** For how long a sign-in is waited for that the service lets live for so many minutes. */
  async function waitFor(minutes: number, ahead: number, date = true): Promise<number> {
    const now = Math.floor(Date.now() / 1_000) * 1_000 + ahead;
    server.use((response) => {
      response.sendDate = false;
      response.setHeader('content-type', 'application/json');
      if (date) {
        response.setHeader('date', new Date(now).toUTCString());
      }
      response.end(JSON.stringify({ token: 42, expires: new Date(now + minutes * minute).toISOString() }));
    });
    return loginWaitMs(await client.login.createToken());
  }

  for (const hours of [-1, 0, 1]) {
    it(`by ${hours} hours lets a sign-in be confirmed for as long as it says`, async () => {
      assert.equal(await waitFor(10, hours * 60 * minute), 10 * minute);
      // No one sits in front of it for longer than that.
      assert.equal(await waitFor(90, hours * 60 * minute), 20 * minute);
    });

    it(`by ${hours} hours, which it does not tell, lets it be confirmed for twenty minutes`, async () => {
      assert.equal(await waitFor(10, hours * 60 * minute, false), 20 * minute);
    });

    it(`by ${hours} hours has a client wait no longer than until the time that it names`, async () => {
      const now = Math.floor(Date.now() / 1_000) * 1_000 + hours * 60 * minute;
      server.use((response) => {
        response.writeHead(429, {
          date: new Date(now).toUTCString(),
          'retry-after': new Date(now + 120_000).toUTCString(),
        });
        response.end();
      });
      await assert.rejects(
        client.users.me(),
        (error) => isApiError(error) && error.kind === 'rateLimited' && error.retryAfterMs === 120_000,
      );
    });
  }

  it('that says nonsense about the end is waited for anyway', async () => {
    assert.equal(await waitFor(-5, 0), 20 * minute);
  });
});
