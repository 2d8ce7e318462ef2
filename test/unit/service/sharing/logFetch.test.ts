import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/service/errors.ts';
import { LogFetch } from '../../../../src/service/sharing/logFetch.ts';

/** A remote with logs, of which git takes only the good ones, and all or nothing with each run. */
class Remote {
  readonly logs = new Map<string, { tip: string; isGood: boolean }>();
  readonly seen = new Map<string, string>();
  isReached = true;
  /** The runs of git since the last time that somebody looked. */
  #runs: string[] = [];

  add(log: string, { isGood = true, tip = 'a' } = {}): void {
    this.logs.set(`refs/there/${log}`, { tip: tip.repeat(40), isGood });
  }

  get runs(): string[] {
    return this.#runs.splice(0);
  }

  readonly git = async (args: readonly string[], input = ''): Promise<string> => {
    const [command = ''] = args;
    this.#runs.push(command);
    if (command === 'for-each-ref') {
      return [...this.seen].map((line) => `${line.join(' ')}\n`).join('');
    }
    if (command === 'update-ref') {
      input.match(/(?<=delete )\S+/g)?.forEach((name) => this.seen.delete(name));
      return '';
    }
    if (!this.isReached) {
      throw new ServiceError('git_failed', 'gone');
    }
    if (command === 'ls-remote') {
      return [...this.logs].map(([name, { tip }]) => `${tip}\t${name}\n`).join('');
    }
    const isAll = !args.includes('--stdin');
    const names = isAll ? [...this.logs.keys()] : (input.match(/(?<=\+)[^:]+/g) ?? []);
    if (names.some((name) => !this.logs.get(name)?.isGood)) {
      throw new ServiceError('git_failed', 'bad');
    }
    for (const name of names) {
      this.seen.set(name.replace('there', 'here'), this.logs.get(name)?.tip ?? '');
    }
    return '';
  };
}

describe('fetching the logs', () => {
  let remote: Remote;
  let fetch: LogFetch;
  const unlock = async (): Promise<void> => undefined;
  const round = async (): Promise<string[]> => {
    await fetch.run('address', remote.git, unlock);
    return remote.runs;
  };
  const aside = (): string[] => fetch.setAside.map(({ log }) => log).sort();
  const seen = (): string[] => [...remote.seen.keys()].map((name) => name.split('/').at(-1) ?? '').sort();

  beforeEach(() => {
    remote = new Remote();
    fetch = new LogFetch([{ there: 'refs/there/', here: 'refs/here/' }]);
  });

  it('takes one run where nothing is wrong with any', async () => {
    remote.add('one');
    remote.add('two');
    assert.deepEqual(await round(), ['fetch']);
    assert.deepEqual(seen(), ['one', 'two']);
  });

  it('has a bounded number of runs in a round, in which the good ones come at last', async () => {
    for (let index = 0; index < 200; index++) {
      remote.add(`${index}`, { isGood: index % 10 !== 3 });
    }
    for (let rounds = 0; aside().length < 20; rounds++) {
      assert.ok(rounds < 10);
      // Each run that fails for a log of its own is followed by a look at the remote.
      assert.ok((await round()).length <= 1 + 2 + 2 * 50);
    }
    assert.deepEqual(seen().length, 180);
    assert.ok(aside().every((log) => log.endsWith('3')));
  });

  it('tries one again that was set aside, each time after twice as many rounds, and keeps no other one waiting', async () => {
    remote.add('bad', { isGood: false });
    const tries: number[] = [];
    for (let index = 0; index < 20; index++) {
      remote.add('good', { tip: index % 2 === 0 ? 'b' : 'c' });
      const runs = (await round()).filter((command) => command === 'fetch');
      assert.equal(remote.seen.get('refs/here/good'), remote.logs.get('refs/there/good')?.tip);
      assert.deepEqual(aside(), ['bad']);
      if (index > 0 && runs.length > 1) {
        tries.push(index);
      }
    }
    assert.deepEqual(tries, [2, 5, 10, 19]);
    remote.add('bad', { isGood: true });
    for (let index = 0; aside().length > 0; index++) {
      assert.ok(index <= 17);
      await round();
    }
    assert.deepEqual(await round(), ['fetch']);
  });

  it('tries one at once that has another end by then', async () => {
    remote.add('bad', { isGood: false });
    await round();
    remote.add('bad', { tip: 'b' });
    await round();
    assert.deepEqual([aside(), seen()], [[], ['bad']]);
  });

  it('sets nothing aside where the remote is not reached, nor keeps aside what is gone there', async () => {
    remote.add('good');
    remote.isReached = false;
    await assert.rejects(round(), /gone/);
    assert.deepEqual(aside(), []);
    remote.isReached = true;
    remote.add('bad', { isGood: false });
    await round();
    assert.deepEqual([aside(), seen()], [['bad'], ['good']]);
    remote.logs.clear();
    await round();
    assert.deepEqual([aside(), seen()], [[], []]);
  });

  it('sets nothing aside where the remote is lost while its logs are tried one by one', async () => {
    remote.add('bad', { isGood: false });
    const { git } = remote;
    await assert.rejects(
      fetch.run(
        'address',
        async (args, input) => {
          remote.isReached = !args.includes('--stdin') && remote.isReached;
          return git(args, input);
        },
        unlock,
      ),
      /gone/,
    );
    assert.deepEqual(aside(), []);
  });
});
