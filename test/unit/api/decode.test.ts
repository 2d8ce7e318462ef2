import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { jsonText, parseJson, parseJsonExactly } from '../../../src/api/decode/json.ts';
import { loginToken } from '../../../src/api/decode/login.ts';
import { patch, section } from '../../../src/api/decode/patches.ts';
import { project, repositoryId } from '../../../src/api/decode/projects.ts';
import { release } from '../../../src/api/decode/releases.ts';
import { stack } from '../../../src/api/decode/stacks.ts';
import { ownUser, sshKey, sshKeys, user } from '../../../src/api/decode/users.ts';
import { list, newReport, one, type Reader } from '../../../src/api/decode/values.ts';
import type { DiffSection, TextSection } from '../../../src/api/types/patches.ts';

const read = <T>(reader: Reader<T>, value: unknown) => reader(value, newReport());

describe('jsonText', () => {
  const text = '{"name":"Åsa 世界 🙂"}';
  const utf16be = (value: string) => Buffer.from(value, 'utf16le').swap16();
  const utf32 = (value: string, littleEndian: boolean) =>
    Buffer.concat(
      Array.from(value).map((character) => {
        const bytes = Buffer.alloc(4);
        if (littleEndian) {
          bytes.writeUInt32LE(character.codePointAt(0) ?? 0);
        } else {
          bytes.writeUInt32BE(character.codePointAt(0) ?? 0);
        }
        return bytes;
      }),
    );
  for (const mark of ['', '\ufeff']) {
    const marked = mark + text;
    const encodings: Record<string, Buffer> = {
      'UTF-8': Buffer.from(marked),
      'UTF-16LE': Buffer.from(marked, 'utf16le'),
      'UTF-16BE': utf16be(marked),
      'UTF-32LE': utf32(marked, true),
      'UTF-32BE': utf32(marked, false),
    };
    for (const [name, bytes] of Object.entries(encodings)) {
      it(`reads ${name} ${mark ? 'with' : 'without'} a byte order mark`, () =>
        assert.equal(jsonText(bytes), text));
    }
  }

  it('reads short documents', () => {
    assert.equal(jsonText(Buffer.from('')), '');
    assert.equal(jsonText(Buffer.from('1')), '1');
    assert.equal(jsonText(Buffer.from('"世"', 'utf16le')), '"世"');
    assert.equal(jsonText(utf16be('"世"')), '"世"');
  });

  it('refuses bytes that are not valid in their encoding', () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0x00, 0x22],
      [0x22, 0, 0, 0xd8, 0x22, 0],
      [0, 0, 0, 0x22, 0, 0x11, 0, 0],
      [0xc3],
    ]) {
      assert.equal(jsonText(Buffer.from(bytes)), undefined, inspect(bytes));
    }
  });

  it('reads back any text in any encoding', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        // Without a mark, an encoding shows only when the document begins with ASCII, as JSON outside strings does.
        assert.equal(jsonText(Buffer.from(`[${json}]`)), `[${json}]`);
        if (!json.isWellFormed()) {
          return;
        }
        assert.equal(jsonText(Buffer.from(`[ ${json}]`, 'utf16le')), `[ ${json}]`);
        assert.equal(jsonText(utf32(`[${json}]`, false)), `[${json}]`);
      }),
    );
  });
});

describe('lists', () => {
  const ids = (value: unknown) => {
    const { items, dropped } = list(value, project, newReport());
    return [items.map((item) => item.repositoryId).join(' '), dropped];
  };
  const a = { repository_id: 'a' };
  const b = { repository_id: 2 };

  it('may be an array, one object, an object around one array, or nothing', () => {
    assert.deepEqual(ids([a, b]), ['a 2', 0]);
    assert.deepEqual(ids(a), ['a', 0]);
    assert.deepEqual(ids({ total: 2, whatever: [a, b] }), ['a 2', 0]);
    assert.deepEqual(ids({ ...a, tags: ['x'] }), ['a', 0]);
    for (const nothing of [null, undefined, '', [], { data: [] }]) {
      assert.deepEqual(ids(nothing), ['', 0]);
    }
  });

  it('leave out and count records without an identifier', () => {
    assert.deepEqual(ids([a, {}, null, 'x', { repository_id: null }, { repository_id: '' }, [a], b]), [
      'a 2',
      6,
    ]);
  });

  it('count what is left out at any depth', () => {
    const report = newReport();
    list(
      [{ uuid: 'u', patches: [{ change_id: 'c', sections: [{}, { code: 's' }] }, {}] }, {}],
      stack,
      report,
    );
    assert.equal(report.dropped, 3);
  });
});

