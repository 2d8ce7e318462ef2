import assert from 'node:assert/strict';
import { askOracle, type Verdict } from '../oracle/oracle.ts';
import { generateRepository } from '../support/generatedRepository.ts';
import { GitRepository } from '../support/gitRepository.ts';
import { Random } from '../support/random.ts';
import { RunningService } from '../support/runningService.ts';

describe('what the local service says of a repository is what git says', () => {
  afterEach(() => RunningService.stopAll());

  async function compare(repository: GitRepository): Promise<Verdict> {
    const { service } = await RunningService.start({ repository: repository.directory });
    assert.ok(service.imported);
    const { url, token, imported } = service;
    return askOracle(repository.directory, { url, token, imported });
  }

  for (const seed of [1, 2]) {
    it(`where files of all kinds are added, changed, renamed, merged, and deleted (${seed})`, async () => {
      const repository = generateRepository(new Random(seed), { branches: 3, commits: 6 });
      try {
        const { mismatches, patches, sections, applied } = await compare(repository);
        assert.deepEqual(mismatches, []);
        assert.ok(patches >= 12 && sections >= 30 && applied >= 12, `${patches}, ${sections}, ${applied}`);
      } finally {
        repository.remove();
      }
    }).timeout(60_000);
  }

  it('but for what is planted', async () => {
    const repository = GitRepository.withMain();
    try {
      repository.branch('topic');
      repository.commitFile('a.txt', 'one\ntwo\n', 'Add a\n\nBecause.');
      const running = await RunningService.start({ repository: repository.directory });
      const { url, token, imported } = running.service;
      assert.ok(imported);
      const ask = async () => (await askOracle(repository.directory, { url, token, imported })).mismatches;
      assert.deepEqual(await ask(), []);
      const stack = (await running.call('GET', `/patch_stack/${imported.projectId}`)).list[0]!;
      const patch = `/patch_stack/${stack.uuid}/patch/${stack.patches[0]!.change_id}`;
      const json = { type: 'text', text: 'Planted', position: 0 };
      await running.call('POST', `${patch}/section`, { json });
      assert.match((await ask()).join(), /the text: served \["Planted"/);
      repository.commitFile('b.txt', 'b\n', 'Not imported');
      assert.match((await ask()).join(), /the commits: served/);
    } finally {
      repository.remove();
    }
  });
});
