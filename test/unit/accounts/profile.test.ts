import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProfileDraft } from '../../../src/accounts/profile/profileDraft.ts';
import {
  changesOf,
  fieldsOf,
  readFields,
  refusedFields,
} from '../../../src/accounts/profile/profileFields.ts';
import { loginProblem, typedLogin } from '../../../src/accounts/users/login.ts';
import { InvalidError, ServerError } from '../../../src/api/errors.ts';

const user = { id: '1', name: 'Ada', givenName: 'Ada', locale: 'en', organizations: [] };
const context = { operation: 'users.updateMe', method: 'PUT', pathTemplate: '/user', requestNumber: 1 };

describe('the profile', () => {
  it('has an empty field for what the service does not know', () => {
    assert.deepEqual(fieldsOf(user), { name: 'Ada', givenName: 'Ada', familyName: '', locale: 'en' });
  });

  it('is sent with what differs, and with nothing else', () => {
    assert.deepEqual(changesOf(user, { name: 'Ada', givenName: '', familyName: 'Löwe', locale: 'en' }), {
      givenName: '',
      familyName: 'Löwe',
    });
    assert.deepEqual(changesOf(user, { ...fieldsOf(user) }), {});
  });

  it('takes from a page only texts for its fields', () => {
    const strange: unknown = JSON.parse(
      '{"name": "A", "locale": 7, "role": "admin", "__proto__": {"familyName": "x"}}',
    );
    assert.deepEqual(readFields(strange), { name: 'A' });
    assert.deepEqual(readFields(null), {});
    assert.deepEqual(readFields('name'), {});
  });

  it('tells each field what the service said to it', () => {
    const error = new InvalidError('refused', context, {
      status: 422,
      fields: [
        { field: 'given_name', message: 'is too long' },
        { field: 'given_name', message: 'is a number' },
        { field: 'avatar', message: 'must be a picture' },
        { field: 'constructor', message: 'is no field' },
      ],
    });
    assert.deepEqual(refusedFields(error), { givenName: 'is too long', avatar: 'must be a picture' });
    assert.deepEqual(refusedFields(new InvalidError('refused', context)), {});
    assert.equal(refusedFields(new ServerError('fault', context, { status: 500 })), undefined);
    assert.equal(refusedFields(new Error('no')), undefined);
  });
});

describe('the draft of the profile', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-draft-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('outlives who wrote it, in a folder that need not be there', async () => {
    const below = path.join(folder, 'accounts/1');
    assert.deepEqual(await new ProfileDraft(below).read(), {});
    await new ProfileDraft(below).write({ name: 'Ada' });
    assert.deepEqual(await new ProfileDraft(below).read(), { name: 'Ada' });
  });

  it('is what was written last, and leaves nothing else behind', async () => {
    const draft = new ProfileDraft(folder);
    await Promise.all(['A', 'Ad', 'Ada'].map((name) => draft.write({ name })));
    assert.deepEqual(await draft.read(), { name: 'Ada' });
    assert.equal((await readdir(folder)).length, 1);
    await draft.write({});
    assert.deepEqual(await draft.read(), {});
    assert.deepEqual(await readdir(folder), []);
  });

  it('is none when it cannot be read', async () => {
    const draft = new ProfileDraft(folder);
    await draft.write({ name: 'Ada' });
    const [file = ''] = await readdir(folder);
    await writeFile(path.join(folder, file), '{"name": "A');
    assert.deepEqual(await draft.read(), {});
  });

  it('that could not be written is told, and does not keep the next one from being written', async () => {
    const blocked = path.join(folder, 'file');
    await writeFile(blocked, '');
    const draft = new ProfileDraft(path.join(blocked, 'below'));
    await assert.rejects(draft.write({ name: 'A' }));
    await rm(blocked);
    await draft.write({ name: 'Ada' });
    assert.deepEqual(await draft.read(), { name: 'Ada' });
  });
});

describe('a login', () => {
  it('is what was typed without @ and blanks around it', () => {
    assert.equal(typedLogin(' @ada '), 'ada');
    assert.equal(typedLogin('ada'), 'ada');
  });

  it('is one word', () => {
    for (const login of ['ada', 'ada.löwe', '日本', 'a@b.example', 'a-b_c']) {
      assert.equal(loginProblem(login), undefined, login);
    }
    for (const login of ['', '  ', '@']) {
      assert.equal(loginProblem(login), 'empty', login);
    }
    for (const login of ['a b', 'a/b', '..', '.', 'a?b', 'a\u0007b', 'a\\b']) {
      assert.equal(loginProblem(login), 'notALogin', login);
    }
  });
});