describe('projects', () => {
  it('are read field by field, and unknown fields are left out', () => {
    const wire = {
      repository_id: 17,
      slug: 's',
      owner: 'o',
      name: true,
      description: null,
      code_repository_id: 'c',
      active_reviews_count: '3',
      created_at: 1_700_000_000,
      updated_at: '2026-01-01T00:00:00Z',
      constructor: 'x',
      unknown: {},
    };
    assert.deepEqual(read(project, wire), {
      repositoryId: '17',
      slug: 's',
      owner: 'o',
      name: 'true',
      codeRepositoryId: 'c',
      activeReviewsCount: 3,
      createdAt: '1700000000',
      updatedAt: '2026-01-01T00:00:00Z',
    });
  });

  it('have parents to any depth', () => {
    let wire: object = { repository_id: 'root' };
    for (let depth = 0; depth < 100_000; depth++) {
      wire = { repository_id: depth, parent_project: wire };
    }
    let depth = 0;
    let top = read(project, wire);
    for (; top?.parentProject; depth++) {
      top = top.parentProject;
    }
    assert.equal(depth, 100_000);
    assert.equal(top?.repositoryId, 'root');
  });

  it('take nothing from prototypes', () => {
    assert.equal(read(project, parseJson('{"__proto__":{"repository_id":"x"}}')), undefined);
    assert.equal(({} as Record<string, unknown>)['repository_id'], undefined);
  });

  it('are looked up as a bare id or an object', () => {
    for (const value of ['r', { repository_id: 'r' }, { id: 'r' }, [{ repository_id: 'r' }]]) {
      assert.equal(read(one(repositoryId), value), 'r');
    }
    for (const value of [null, {}, '', true, []]) {
      assert.equal(read(one(repositoryId), value), undefined);
    }
  });
});

describe('users', () => {
  it('are read field by field', () => {
    const wire = {
      id: 1,
      login: 'ada',
      name: 'Ada',
      email: 'a@b',
      avatar_url: 'https://a',
      given_name: 'A',
      family_name: 'L',
      picture: 'p',
      locale: 'en',
      supporter: 'true',
      organizations: { slug: 'acme', name: 'Acme', description: 'd', created_at: 'c' },
      created_at: 'x',
      updated_at: 'y',
      access_token: 'secret',
      role: 'admin',
      projects: [
        { repository_id: 'r', permissions: { can_read: 1, can_write: 'false', share_level: 'public' } },
      ],
    };
    const common = {
      id: '1',
      login: 'ada',
      name: 'Ada',
      email: 'a@b',
      avatarUrl: 'https://a',
      givenName: 'A',
      familyName: 'L',
      picture: 'p',
      locale: 'en',
      supporter: true,
      organizations: [{ slug: 'acme', name: 'Acme', description: 'd', createdAt: 'c' }],
      createdAt: 'x',
      updatedAt: 'y',
    };
    assert.deepEqual(read(user, wire), common);
    const own = read(ownUser, wire);
    assert.deepEqual(own, {
      ...common,
      role: 'admin',
      projects: [
        { repositoryId: 'r', permissions: { canRead: true, canWrite: false, shareLevel: 'public' } },
      ],
    });
    assert.equal(read(ownUser, wire)?.accessToken, 'secret');
  });

  it('keep the access token out of whatever shows or copies them', () => {
    const own = read(ownUser, { id: 1, access_token: 'secret' });
    assert.doesNotMatch(JSON.stringify([own, { ...own }]) + inspect(own), /secret/);
  });

  it('are named by their login when there is no id', () => {
    assert.equal(read(user, { login: 'ada', id: null })?.id, 'ada');
    assert.equal(read(user, { name: 'Ada' }), undefined);
  });
});

