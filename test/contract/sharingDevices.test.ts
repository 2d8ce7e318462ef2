/** Which devices that share in a person's name are theirs, so that they aren't asked about them. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { personOf } from '../../src/service/sharing/operations.ts';
import { ada, GitRepository } from '../support/gitRepository.ts';
import { Teammate } from '../support/teammate.ts';

const sharedByAll = { state: 'shared', waiting: 0, problems: [] };

describe("service: a person's devices that share", function () {
  // Each step is some runs of git.
  this.timeout(180_000);
  let remote: GitRepository;
  let ann: Teammate;

  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-moved-'));
    remote = GitRepository.remote();
    ann = new Teammate('ann', remote.directory, ada);
    ann.pushFeature(['a.txt', 'a\n', 'First']);
    await ann.start();
  });

  afterEach(async () => {
    await ann.remove();
    remote.remove();
    rmSync(folder, { recursive: true });
  });

  /** Has Ann's service go on with a copy of a remote at another address. @returns That address. */
  const move = async (from: string, name: string): Promise<string> => {
    const address = path.join(folder, name);
    await ann.stop();
    cpSync(from, address, { recursive: true });
    ann.clone.git('remote', 'set-url', 'origin', address);
    await ann.start();
    return address;
  };

  const add = async (text: string): Promise<void> => {
    await ann.call('POST', `${(await ann.patch()).path}/section`, { type: 'text', text });
  };
  const texts = async (): Promise<string[]> => (await ann.page()).slice(1).sort();
  const refs = (): string[] =>
    remote
      .git('for-each-ref', '--format=%(refname)', `refs/patch-stacks/v1/${personOf(ada.email)}`)
      .split('\n')
      .filter(Boolean);

  it('are known at whatever address the remote is, and others are still asked about', async () => {
    await add('At the first address.');
    await ann.share();
    const moved = await move(remote.directory, 'moved');
    const eve = new Teammate('eve', moved, ada);
    try {
      assert.deepEqual(await ann.share(), sharedByAll);
      await add('At the second one.');
      assert.deepEqual(await ann.share(), sharedByAll);
      assert.deepEqual(await texts(), ['At the first address.', 'At the second one.']);
      eve.checkOut('feature');
      await eve.start();
      await eve.share();
      const { strangers = [] } = await ann.share();
      assert.equal(strangers.length, 1);
      // Who says at one address that it's theirs has said so for all.
      assert.deepEqual(await ann.running.service.addDevice(strangers[0]!), sharedByAll);
      await move(moved, 'again');
      assert.deepEqual(await ann.share(), sharedByAll);
    } finally {
      await eve.remove();
    }
  });

  it('are also those whose logs were rewritten at the remote, one after the other', async () => {
    await add('One.');
    await ann.share();
    for (const said of ['Said by somebody.', 'Said by somebody else.']) {
      const last = refs().find((ref) => remote.git('show', `${ref}:operations`).includes('"One."'));
      const [header, ...lines] = remote.git('show', `${last}:operations`).split('\n').filter(Boolean);
      const section = said.length.toString(16).padStart(16, '0');
      const other = lines.join('\n').replace('"One."', JSON.stringify(said)).replaceAll(/"section":"[0-9a-f]{16}"/g, `"section":"${section}"`); // prettier-ignore
      const blob = remote.gitWithInput(`${header}\n${other}\n`, 'hash-object', '-w', '--stdin');
      const tree = remote.gitWithInput(`100644 blob ${blob}\toperations\n`, 'mktree');
      remote.git('update-ref', last!, remote.git('commit-tree', tree, '-m', 'x'));
      assert.deepEqual(await ann.share(), sharedByAll);
      assert.ok((await texts()).includes(said));
    }
    assert.deepEqual(await texts(), ['One.', 'Said by somebody else.', 'Said by somebody.']);
    assert.equal(refs().length, 3);
    await move(remote.directory, 'moved');
    assert.deepEqual(await ann.share(), sharedByAll);
  });
});
