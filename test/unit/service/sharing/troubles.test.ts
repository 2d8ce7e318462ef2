import assert from 'node:assert/strict';
import { troubleOf } from '../../../../src/service/sharing/troubles.ts';

describe('what git says of a remote', () => {
  const access =
    'fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.';
  for (const [said, trouble] of [
    [`git@example.com: Permission denied (publickey).\n${access}`, 'noRight'],
    ['remote: Permission to team/work.git denied to ada.\nfatal: unable to access', 'noRight'],
    ["fatal: unable to access 'https://x/': The requested URL returned error: 403", 'noRight'],
    ["fatal: could not read Username for 'https://x': terminal prompts disabled", 'noRight'],
    ["fatal: repository 'https://x/y.git/' not found", 'noRight'],
    [`Host key verification failed.\n${access}`, 'noRight'],
    ['[remote rejected] (unpacker error): error: insufficient permission for adding an object', 'noRight'],
    ['[remote rejected] (pre-receive hook declined): Permission denied on Fridays', 'hook'],
    ['[remote rejected] (deny updating a hidden ref)', 'noSuchRefs'],
    ['[remote rejected] (funny refname)', 'noSuchRefs'],
    ['[remote rejected] (prohibited by Gerrit: not permitted: create)', 'noSuchRefs'],
    [`ssh: connect to host x port 22: Connection refused\n${access}`, 'offline'],
    ["fatal: unable to access 'https://x/': Could not resolve host: x", 'offline'],
    [`fatal: '/x' does not appear to be a git repository\n${access}`, 'offline'],
  ] as const) {
    it(`is sorted: ${said.split('\n', 1)[0] ?? ''}`, () => assert.equal(troubleOf(said, 'offline'), trouble));
  }

  it('stays what it was where nothing is known', () =>
    assert.equal(troubleOf('[remote rejected] (because)', 'refused'), 'refused'));
});