describe('SSH keys', () => {
  // GitHub's host key, and the fingerprint that GitHub publishes for it.
  const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
  const fingerprint = 'SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU';

  it('may be records or bare lines', () => {
    const wire = { id: 1, name: 'laptop', fingerprint: 'SHA256:x', created_at: 'c' };
    assert.deepEqual(read(sshKey, wire), {
      id: '1',
      name: 'laptop',
      fingerprint: 'SHA256:x',
      createdAt: 'c',
    });
    assert.deepEqual(read(sshKey, `${line} ada at home\n`), {
      fingerprint,
      publicKey: `${line} ada at home`,
      name: 'ada at home',
    });
    assert.equal(read(sshKey, { id: 1, key: line })?.fingerprint, fingerprint);
    assert.deepEqual(read(sshKeys, `${line}\r\n\n${line} b\n`)?.items.length, 2);
  });

  it('are dropped when they are none', () => {
    for (const value of ['', 'ssh-ed25519', 'ssh-rsa AAAA', `ssh-rsa ${line.split(' ')[1]}`, {}, null, 5]) {
      assert.equal(read(sshKey, value), undefined, inspect(value));
    }
  });
});

describe('stacks and patches', () => {
  const person = { id: 1, login: 'ada', name: 'Ada', email: 'a@b', avatar_url: 'u' };
  const decoded = { id: '1', login: 'ada', name: 'Ada', email: 'a@b', avatarUrl: 'u' };

  it('are read field by field', () => {
    const wire = {
      uuid: 'u',
      branch_id: 'b',
      oplog_sha: 'o',
      title: 't',
      description: 'd',
      status: 'active',
      version: 2,
      created_at: 'c',
      stack_size: '2',
      contributors: [{ email: 'x@y', user: null }],
      patches: [
        { change_id: 'second', position: '1' },
        { change_id: 'first', position: 0 },
      ],
    };
    assert.deepEqual(read(stack, wire), {
      uuid: 'u',
      branchId: 'b',
      oplogSha: 'o',
      title: 't',
      description: 'd',
      status: 'active',
      version: '2',
      createdAt: 'c',
      stackSize: 2,
      contributors: [{ email: 'x@y' }],
      patches: [
        { changeId: 'first', position: 0, contributors: [] },
        { changeId: 'second', position: 1, contributors: [] },
      ],
    });
    assert.deepEqual(read(stack, { uuid: 'u' }), { uuid: 'u', contributors: [] });
  });

  it('take structures as JSON text, too', () => {
    const parts = {
      contributors: [{ email: 'x@y', user: person }, 'Bob'],
      statistics: { file_count: 1, section_count: '2', lines: 3, deletions: 4, files: ['a', 5, 'b'] },
      review: { viewed: [person], signed_off: ['ada', 'a@b'], rejected: null },
      review_all: { viewed: [] },
      sections: [{ section_type: 'text', code: 's' }],
    };
    const asText = Object.fromEntries(
      Object.entries(parts).map(([name, value]) => [name, JSON.stringify(value)]),
    );
    const expected = {
      changeId: 'c',
      commitSha: 'sha',
      patchSha: 'p',
      contributors: [{ email: 'x@y', user: decoded }, { text: 'Bob' }],
      statistics: { fileCount: 1, sectionCount: 2, lines: 3, deletions: 4, files: ['a', 'b'] },
      review: { viewed: [decoded], signedOff: [{ login: 'ada' }, { email: 'a@b' }], rejected: [] },
      reviewAll: { viewed: [], signedOff: [], rejected: [] },
      sections: [{ sectionType: 'text', code: 's', identifier: 's' }],
    };
    const common = { change_id: 'c', commit_sha: 'sha', patch_sha: 'p' };
    assert.deepEqual(read(patch, { ...common, ...parts }), expected);
    assert.deepEqual(read(patch, { ...common, ...asText }), expected);
  });

  it('take contributors as texts or as one text, and leave unreadable parts out', () => {
    assert.deepEqual(read(patch, { change_id: 'c', contributors: 'Ada, b@c , ' })?.contributors, [
      { text: 'Ada' },
      { text: 'b@c' },
    ]);
    assert.deepEqual(
      read(patch, { change_id: 'c', statistics: 'many', review: 7, sections: 'none', contributors: 4 }),
      {
        changeId: 'c',
        contributors: [],
      },
    );
  });
});

