/** The repository of what is shared is made anew where it is damaged: nothing is lost, of others nor of what isn't pushed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { personOf } from '../../src/service/sharing/operations.ts';
import { messageOf } from '../../src/util/messageOf.ts';
import { ada, grace } from '../support/gitRepository.ts';
import { TeamOfTwo, type Teammate } from '../support/teammate.ts';

/** The repository of somebody's logs. */
class LogsFolder {
  readonly directory: string;

  constructor(data: string) {
    const folder = path.join(data, 'sharing');
    const [name = ''] = readdirSync(folder).filter((one) => !one.endsWith('-branches'));
    this.directory = path.join(folder, name);
  }

  git(...args: string[]): string {
    return execFileSync('git', ['-C', this.directory, ...args], { encoding: 'utf8' }).trim();
  }

  /** The name of the ref here of somebody's log. */
  refOf(email: string, where: 'own' | 'seen'): string {
    const begin = where === 'own' ? 'refs/patch-stacks/v1' : 'refs/seen/refs';
    return this.git('for-each-ref', '--format=%(refname)', `${begin}/${personOf(email)}`);
  }

  /** The file of an object, which is none of its own while it's in a pack. */
  object(name: string): string {
    const folder = this.at('objects', 'pack');
    const packs = readdirSync(folder).filter((file) => file.endsWith('.pack'));
    const contents = packs.map((file) => readFileSync(path.join(folder, file)));
    const sha = this.git('rev-parse', name);
    rmSync(folder, { recursive: true });
    for (const input of contents) {
      execFileSync('git', ['-C', this.directory, 'unpack-objects', '-q'], { input });
    }
    return this.at('objects', sha.slice(0, 2), sha.slice(2));
  }

  at(...parts: string[]): string {
    return path.join(this.directory, ...parts);
  }

  /** All packs, and what is beside them. */
  packs(end: string): string[] {
    this.git('gc', '--quiet');
    return readdirSync(this.at('objects', 'pack'))
      .filter((name) => name.endsWith(end))
      .map((name) => this.at('objects', 'pack', name));
  }
}

/** Cuts a file in its middle, whoever may write to it. */
function cut(file: string): void {
  const bytes = readFileSync(file);
  rmSync(file);
  writeFileSync(file, bytes.subarray(0, bytes.length / 2));
}

/** Has a file be nothing but zeros. */
function zero(file: string): void {
  const { length } = readFileSync(file);
  rmSync(file);
  writeFileSync(file, '');
  truncateSync(file, length);
}

/** What can happen to the repository, whether something is told of it, and whether it happens before a start, too. */
const damages: Record<string, { damage: (logs: LogsFolder) => void; isHealed?: true; isBeforeStart?: true }> =
  {
    'the last commit of its own log is cut off': {
      damage: (logs) => cut(logs.object(logs.refOf(ada.email, 'own'))),
      isBeforeStart: true,
    },
    'the last file of its own log is zeros': {
      damage: (logs) => zero(logs.object(`${logs.refOf(ada.email, 'own')}:operations`)),
    },
    'the last folder of its own log is not there': {
      damage: (logs) => rmSync(logs.object(`${logs.refOf(ada.email, 'own')}^{tree}`)),
    },
    "the last commit of another one's log is zeros": {
      damage: (logs) => zero(logs.object(logs.refOf(grace.email, 'seen'))),
    },
    'all packs are cut off': { damage: (logs) => logs.packs('.pack').forEach(cut), isBeforeStart: true },
    'the indexes of all packs are gone': {
      damage: (logs) => logs.packs('.idx').forEach((file) => rmSync(file)),
    },
    'its own ref is gone': {
      damage: (logs) => void logs.git('update-ref', '-d', logs.refOf(ada.email, 'own')),
    },
    'its own ref says nothing': {
      damage: (logs) => writeFileSync(logs.at(logs.refOf(ada.email, 'own')), 'x'),
    },
    'all refs are zeros': {
      damage: (logs) => {
        logs.git('pack-refs', '--all');
        zero(logs.at('packed-refs'));
      },
      isBeforeStart: true,
    },
    "another one's ref is gone": {
      damage: (logs) => void logs.git('update-ref', '-d', logs.refOf(grace.email, 'seen')),
      isHealed: true,
    },
    'HEAD is gone': { damage: (logs) => rmSync(logs.at('HEAD')) },
    'all objects are gone': {
      damage: (logs) => rmSync(logs.at('objects'), { recursive: true }),
    },
    'it is gone': { damage: (logs) => rmSync(logs.directory, { recursive: true }), isBeforeStart: true },
  };

