import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ApiClient } from '../../src/api/client.ts';
import { readBlobs } from '../../src/service/git/contents.ts';
import { FaultServer } from '../support/faultServer.ts';
import { GitRepository } from '../support/gitRepository.ts';
import { RunningService } from '../support/runningService.ts';

const binary = Buffer.from([0, 255, 10, 13, 0]);

/** The id that git gives a content. */
function idOf(content: Buffer, algorithm = 'sha1'): string {
  return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex');
}

describe('service: contents of files', () => {
  let repository: GitRepository;
  let running: RunningService;
  let clients: ApiClient[];

  before(async () => {
    repository = GitRepository.withMain();
    repository.branch('topic');
    repository.write('a.bin', binary);
    repository.commitFile('b.txt', 'b\n', 'Change');
    running = await RunningService.start({ repository: repository.directory });
  });

  after(async () => {
    await running.stop();
    repository.remove();
  });

  beforeEach(() => (clients = []));
  afterEach(() => Promise.all(clients.map((client) => client.close())));

  function clientOf(serverUrl = running.service.url, token = running.service.token): ApiClient {
    const client = new ApiClient({ serverUrl, getToken: async () => token });
    clients.push(client);
    return client;
  }

  const blob = (name: string): string => repository.git('rev-parse', `topic:${name}`);

  it('are given to the person whom the service runs for, once it has said that', async () => {
    const client = clientOf();
    assert.equal(client.contents.isOffered, false);
    assert.equal((await client.contents.read([blob('b.txt')])).size, 0, 'nobody was asked');
    await client.users.me();
    assert.equal(client.contents.isOffered, true);
    const tree = repository.git('rev-parse', 'topic^{tree}');
    const found = await client.contents.read([blob('a.bin'), 'f'.repeat(40), tree, blob('b.txt')]);
    assert.deepEqual(
      [...found],
      [
        [blob('a.bin'), binary],
        [blob('b.txt'), Buffer.from('b\n')],
      ],
    );
  });

  it('are given however many are asked for', async () => {
    const client = clientOf();
    await client.users.me();
    const ids = Array.from({ length: 230 }, (_, index) => index.toString(16).padStart(40, '0'));
    assert.deepEqual([...(await client.contents.read([...ids, blob('b.txt')])).keys()], [blob('b.txt')]);
  });

  it('are given to nobody else, who is not told of them either', async () => {
    const { token } = running.service.addUser({ name: 'Else', email: 'else@example.com' });
    const { headers } = await running.call('GET', '/user', { token });
    assert.doesNotMatch(headers.get('patch-stacks-offers') ?? '', /contents/);
    const { status } = await running.call('GET', `/contents?ids=${blob('b.txt')}`, { token });
    assert.equal(status, 404);
    const client = clientOf(running.service.url, token);
    await client.users.me();
    assert.equal(client.contents.isOffered, false);
  });

  it('are asked for by full ids alone', async () => {
    for (const ids of ['', 'HEAD', '--help', 'topic:b.txt', `${blob('b.txt')},x`, blob('b.txt').slice(1)]) {
      const { status } = await running.call('GET', `/contents?ids=${encodeURIComponent(ids)}`);
      assert.equal(status, 422, ids);
    }
    const tooMany = Array.from({ length: 101 }, () => 'f'.repeat(40)).join(',');
    assert.equal((await running.call('GET', `/contents?ids=${tooMany}`)).status, 422);
  });

  it('end where there is no room for more', async () => {
    const [first, second] = [blob('a.bin'), blob('b.txt')];
    const read = async (most: number): Promise<string[]> =>
      (await readBlobs(repository.directory, [first, second], most)).map(({ id }) => id);
    assert.deepEqual(await read(7), [first, second]);
    assert.deepEqual(await read(6), [first]);
    assert.deepEqual(await read(4), []);
  });

  it('are what git calls by these ids, and nothing else that a service gives', async () => {
    const server = await FaultServer.start();
    const long = idOf(binary, 'sha256');
    const contents = [
      { id: idOf(binary), content: binary.toString('base64') },
      { id: long, content: binary.toString('base64') },
      { id: idOf(Buffer.from('was')), content: Buffer.from('is').toString('base64') },
    ];
    server.use((response, { url }) => {
      response.setHeader('content-type', 'application/json');
      response.setHeader('patch-stacks-offers', 'something, contents');
      response.end(JSON.stringify(url.includes('/contents') ? { contents } : { id: 1 }));
    });
    try {
      const client = clientOf(server.url);
      await client.users.me();
      const found = await client.contents.read(contents.map(({ id }) => id));
      assert.deepEqual([...found.keys()], [idOf(binary), long]);
    } finally {
      await server.stop();
    }
  });
});