describe('contributors', () => {
  const names = (contributors: unknown): unknown =>
    read(patch, { change_id: 'c', contributors })?.contributors.map(
      ({ user, email, text }) => user?.login ?? email ?? text,
    );

  it('are named once each who are author and co-author', () => {
    const bot = { id: '1', login: 'bot', name: 'dependabot[bot]' };
    for (const twice of [
      [
        { email: '49699333+bot@users.example', user: bot },
        { email: 'support@example.org', user: { id: '2', login: 'bot-2', name: 'dependabot[bot]' } },
      ],
      [
        { email: 'a@example.org', user: bot },
        { email: 'b@example.org', user: bot },
      ],
      [
        { email: 'Bot@Example.org', user: null },
        { email: 'bot@example.org', user: bot },
      ],
      [
        { email: 'bot@example.org', user: bot },
        { email: 'bot@example.org', user: null },
      ],
      [{ email: 'a@example.org', user: bot }, 'dependabot[bot]'],
    ]) {
      assert.deepEqual(names(twice), ['bot'], JSON.stringify(twice));
    }
    assert.deepEqual(names('Ada, Bob, Ada'), ['Ada', 'Bob']);
  });

  it('are told from each other by whatever is known of them', () => {
    assert.deepEqual(
      names([
        { email: 'a@example.org', user: { id: '1', login: 'ada', name: 'Ada' } },
        { email: 'b@example.org', user: { id: '2', login: 'bob', name: 'Bob' } },
        { email: 'c@example.org', user: null },
        '1',
      ]),
      ['ada', 'bob', 'c@example.org', '1'],
    );
  });
});

describe('sections', () => {
  it('of text come with their markdown, wherever it stands', () => {
    const text = (wire: object) => (read(section, { code: 's', ...wire }) as TextSection).text;
    assert.equal(text({ section_type: 'text', data: '# Hi' }), '# Hi');
    assert.equal(text({ type: 'text', data: { text: '# Hi' } }), '# Hi');
    assert.equal(text({ section_type: 'text', plain_text: 'Hi' }), 'Hi');
    assert.equal(text({ section_type: 'text', data: '' }), '');
    assert.equal(text({ section_type: 'text' }), undefined);
    assert.equal(read(section, { code: 's', data: 'Hi' })?.sectionType, 'text');
  });

  it('of text come with the versions that conflict, as far as those can be read', () => {
    const versions = (wire: unknown) =>
      (read(section, { code: 's', data: 'Hi', versions: wire }) as TextSection).versions;
    const other = { id: 'one', data: 'Ho', before: '' };
    assert.deepEqual(
      versions({ is_own: true, by: 'Ada', others: [{ ...other, by: 'Grace' }, { id: 'two' }] }),
      {
        isOwn: true,
        by: 'Ada',
        others: [{ id: 'one', text: 'Ho', before: '', by: 'Grace' }],
      },
    );
    assert.equal(versions({ by: 'Ada' }), undefined);
    assert.equal(versions(3), undefined);
    assert.equal(versions({ others: [] }), undefined);
    assert.equal(versions({ others: [{ id: 'two' }] }), undefined);
  });

  it('of diffs come with all their fields', () => {
    const wire = {
      id: 1,
      section_type: 'diff',
      identifier: 'src/a.ts',
      title: 't',
      version: 3,
      position: 4,
      old_path: 'src/a.ts',
      new_path: 'src/b.ts',
      old_size: 10,
      new_size: 20,
      hunks: 1,
      lines: 2,
      deletions: 3,
      diff_sha: 'd',
      base_file_sha: 'b',
      new_file_sha: 'n',
      diff_patch: '--- a',
    };
    assert.deepEqual(read(section, wire), {
      sectionType: 'diff',
      code: 'src/a.ts',
      id: '1',
      identifier: 'src/a.ts',
      title: 't',
      version: '3',
      position: 4,
      oldPath: 'src/a.ts',
      newPath: 'src/b.ts',
      oldSize: 10,
      newSize: 20,
      hunks: 1,
      lines: 2,
      deletions: 3,
      diffSha: 'd',
      baseFileSha: 'b',
      newFileSha: 'n',
      diffPatch: '--- a',
    });
  });

  it('of diffs may hold the diff in other places', () => {
    const diff = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n';
    for (const wire of [
      { data: diff },
      { code: diff },
      { section_type: 'diff', data: diff },
      { section_type: 'diff', code: diff },
    ]) {
      const found = read(section, { new_path: 'x', ...wire }) as DiffSection;
      assert.deepEqual(
        [found.sectionType, found.diffPatch, found.code, found.identifier],
        ['diff', diff, 'x', 'x'],
      );
    }
  });

  it('of other kinds are kept, without a name they are dropped', () => {
    assert.deepEqual(read(section, { section_type: 'poll', code: 'p' }), {
      sectionType: 'unknown',
      code: 'p',
      identifier: 'p',
    });
    assert.equal(read(section, { section_type: 'text', data: 'Hi' }), undefined);
  });
});