describe('service: the repository of what is shared', function () {
  // Each step is some runs of git.
  this.timeout(180_000);
  const team = new TeamOfTwo((who) => who.pushFeature(['a.txt', 'a\n', 'First']));
  const { remote, ann, bob } = team;
  let defects: string[];
  const options = { onDefect: (error: unknown): void => void defects.push(messageOf(error)) };

  before(async () => {
    defects = [];
    await team.begin({}, options);
  });

  after(async () => {
    await team.end();
    team.remove();
  });

  const add = async (who: Teammate, text: string): Promise<void> => {
    await who.call('POST', `${(await who.patch()).path}/section`, { type: 'text', text });
  };
  const refs = (): string => remote.git('for-each-ref', 'refs/patch-stacks/v1');

  beforeEach(() => {
    defects = [];
  });

  /** Has the remote not be reached meanwhile. */
  const offline = async (work: () => Promise<void>): Promise<void> => {
    const config = path.join(remote.directory, '.git', 'config');
    const before = readFileSync(config);
    remote.git('config', 'core.repositoryFormatVersion', '99');
    try {
      await work();
    } finally {
      writeFileSync(config, before);
    }
  };

  for (const [name, { damage, isHealed = false, isBeforeStart = false }] of Object.entries(damages)) {
    for (const when of ['while it runs', ...(isBeforeStart ? ['before a start'] : [])]) {
      it(`is made anew where ${name}, ${when}, and nothing is lost`, async () => {
        await add(ann, 'To edit.');
        await add(ann, 'To delete.');
        await add(bob, 'Of Bob.');
        await ann.share(bob, ann);
        await offline(async () => {
          await ann.call('PATCH', await ann.section('To edit.'), { text: 'Edited.' });
          await ann.call('DELETE', await ann.section('To delete.'));
          await add(ann, 'Added.');
          assert.equal((await ann.share()).state, 'offline');
          if (when === 'before a start') {
            await ann.stop();
          }
          damage(new LogsFolder(ann.running.dataDirectory));
          if (when === 'before a start') {
            await ann.start(true, options);
          }
          // Where nothing can be fetched yet, nothing is lost, either.
          assert.equal((await ann.share()).state, 'offline');
        });
        await add(bob, 'Of Bob, meanwhile.');
        await bob.share();
        assert.deepEqual(await ann.share(), { state: 'shared', waiting: 0, problems: [] });
        const before = refs();
        assert.deepEqual(await bob.share(), { state: 'shared', waiting: 0, problems: [] });
        const texts = async (who: Teammate): Promise<string[]> => (await who.page()).slice(1).sort();
        const all = ['Added.', 'Edited.', 'Of Bob, meanwhile.', 'Of Bob.'];
        assert.deepEqual([await texts(ann), await texts(bob)], [all, all]);
        // No further device, nothing twice.
        assert.equal(refs().split('\n').length, 2);
        assert.deepEqual(await ann.share(), { state: 'shared', waiting: 0, problems: [] });
        assert.equal(refs(), before);
        const told = defects.filter((defect) => defect.includes('is damaged'));
        assert.equal(told.length, isHealed ? 0 : 1, defects.join('\n'));
        for (const text of all) {
          await ann.call('DELETE', await ann.section(text));
        }
        await ann.share(bob);
        assert.deepEqual(await texts(bob), []);
      });
    }
  }
});
