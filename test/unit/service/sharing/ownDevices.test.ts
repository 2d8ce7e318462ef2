import assert from 'node:assert/strict';
import { personOf } from '../../../../src/service/sharing/operations.ts';
import { OwnDevices } from '../../../../src/service/sharing/ownDevices.ts';
import { SharingStore } from '../../../../src/service/sharing/store.ts';
import { Database } from '../../../../src/service/storage/database.ts';

const [ada, bob] = ['ada', 'bob'].map((name) => personOf(`${name}@example.com`)) as [string, string];
const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(16)) as [string, string, string];

describe('the devices of a person', () => {
  let database: Database;
  let store: SharingStore;

  beforeEach(() => {
    database = new Database(':memory:');
    store = new SharingStore(database, 'test');
  });

  afterEach(() => database.close());

  const note = (person: string, device: string): void =>
    store.write({ seq: 1, clock: [1, 0] }, 'log', `${person}/${device}`);

  it('are those that they have said to be theirs, and nobody else is a stranger', () => {
    const devices = new OwnDevices(store, ada);
    assert.deepEqual(
      [ada, bob].map((person) => devices.isStranger({ person, device: a })),
      [true, false],
    );
    devices.add(a);
    assert.equal(devices.isStranger({ person: ada, device: a }), false);
    assert.equal(devices.isStranger({ person: ada, device: b }), true);
    // So it is after another start, too.
    assert.deepEqual(new OwnDevices(store, ada).all, [a]);
  });

  it('are at first those that were taken in before anybody was asked, and no later ones', () => {
    note(ada, a);
    note(bob, b);
    const devices = new OwnDevices(store, ada);
    assert.deepEqual(devices.all, [a]);
    note(ada, c);
    assert.equal(new OwnDevices(store, ada).isStranger({ person: ada, device: c }), true);
  });
});