describe('releases and login tokens', () => {
  it('are read field by field', () => {
    const build = { os: 'linux', arch: 'x64', url: 'u', file: 'f', platform: 'p' };
    const wire = {
      version: 1.5,
      notes: 'n',
      sha: 's',
      channel: 'nightly',
      build_version: 9,
      released_at: 'r',
      builds: build,
    };
    assert.deepEqual(read(release, wire), {
      version: '1.5',
      notes: 'n',
      sha: 's',
      channel: 'nightly',
      buildVersion: '9',
      releasedAt: 'r',
      builds: [build],
    });
    assert.deepEqual(read(loginToken, { token: 5, url: 'u', expires: 'e', browser_token: 'b', name: 'n' }), {
      token: '5',
      url: 'u',
      expires: 'e',
      browserToken: 'b',
      name: 'n',
    });
    assert.deepEqual(read(loginToken, 12), { token: '12' });
    assert.deepEqual(read(loginToken, ' t '), { token: 't' });
    assert.equal(read(loginToken, {}), undefined);
  });
});

describe('numbers', () => {
  it('keep all their digits when read exactly', () => {
    const text = '{"id":12345678901234567890,"small":7,"broken":1.5}';
    assert.deepEqual(parseJsonExactly(text), { id: '12345678901234567890', small: 7, broken: 1.5 });
    const report = newReport();
    user(parseJson(text), report);
    assert.ok(report.lostDigits);
  });
});

describe('any JSON in any place', () => {
  const readers: Record<string, Reader<unknown>> = {
    user,
    ownUser,
    sshKeys,
    sshKey: one(sshKey),
    project,
    repositoryId,
    stack,
    patch,
    section,
    release,
    loginToken,
    list: (value, report) => list(value, stack, report),
  };
  const names = [
    'id login repository_id parent_project permissions projects organizations slug access_token fingerprint public_key',
    'uuid patches contributors stack_size change_id statistics review review_all sections position section_type code',
    'identifier data diff_patch version builds token viewed signed_off files user email',
  ].flatMap((line) => line.split(' '));
  const anything = fc.oneof(fc.jsonValue(), fc.json(), fc.constant({}));
  const record = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(anything, fc.dictionary(fc.constantFrom(...names), anything)),
  );

  for (const [name, reader] of Object.entries(readers)) {
    it(`never makes the reader of ${name} throw, and gives data that can be shown`, () => {
      fc.assert(
        fc.property(fc.oneof(record, fc.array(record), anything), (value) => {
          JSON.stringify(reader(value, newReport()));
        }),
        { numRuns: 300 },
      );
    });
  }
});
