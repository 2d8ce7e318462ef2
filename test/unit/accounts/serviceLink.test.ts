import assert from 'node:assert/strict';
import { ServiceLink } from '../../../src/accounts/sharing/serviceLink.ts';
import type { LocalServiceRequest } from '../../../src/protocol/localService.ts';

describe('the link to the local service', () => {
  let sent: LocalServiceRequest[];
  let process: { connected: boolean; send: (request: LocalServiceRequest) => boolean };
  let link: ServiceLink;

  beforeEach(() => {
    sent = [];
    process = { connected: true, send: (request) => sent.push(request) > 0 };
    link = new ServiceLink(process);
  });

  it('gives each answer to whoever has asked for it', async () => {
    const remotes = link.ask({ kind: 'remotes' });
    const now = link.ask({ kind: 'shareNow' });
    const [first, second] = sent;
    const news = { at: 1, waiting: 2, problems: [] };
    link.take(second?.id ?? 0, { news });
    link.take(first?.id ?? 0, { remotes: [{ name: 'origin', address: '/x' }] });
    assert.deepEqual(await now, { news });
    assert.deepEqual(await remotes, { remotes: [{ name: 'origin', address: '/x' }] });
  });

  it('throws what the service could not do', async () => {
    const asked = link.ask({ kind: 'share', asBranch: false, remote: 'origin' });
    link.take(sent[0]?.id ?? 0, { failure: { code: 'no_remote', message: 'Gone.' } });
    await assert.rejects(asked, { code: 'no_remote', message: 'Gone.' });
  });

  it('waits for nothing once the service has ended', async () => {
    const asked = link.ask({ kind: 'remotes' });
    link.end();
    await assert.rejects(asked, { code: 'stopped' });
    process.connected = false;
    await assert.rejects(link.ask({ kind: 'remotes' }), { code: 'stopped' });
    assert.equal(sent.length, 1);
  });
});
