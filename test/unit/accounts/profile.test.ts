import assert from 'node:assert/strict';
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
