import assert from 'node:assert/strict';
import path from 'node:path';
import { filesInTree, readObject, writeObject } from '../../../src/git/looseObjects.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('objects in files of their own', () => {
  for (const [format, idLength] of Object.entries({ sha1: 40, sha256: 64 })) {
    describe(`with ids of ${format}`, () => {
      let repository: GitRepository;
      let folder: string;

      before(() => {
        repository = GitRepository.create('example', 'main', format);
        repository.write('a.txt', 'one\n');
        repository.write('b.bin', 'two\0');
        repository.commit('Begin');
        folder = path.join(repository.directory, '.git/objects');
      });

      after(() => repository.remove());

      const idOf = (revision: string): string => repository.git('rev-parse', revision);

      it('are read as git has written them, if they are there', () => {
        assert.equal(readObject(folder, idOf('HEAD:b.bin'))?.toString('latin1'), 'two\0');
        assert.equal(readObject(folder, 'f'.repeat(idLength)), undefined);
        assert.throws(() => readObject(folder, '..'), { code: 'EISDIR' });
      });

      it('are read by git as they were written', () => {
        const files = [idOf('HEAD:b.bin'), idOf('HEAD:a.txt')].flatMap((id, index) => [
          `100644 ${index}\0`,
          Buffer.from(id, 'hex'),
        ]);
        const tree = writeObject(folder, 'tree', files, idLength);
        const text = `tree ${tree}\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\ngrüße\n`;
        const commit = writeObject(folder, 'commit', [text], idLength);
        assert.equal(repository.git('show', `${commit}:1`), 'one');
        repository.git('fsck', '--strict', commit);
        // Once more is no other one.
        assert.equal(writeObject(folder, 'tree', files, idLength), tree);
      });

      it('tell the files of a tree that has no folders', () => {
        const filesOf = (revision: string): ReadonlyMap<string, string> | undefined => {
          const tree = idOf(revision);
          return filesInTree(readObject(folder, tree) ?? assert.fail(), tree.length / 2);
        };
        const files = new Map(['a.txt', 'b.bin'].map((name) => [name, idOf(`HEAD:${name}`)]));
        assert.deepEqual(filesOf('HEAD^{tree}'), files);
        repository.write('c/d.txt', 'three\n');
        repository.commit('Go on');
        assert.equal(filesOf('HEAD^{tree}'), undefined);
        assert.deepEqual(filesOf('HEAD:c'), new Map([['d.txt', idOf('HEAD:c/d.txt')]]));
        assert.deepEqual(filesInTree(Buffer.alloc(0), 20), new Map());
      });
    });
  }
});
