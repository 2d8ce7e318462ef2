import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Gate } from '../../../src/agents/mcp/gate.ts';
import type { Reply, WindowFile } from '../../../src/agents/mcp/line.ts';

describe('the way in for programs of agents', () => {
  let directory: string;
  let gate: Gate;
  let called: unknown[];

  beforeEach(async () => {
    called = [];
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-gate-'));
    gate = await Gate.open({
      folder: path.join(directory, 'agents'),
      folders: ['/a/folder'],
      call: async (name, input) => {
        called.push([name, input]);
        return { text: 'An answer.' };
      },
    });
  });

  afterEach(async () => {
    await gate[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  const windowFile = async (): Promise<WindowFile> =>
    JSON.parse(await readFile(gate.file, 'utf8')) as WindowFile;

  /** Says some messages. @returns what was answered until the line ended, or there were so many answers. */
  const talk = async (messages: readonly object[], answers = Infinity): Promise<Reply[]> => {
    const socket = connect((await windowFile()).socket);
    let heard = '';
    socket.setEncoding('utf8').on('data', (data) => {
      heard += String(data);
      if (heard.split('\n').length > answers) {
        socket.end();
      }
    });
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    socket.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    await closed;
    const lines = heard.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Reply);
  };

  it('is for those alone who can read its file', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    assert.equal((await stat(gate.file)).mode & 0o777, 0o600);
    assert.equal((await stat(path.dirname(gate.file))).mode & 0o777, 0o700);
    assert.equal((await stat(path.dirname((await windowFile()).socket))).mode & 0o777, 0o700);
  });

  it('lists the tools and runs them, after the secret', async () => {
    const { secret } = await windowFile();
    const [list, answer] = await talk(
      [
        { secret },
        { id: 1, method: 'list' },
        { id: 2, method: 'call', name: 'readStack', input: { stack: 's' } },
      ],
      2,
    );
    assert.ok(list && 'tools' in list);
    assert.deepEqual(
      list.tools.filter(({ writes }) => writes).map(({ name }) => name),
      ['draftSection', 'editSection', 'proposeOrder'],
    );
    assert.deepEqual(answer, { id: 2, text: 'An answer.', isRefusal: false });
    assert.deepEqual(called, [['readStack', { stack: 's' }]]);
  });

  it('ends the line without it, and at whatever is no message', async () => {
    const { secret } = await windowFile();
    const call = { id: 1, method: 'call', name: 'readStack', input: {} };
    for (const messages of [
      [call],
      [{ secret: secret.slice(1) }, call],
      [{ secret: '' }, call],
      [{ secret }, { secret }, call],
      [{ secret }, { id: 1, method: 'eval' }, call],
    ]) {
      assert.deepEqual(await talk(messages), []);
    }
    assert.deepEqual(called, []);
  });

  it('leaves nothing when it is closed', async () => {
    const { socket } = await windowFile();
    await gate[Symbol.asyncDispose]();
    await assert.rejects(stat(gate.file), /ENOENT/);
    if (process.platform !== 'win32') {
      await assert.rejects(stat(path.dirname(socket)), /ENOENT/);
    }
  });
});
