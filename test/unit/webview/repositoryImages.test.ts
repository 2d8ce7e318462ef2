import assert from 'node:assert/strict';
import type { ProseImage } from '../../../src/util/proseImage.ts';
import { RepositoryImages } from '../../../src/webview/patchDocument/reading/repositoryImages.ts';

describe('images of the repository that a page asks for', () => {
  let asked: { paths: readonly string[]; answer: PromiseWithResolvers<Record<string, ProseImage>> }[];
  let images: RepositoryImages;
  let told: number;

  beforeEach(() => {
    asked = [];
    told = 0;
    const request = (_method: string, { paths }: { paths: readonly string[] }): Promise<unknown> => {
      const answer = Promise.withResolvers<Record<string, ProseImage>>();
      asked.push({ paths, answer });
      return answer.promise;
    };
    images = new RepositoryImages({ request: request as never });
    images.onDidChange(() => (told += 1));
  });

  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  const image = (path: string): ProseImage => ({ address: `data:${path}` });
  const answer = async (index: number): Promise<void> => {
    const { paths, answer } = asked[index] ?? assert.fail(`request ${index} was not made`);
    answer.resolve(Object.fromEntries(paths.map((path) => [path, image(path)])));
    await pause();
  };

  it('come once each, all that are wanted at a time together', async () => {
    ['a.svg', 'b.svg', 'a.svg'].forEach((path) => images.want(path));
    await pause();
    images.want('b.svg');
    await pause();
    assert.deepEqual(
      asked.map(({ paths }) => paths),
      [['a.svg', 'b.svg']],
    );
    await answer(0);
    images.want('a.svg');
    await pause();
    assert.deepEqual([[...images.known.keys()], asked.length, told], [['a.svg', 'b.svg'], 1, 1]);
  });

  it('come also when others are asked for before they are there, in whichever order', async () => {
    for (const path of ['o', 'ot', 'other.svg']) {
      images.want(path);
      await pause();
    }
    await answer(1);
    await answer(2);
    await answer(0);
    assert.deepEqual([...images.known.keys()].sort(), ['o', 'ot', 'other.svg']);
    assert.equal(told, 3);
  });

  it('are asked for again when nobody has answered, as soon as they are drawn again', async () => {
    images.want('a.svg');
    await pause();
    asked[0]?.answer.reject(new Error('Nobody answers.'));
    await pause();
    assert.equal(told, 0);
    images.want('a.svg');
    await pause();
    await answer(1);
    assert.deepEqual([...images.known.keys()], ['a.svg']);
  });

  it('of the version before are none of those of the next', async () => {
    images.want('a.svg');
    await pause();
    images.want('b.svg');
    images.clear();
    await pause();
    await answer(0);
    assert.deepEqual([[...images.known.keys()], told], [[], 0]);
    images.want('a.svg');
    await pause();
    await answer(asked.length - 1);
    assert.deepEqual([...images.known.keys()], ['a.svg']);
  });

  it('are asked for forty at a time', async () => {
    Array.from({ length: 41 }, (_, index) => images.want(`${index}.svg`));
    await pause();
    await answer(0);
    await answer(1);
    assert.deepEqual([asked.map(({ paths }) => paths.length), images.known.size], [[40, 1], 41]);
  });
});
