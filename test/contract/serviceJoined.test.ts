/** `npm start` over data that a window's local server has: both have one, and go on when it ends. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { reachRunning } from '../../src/util/runningService.ts';
import { openService } from '../../tools/localService.ts';
import { GitRepository } from '../support/gitRepository.ts';
import { callService, RunningService } from '../support/runningService.ts';
import { until } from '../support/until.ts';

describe('service: one for all who start it', function () {
  this.timeout(60_000);
  let data: string;
  let repository: GitRepository;

  beforeEach(() => {
    data = mkdtempSync(path.join(tmpdir(), 'patch-stacks-joined-'));
    repository = GitRepository.withMain();
  });

  afterEach(() => {
    repository.remove();
    rmSync(data, { recursive: true, force: true });
  });

  it('is that of the window, and another at the same address once that has ended', async () => {
    const window = await RunningService.start({ dataDirectory: data, isTokenNew: true });
    const { port } = window;
    const joined = await openService({
      repository: repository.directory,
      dataDirectory: data,
      port,
      isTokenNew: true,
    });
    try {
      assert.deepEqual([joined.url, joined.token], [window.service.url, window.service.token]);
      await window.stop({ keepData: true });
      await until(async () => (await reachRunning(data)) !== undefined);
      const reached = await reachRunning(data);
      assert.ok(reached);
      assert.equal(reached.url, joined.url);
      assert.notEqual(reached.token, joined.token);
      assert.equal((await callService(reached, 'GET', '/user')).status, 200);
      reached.leave();
    } finally {
      await joined.close();
    }
    assert.equal(await reachRunning(data), undefined);
  });

  it('is left running by whoever has only used it', async () => {
    const window = await RunningService.start({ dataDirectory: data, isTokenNew: true });
    const joined = await openService({ repository: repository.directory, dataDirectory: data });
    await joined.close();
    assert.equal((await window.call('GET', '/user')).status, 200);
    await window.stop({ keepData: true });
    assert.equal(await reachRunning(data), undefined);
  });
});
