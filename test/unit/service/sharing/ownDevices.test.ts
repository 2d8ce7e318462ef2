import assert from 'node:assert/strict';
import { personOf } from '../../../../src/service/sharing/operations.ts';
import { OwnDevices } from '../../../../src/service/sharing/ownDevices.ts';
import { SharingStore } from '../../../../src/service/sharing/store.ts';
import { Database } from '../../../../src/service/storage/database.ts';

const [ada, bob] = ['ada', 'bob'].map((name) => personOf(`${name}@example.com`)) as [string, string];
const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(16)) as [string, string, string];

describe('the devices of a person', () => {
  let database: Database;
  let remote: SharingStore;
  let other: SharingStore;

  beforeEach(() => {
    database = new Database(':memory:');
    [remote, other] = ['remote', 'other'].map((space) => new SharingStore(database, space)) as [
      SharingStore,
      SharingStore,
    ];
  });

  afterEach(() => database.close());

  const note = (person: string, device: string): void =>
    remote.write({ seq: 1, clock: [1, 0] }, 'log', `${person}/${device}`);
  /** Those of Ada's, of some in her name, that she is asked about. */
  const strangers = (devices = new OwnDevices(database, ada)): string[] =>
    [a, b, c].filter((device) => devices.isStranger({ person: ada, device }));

  it('are those that they have said to be theirs, and nobody else is a stranger', () => {
    const devices = new OwnDevices(database, ada);
    assert.deepEqual(strangers(devices), [a, b, c]);
    assert.equal(devices.isStranger({ person: bob, device: a }), false);
    devices.add(a);
    assert.deepEqual(strangers(devices), [b, c]);
    // So it is after another start, too, and whatever is begun anew of what is shared.
    remote.clear();
    other.clear();
    assert.deepEqual(strangers(), [b, c]);
  });

  it('are at first those that were taken in before anybody was asked, and no later ones', () => {
    note(ada, a);
    note(bob, b);
    assert.deepEqual(strangers(), [b, c]);
    note(ada, c);
    assert.deepEqual(strangers(), [b, c]);
  });

  it('are at first those that were noted for one address of a remote, and what was this one there', () => {
    remote.write(1, 'own devices');
    remote.write(1, 'own device', a);
    other.write(1, 'own devices');
    other.write(b, 'device');
    // She was asked about that one, and hasn't answered.
    note(ada, c);
    assert.deepEqual(strangers(), [c]);
    remote.write(1, 'own device', c);
    assert.deepEqual(strangers(), [c]);
  });
});
