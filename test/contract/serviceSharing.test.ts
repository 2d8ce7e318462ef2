import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiClient } from '../../src/api/client.ts';
import type { TextSection } from '../../src/api/types/patches.ts';
import { parseSshPublicKey } from '../../src/service/sshKeys.ts';
import { personOf } from '../../src/service/sharing/operations.ts';
import { Database } from '../../src/service/storage/database.ts';
import { ada, grace } from '../support/gitRepository.ts';
import { sshKeys } from '../support/sshKeys.ts';
import { until } from '../support/until.ts';
import { RunningService } from '../support/runningService.ts';
import { everySeconds, TeamOfTwo, Teammate } from '../support/teammate.ts';

function restoreVariable(name: string, before: string | undefined): void {
  if (before === undefined) {
    Reflect.deleteProperty(process.env, name);
  } else {
    process.env[name] = before;
  }
}

/** Decides, as the extension does, between the versions of the first text of a patch. */
async function decide(who: Teammate, text: string): Promise<void> {
  const { url, token } = who.running.service;
  const client = new ApiClient({ serverUrl: url, getToken: async () => token });
  try {
    const { uuid, patches } = await who.stack();
    const { changeId, sections = [] } = await client.patches.get(uuid, patches[0]!.change_id);
    const section = sections.find((one): one is TextSection => one.sectionType === 'text');
    const resolves = section?.versions?.others.map(({ id }) => id) ?? [];
    assert.notDeepEqual(resolves, []);
    await client.patches.updateSection(uuid, changeId, section?.code ?? '', { text, resolves });
  } finally {
    await client.close();
  }
}

describe('service: sharing through a remote', function () {
  // Each step is some runs of git.
  this.timeout(180_000);
  const team = new TeamOfTwo(
    ({ clone }) => {
      clone.commitFile('README.md', '# Example\n', 'Start');
      clone.branch('feature');
      clone.write('a.txt', 'a\n');
      clone.commitFile('b.txt', 'b\n', 'First\n\nThe message.\n\nIts end.');
      clone.commitFile('c.txt', 'c\n', 'Second');
      clone.git('push', '--quiet', 'origin', 'main', 'feature');
    },
    { haveShared: false },
  );
  const { remote, ann, bob } = team;

  beforeEach(() => team.begin());
  afterEach(() => team.end());
  after(() => team.remove());

  it("shows each other's stack, texts, order, title and sign-off", async () => {
    const { path: patch, sections } = await ann.patch();
    await ann.call('POST', `${patch}/section`, { type: 'text', text: 'Of Ann.', position: 2 });
    await ann.call('PATCH', `${patch}/section/${sections[0]!.code}`, { text: 'The message, edited.' });
    const { uuid } = await ann.stack();
    await ann.call('PATCH', `/patch_stack/${uuid}`, { title: 'A title', description: 'And why.' });
    assert.deepEqual(await ann.share(bob), { state: 'shared', waiting: 0, problems: [] });
    const stack = await bob.stack();
    assert.deepEqual([stack.title, stack.description, stack.base], ['A title', 'And why.', 'origin/main']);
    const page = ['The message, edited.', 'a.txt', 'Of Ann.', 'b.txt'];
    assert.deepEqual(await ann.page(), page);
    assert.deepEqual(await bob.page(), page);

    await bob.call('PATCH', (await bob.patch()).path, { sign_off: true });
    await bob.call('PATCH', await bob.section('Of Ann.'), { text: 'Of Ann and Bob.' });
    const codes = (await bob.patch()).sections.map(({ identifier }) => identifier);
    await bob.call('PATCH', (await bob.patch()).path, { section_order: codes.toReversed() });
    await bob.share(ann);
    assert.deepEqual(await ann.page(), ['b.txt', 'Of Ann and Bob.', 'a.txt', 'The message, edited.']);
    assert.deepEqual(await ann.review(), { signedOff: [grace.email], rejected: [] });

    await bob.call('PATCH', (await bob.patch()).path, { sign_off: false });
    await ann.call('DELETE', await ann.section('Of Ann and Bob.'));
    await bob.share(ann, bob);
    assert.deepEqual(await ann.review(), { signedOff: [], rejected: [grace.email] });
    assert.deepEqual(await bob.page(), ['b.txt', 'a.txt', 'The message, edited.']);
    const { name } = (await ann.call('GET', '/user/grace')).body;
    assert.equal(name, grace.name);
  });

  it('shows sign-offs as verified, not verified, or not matching', async function () {
    const signatures = async (who: Teammate, index = 0): Promise<unknown[]> => {
      const { review_all } = await who.patch(index);
      return review_all.signed_off.map(({ email, signature }) => [email, signature]);
    };
    const folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-key-'));
    const { GIT_CONFIG_GLOBAL: before } = process.env;
    try {
      const key = path.join(folder, 'key');
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
      const settings = path.join(folder, 'config');
      writeFileSync(settings, `[gpg]\n\tformat = ssh\n[user]\n\tsigningKey = ${key}.pub\n`);
      process.env['GIT_CONFIG_GLOBAL'] = settings;
      await bob.call('PATCH', (await bob.share(ann, bob), await bob.patch()).path, { sign_off: true });
      await bob.share(ann);
      assert.deepEqual(await signatures(ann), [[grace.email, 'unverified']]);
      await bob.call('POST', '/user/keys', { name: 'Key', public_key: readFileSync(`${key}.pub`, 'utf8') });
      await bob.share(ann);
      assert.deepEqual(await signatures(ann), [[grace.email, 'verified']]);
      assert.deepEqual(await signatures(bob), [[grace.email, 'verified']]);
      // A key that was taken away vouches for nothing any more.
      const { fingerprint } = parseSshPublicKey(readFileSync(`${key}.pub`, 'utf8'));
      await bob.call('DELETE', `/user/keys?fingerprint=${encodeURIComponent(fingerprint)}`);
      await bob.share(ann);
      assert.deepEqual(await signatures(ann), [[grace.email, 'unverified']]);
    } finally {
      restoreVariable('GIT_CONFIG_GLOBAL', before);
      rmSync(folder, { recursive: true });
    }
    await bob.call('PATCH', (await bob.patch(1)).path, { sign_off: true });
    await bob.share(ann);
    assert.deepEqual(await signatures(ann, 1), [[grace.email, 'unverified']]);
    // A sign-off of this very commit that is about other changes.
    const [ref] = remote.git('for-each-ref', '--format=%(refname)', `refs/patch-stacks/v1/${personOf(grace.email)}`).split('\n'); // prettier-ignore
    const [header, ...lines] = remote.git('show', `${ref}:operations`).split('\n').filter(Boolean);
    const said = JSON.parse(lines.at(-1)!) as { seq: number; clock: [number, number] };
    const forged = { ...said, seq: said.seq + 1, clock: [said.clock[0], said.clock[1] + 1], patch: 'f00' };
    const text = `${header}\n${JSON.stringify(forged)}\n`;
    const blob = remote.gitWithInput(text, 'hash-object', '-w', '--stdin');
    const tree = remote.gitWithInput(`100644 blob ${blob}\toperations\n`, 'mktree');
    remote.git('update-ref', ref!, remote.git('commit-tree', tree, '-p', ref!, '-m', 'x'));
    await ann.share();
    assert.deepEqual(await signatures(ann, 1), [[grace.email, 'mismatch']]);
  });

  it('shows no sign-off of the version before on a patch that was changed since', async () => {
    const signs = async (who: Teammate): Promise<void> => {
      await who.call('PATCH', (await who.patch(1)).path, { sign_off: true });
    };
    const signedOff = async (): Promise<string[][]> =>
      Promise.all([ann, bob].map(async (who) => (await who.review(1)).signedOff));
    const amend = async (text: string): Promise<void> => {
      ann.clone.write('c.txt', text);
      ann.clone.git('commit', '--quiet', '--all', '--amend', '--no-edit');
      ann.clone.git('push', '--quiet', '--force', 'origin', 'feature');
      await ann.running.service.importRepository();
    };
    const pull = async (): Promise<void> => {
      bob.clone.git('fetch', '--quiet');
      await bob.running.service.importRepository();
    };
    await ann.share(bob);
    await signs(bob);
    await bob.share(ann);
    assert.deepEqual(await signedOff(), [[grace.email], [grace.email]]);
    await amend('C\n');
    await ann.share();
    assert.deepEqual(await signedOff(), [[], [grace.email]]);
    await pull();
    await bob.share(ann, bob);
    assert.deepEqual(await signedOff(), [[], []]);
    // One that is said of the version before when there is another already.
    await amend('D\n');
    await signs(bob);
    await bob.share(ann);
    await pull();
    await bob.share(ann);
    assert.deepEqual(await signedOff(), [[], []]);
    await signs(bob);
    await bob.share(ann);
    assert.deepEqual(await signedOff(), [[grace.email], [grace.email]]);
  });

  it('goes among the branches where the host takes nothing else, and stays there', async () => {
    const refs = (): string[] =>
      remote.git('for-each-ref', '--format=%(refname)').split('\n').filter((name) => name.includes('patch-stacks/v1/')); // prettier-ignore
    await team.end();
    await team.begin({ 'receive.hideRefs': 'refs/patch-stacks' });
    assert.deepEqual(await ann.share(bob, ann), { state: 'shared', waiting: 0, problems: [] });
    assert.equal(refs().length, 2);
    assert.ok(
      refs().every((name) => /^refs\/heads\/patch-stacks\/v1\/[0-9a-f]{20}\/[0-9a-f]{16}$/.test(name)),
    );
    remote.git('config', '--unset', 'receive.hideRefs');
    await ann.call('POST', `${(await ann.patch()).path}/section`, { type: 'text', text: 'Of Ann.' });
    assert.deepEqual(await ann.share(bob), { state: 'shared', waiting: 0, problems: [] });
    assert.equal(refs().length, 2);
    assert.ok((await bob.page()).includes('Of Ann.'));
  });

  it("keeps others' stacks after somebody has stopped it", async () => {
    await ann.share(bob);
    await bob.running.service.stopSharing();
    await bob.running.service.importRepository();
    assert.equal((await bob.stack()).status, 'active');
    await bob.stop();
    await bob.start(false);
    assert.equal((await bob.stack()).status, 'active');
  });

  it('begins where git knows an email address later than the service', async () => {
    const carl = new Teammate('carl', remote.directory, { name: 'Carl', email: '' });
    const { GIT_CONFIG_GLOBAL: before } = process.env;
    process.env['GIT_CONFIG_GLOBAL'] = '/dev/null';
    try {
      carl.checkOut('feature');
      await carl.start(false);
      const { service } = carl.running;
      await assert.rejects(
        service.startSharing({ remote: 'origin', everySeconds }),
        /needs an email address/,
      );
      carl.clone.git('config', 'user.email', ada.email);
      await service.startSharing({ remote: 'origin', everySeconds });
      await service.shareNow();
      const { email, name } = (await carl.call('GET', '/user')).body;
      assert.deepEqual([email, name], [ada.email, 'Carl']);
      assert.match(remote.git('for-each-ref', 'refs/patch-stacks/v1'), new RegExp(personOf(ada.email)));
    } finally {
      restoreVariable('GIT_CONFIG_GLOBAL', before);
      await carl.remove();
    }
  });

  it('makes anew what another version has made of all logs', async () => {
    await ann.call('POST', `${(await ann.patch()).path}/section`, { type: 'text', text: 'Of Ann.' });
    await bob.share(ann, bob);
    await bob.call('PATCH', (await bob.patch()).path, { sign_off: true });
    await bob.share(ann);
    const page = await ann.page();
    const tips = remote.git('for-each-ref', 'refs/patch-stacks/v1');
    await ann.stop();
    const database = new Database(path.join(ann.running.dataDirectory, 'patch-stacks.sqlite'));
    database.run(`UPDATE shared SET value = '1' WHERE key = '["fold"]'`);
    database.run(`UPDATE shared SET value = '{}' WHERE key LIKE '["text",%' OR key LIKE '["review",%'`);
    database.close();
    await ann.start();
    assert.deepEqual(await ann.share(bob), { state: 'shared', waiting: 0, problems: [] });
    assert.deepEqual([await ann.page(), await bob.page()], [page, page]);
    assert.deepEqual((await ann.review()).signedOff, [grace.email]);
    assert.equal(remote.git('for-each-ref', 'refs/patch-stacks/v1'), tips);
  });

  it('merges what both wrote meanwhile, and shows a conflict to both', async () => {
    const edit = async (who: Teammate, from: string, to: string): Promise<void> => {
      await who.call('PATCH', await who.section(from), { text: to });
    };
    await ann.share(bob);
    await edit(ann, 'The message.\n\nIts end.', 'THE MESSAGE.\n\nIts end.');
    await edit(bob, 'The message.\n\nIts end.', 'The message.\n\nITS END.');
    await ann.share(bob, ann);
    assert.equal((await ann.page())[0], 'THE MESSAGE.\n\nITS END.');
    assert.equal((await bob.page())[0], 'THE MESSAGE.\n\nITS END.');
    await edit(ann, 'THE MESSAGE.\n\nITS END.', 'THE MESSAGE.\n\nAnn.');
    await edit(bob, 'THE MESSAGE.\n\nITS END.', 'THE MESSAGE.\n\nBob.');
    await ann.share(bob, ann);
    interface Versions {
      is_own: boolean;
      by: string;
      others: { id: string; data: string; before: string; by: string; written_at: string }[];
    }
    const versions = async (who: Teammate): Promise<Versions | undefined> => {
      const { sections } = (await who.patch()) as unknown as { sections: { versions?: Versions }[] };
      return sections[0]?.versions;
    };
    const [annsText, bobsText] = ['THE MESSAGE.\n\nAnn.', 'THE MESSAGE.\n\nBob.'];
    assert.deepEqual([(await ann.page())[0], (await bob.page())[0]], [annsText, bobsText]);
    const before = 'THE MESSAGE.\n\nITS END.';
    const [ofAnn, ofBob] = [await versions(ann), await versions(bob)];
    assert.deepEqual(
      [ofAnn?.is_own, ofAnn?.by, ofBob?.is_own, ofBob?.by],
      [true, ada.name, true, grace.name],
    );
    const [other] = ofAnn?.others ?? [];
    assert.deepEqual([other?.data, other?.before, other?.by], [bobsText, before, grace.name]);
    assert.ok(Math.abs(Date.now() - Date.parse(other?.written_at ?? '')) < 600_000, other?.written_at);
    assert.deepEqual(
      ofBob?.others.map(({ data, by }) => [data, by]),
      [[annsText, ada.name]],
    );
    // Who goes on writing decides nothing, nor does who names versions that there aren't.
    await ann.call('PATCH', await ann.section(annsText), { text: `${annsText}!`, resolves: ['none'] });
    await ann.share(bob, ann);
    assert.deepEqual([(await ann.page())[0], (await bob.page())[0]], [`${annsText}!`, bobsText]);
    await decide(bob, bobsText);
    assert.equal(await versions(bob), undefined, 'it is decided');
    await bob.share(ann);
    assert.deepEqual([(await ann.page())[0], await versions(ann)], [bobsText, undefined]);
  });

  it("keeps what can't be shared, names it, and shares it once it can be", async () => {
    const { path: patch, sections } = await ann.patch();
    const message = `${patch}/section/${sections[0]!.code}`;
    await ann.call('PATCH', message, { text: 'Before.' });
    await ann.share(bob);
    const tooLong = 'x'.repeat(1_000_001);
    const database = new Database(path.join(ann.running.dataDirectory, 'patch-stacks.sqlite'));
    database.run("UPDATE sections SET text = ? WHERE section_type = 'text' AND text = 'Before.'", tooLong);
    database.close();
    for (let time = 0; time < 2; time++) {
      const { state, waiting, withheld } = await ann.share();
      assert.deepEqual(
        [state, waiting, withheld],
        ['shared', 0, [{ what: 'text', of: 'First', why: 'tooLong' }]],
      );
      assert.equal((await ann.page())[0], tooLong);
    }
    await ann.call('PATCH', message, { text: 'After.' });
    assert.deepEqual(await ann.share(bob, ann), { state: 'shared', waiting: 0, problems: [] });
    assert.equal((await bob.page())[0], 'After.');
  });

  it('tells a device whose clock is ahead that nobody takes what it writes, and says so once', async () => {
    await ann.share(bob);
    await bob.call('POST', `${(await bob.patch()).path}/section`, { type: 'text', text: 'Of Bob.' });
    await bob.share();
    const [ref] = remote.git('for-each-ref', '--format=%(refname)', `refs/patch-stacks/v1/${personOf(grace.email)}`).split('\n'); // prettier-ignore
    await bob.stop();
    // As if it had gone on with a clock that is five hours ahead.
    const database = new Database(path.join(bob.running.dataDirectory, 'patch-stacks.sqlite'));
    const dated = Date.now() + 5 * 60 * 60 * 1000;
    database.run(`UPDATE shared SET value = ? WHERE key = '["clock"]'`, JSON.stringify([dated, 0]));
    database.close();
    await bob.start();
    await bob.call('PATCH', await bob.section('Of Bob.'), { text: 'Of Bob, early.' });
    const { state, trouble, takenAt } = await bob.share();
    assert.deepEqual([state, trouble, takenAt], ['ahead', 'clockAhead', dated - 60 * 60 * 1000]);
    const { problems } = await ann.share();
    assert.match(problems.map(({ reason }) => reason).join(), /its clock is far ahead/);
    await ann.share();
    const said = remote.git('log', '--glob=refs/patch-stacks', '--format=%H').trim().split('\n'); // prettier-ignore
    const aheads = said.flatMap(
      (sha) =>
      remote.git('show', `${sha}:operations`).split('\n').filter((line) => line.includes('"type":"ahead"')), // prettier-ignore
    );
    assert.deepEqual(
      aheads.map((line) => (JSON.parse(line) as { log: string }).log),
      [ref!.slice('refs/patch-stacks/v1/'.length)],
    );
    assert.deepEqual(await bob.share().then((status) => status.state), 'ahead');
    assert.ok(!(await ann.page()).includes('Of Bob, early.'));
  });

  it('keeps what was changed while the remote could not be reached, also across a stop', async () => {
    await ann.share(bob);
    const { path: patch } = await ann.patch();
    await ann.call('POST', `${patch}/section`, { type: 'text', text: 'Offline.', position: 0 });
    ann.clone.git('remote', 'set-url', 'origin', remote.directory);
    remote.git('config', 'core.repositoryFormatVersion', '99');
    const status = await ann.share();
    assert.equal(status.state, 'offline');
    assert.equal(status.waiting, 1);
    await ann.stop();
    remote.git(
      'config',
      '--file',
      path.join(remote.directory, '.git', 'config'),
      'core.repositoryFormatVersion',
      '0',
    );
    await ann.start();
    assert.deepEqual(await ann.share(bob), { state: 'shared', waiting: 0, problems: [] });
    assert.deepEqual((await bob.page())[0], 'Offline.');
  });

  it('goes on where its own logs or its database are gone', async () => {
    const add = async (who: Teammate, text: string): Promise<void> => {
      await who.call('POST', `${(await who.patch()).path}/section`, { type: 'text', text });
    };
    await add(ann, 'One.');
    await ann.share(bob);
    await ann.stop();
    rmSync(path.join(ann.running.dataDirectory, 'sharing'), { recursive: true });
    await ann.start();
    await add(ann, 'Two.');
    await add(bob, 'Three.');
    assert.deepEqual(await ann.share(bob, ann), { state: 'shared', waiting: 0, problems: [] });
    const texts = async (who: Teammate): Promise<string[]> => (await who.page()).slice(3).sort();
    assert.deepEqual(await texts(ann), ['One.', 'Three.', 'Two.']);
    assert.deepEqual(await bob.page(), await ann.page());
    await ann.stop();
    rmSync(ann.running.dataDirectory, { recursive: true });
    await ann.start();
    // Nothing says any more that the log at the remote is her own.
    const { strangers = [], ...status } = await ann.share();
    assert.deepEqual([strangers.length, status], [1, sharedByAll]);
    assert.deepEqual(await texts(ann), ['Three.']);
    assert.deepEqual(await ann.running.service.addDevice(strangers[0]!), sharedByAll);
    await bob.share();
    assert.deepEqual(await ann.page(), await bob.page());
    assert.deepEqual(await texts(ann), ['One.', 'Three.', 'Two.']);
  });

  it('takes in nothing that another device says in the name of its person before they say that it is theirs', async () => {
    await ann.share(bob);
    const eve = new Teammate('eve', remote.directory, ada);
    try {
      eve.checkOut('feature');
      eve.clone.git('branch', 'feature');
      await eve.start();
      await eve.call('PATCH', (await eve.patch()).path, { sign_off: true });
      const { line } = sshKeys.ed25519;
      await eve.call('POST', '/user/keys', { name: 'Of Eve', public_key: line });
      await eve.share();
      const keys = async (): Promise<string[]> =>
        (await ann.call('GET', '/user/ada/keys')).list.map(({ name }) => name);
      const { strangers = [] } = await ann.share();
      assert.equal(strangers.length, 1);
      assert.deepEqual([await ann.review(), await keys()], [{ signedOff: [], rejected: [] }, []]);
      // It stays so, also after another start; and she herself goes on.
      await ann.stop();
      await ann.start();
      await add(ann, 'Of Ann.');
      assert.deepEqual((await ann.share()).strangers, strangers);
      assert.deepEqual([await ann.review(), await keys()], [{ signedOff: [], rejected: [] }, []]);
      assert.deepEqual(await ann.running.service.addDevice(strangers[0]!), sharedByAll);
      assert.deepEqual(
        [await ann.review(), await keys()],
        [{ signedOff: [ada.email], rejected: [] }, ['Of Eve']],
      );
      await ann.stop();
      await ann.start();
      assert.deepEqual(await ann.share(), sharedByAll);
    } finally {
      await eve.remove();
    }
  });

  const sharedByAll = { state: 'shared', waiting: 0, problems: [] };
  const add = async (who: Teammate, text: string): Promise<void> => {
    await who.call('POST', `${(await who.patch()).path}/section`, { type: 'text', text });
  };
  const edit = async (who: Teammate, from: string, to: string): Promise<void> => {
    await who.call('PATCH', await who.section(from), { text: to });
  };
  const textsOf = async (who: Teammate): Promise<string[]> => (await who.page()).slice(3).sort();
  const refsOf = (email: string): string[] =>
    remote
      .git('for-each-ref', '--format=%(refname)', `refs/patch-stacks/v1/${personOf(email)}`)
      .split('\n')
      .filter(Boolean);

  for (const [what, part] of [
    ['all data', '.'],
    ['the database', 'patch-stacks.sqlite'],
  ] as const) {
    it(`takes in what the remote has where a backup of ${what} was restored, and goes on`, async () => {
      await add(ann, 'One.');
      await add(ann, 'To delete.');
      await ann.share(bob);
      await ann.stop();
      const data = ann.running.dataDirectory;
      const backup = mkdtempSync(path.join(tmpdir(), 'patch-stacks-backup-'));
      try {
        cpSync(path.join(data, part), path.join(backup, part), { recursive: true });
        await ann.start();
        await edit(ann, 'One.', 'Two.');
        await ann.call('DELETE', await ann.section('To delete.'));
        await add(ann, 'After the backup.');
        await ann.share(bob);
        // What was written while the remote could not be reached is in the log alone.
        const config = path.join(remote.directory, '.git', 'config');
        const before = readFileSync(config);
        remote.git('config', 'core.repositoryFormatVersion', '99');
        await add(ann, 'Only in the log.');
        assert.equal((await ann.share()).state, 'offline');
        writeFileSync(config, before);
        await ann.stop();
        rmSync(path.join(data, part), { recursive: true });
        ['-wal', '-shm'].forEach((end) =>
          rmSync(path.join(data, `patch-stacks.sqlite${end}`), { force: true }),
        );
        cpSync(path.join(backup, part), path.join(data, part), { recursive: true });
      } finally {
        rmSync(backup, { recursive: true });
      }
      await ann.start();
      assert.deepEqual(await textsOf(ann), ['One.', 'To delete.']);
      await add(ann, 'At once.');
      assert.deepEqual(await ann.share(bob), sharedByAll);
      const inLog = part === '.' ? [] : ['Only in the log.'];
      const all = ['After the backup.', 'At once.', ...inLog, 'Two.'];
      assert.deepEqual([await textsOf(ann), await textsOf(bob)], [all, all]);
      assert.equal(refsOf(ada.email).length, 2);
      await edit(bob, 'At once.', 'Later.');
      await edit(ann, 'Two.', 'Three.');
      assert.deepEqual(await ann.share(bob, ann), sharedByAll);
      const later = ['After the backup.', 'Later.', ...inLog, 'Three.'];
      assert.deepEqual([await textsOf(ann), await textsOf(bob)], [later, later]);
      assert.equal(refsOf(ada.email).length, 2);
    });
  }

  it('says again what a log has that was rewritten at the remote, or pushed to, as another device', async () => {
    await add(ann, 'One.');
    await ann.share(bob);
    const [ref] = refsOf(ada.email);
    // As another computer with the same data would have gone on.
    const tip = remote.git('rev-parse', ref!);
    await add(ann, 'Of another computer.');
    await ann.share();
    const ahead = remote.git('rev-parse', ref!);
    const config = path.join(remote.directory, '.git', 'config');
    const before = readFileSync(config);
    await ann.stop();
    remote.git('update-ref', ref!, tip);
    const folders = readdirSync(path.join(ann.running.dataDirectory, 'sharing'));
    for (const folder of folders.filter((name) => !name.endsWith('-branches'))) {
      const logs = path.join(ann.running.dataDirectory, 'sharing', folder);
      const name = ref!.replace('refs/patch-stacks/v1', 'refs/seen/refs');
      execFileSync('git', ['-C', logs, 'update-ref', name, tip]);
    }
    await ann.start();
    remote.git('config', 'core.repositoryFormatVersion', '99');
    await edit(ann, 'Of another computer.', 'Offline.');
    assert.deepEqual((await ann.share()).state, 'offline');
    writeFileSync(config, before);
    // Nobody was told of it, in whatever name.
    await edit(ann, 'Offline.', 'Offline, edited.');
    const [header, ...lines] = remote.git('show', `${ahead}:operations`).split('\n').filter(Boolean);
    const other = lines.join('\n').replaceAll('Of another computer.', 'Of the other one.').replaceAll(/"section":"[0-9a-f]{16}"/g, `"section":"${'e'.repeat(16)}"`); // prettier-ignore
    const blob = remote.gitWithInput(`${header}\n${other}\n`, 'hash-object', '-w', '--stdin');
    const tree = remote.gitWithInput(`100644 blob ${blob}\toperations\n`, 'mktree');
    remote.git('update-ref', ref!, remote.git('commit-tree', tree, '-p', tip, '-m', 'x'));
    assert.deepEqual(await ann.share(bob, ann), sharedByAll);
    const all = ['Of the other one.', 'Offline, edited.', 'One.'];
    assert.deepEqual([await textsOf(ann), await textsOf(bob)], [all, all]);
    // What was said again is gone on from, by its new name.
    await edit(ann, 'Offline, edited.', 'Online.');
    assert.deepEqual(await ann.share(bob), sharedByAll);
    assert.deepEqual(await textsOf(bob), ['Of the other one.', 'One.', 'Online.']);
    const anew = refsOf(ada.email).filter((one) => one !== ref);
    assert.equal(anew.length, 1);
    const said = remote
      .git('rev-list', '--first-parent', anew[0]!)
      .split('\n')
      .filter(Boolean)
      .map((sha) => remote.git('show', `${sha}:operations`))
      .join('\n');
    assert.match(said, /"over":\["/);
    assert.doesNotMatch(said, new RegExp(`"over":\\["${ref!.slice('refs/patch-stacks/v1/'.length)}`));
  });

  it('keeps what the remote has lost, and pushes it again, of others too, once the person says so', async () => {
    const refs = (): string => remote.git('for-each-ref', 'refs/patch-stacks/v1');
    await add(ann, 'Of Ann.');
    await ann.share(bob);
    await bob.call('PATCH', (await bob.patch()).path, { sign_off: true });
    await bob.share(ann);
    const before = refs();
    for (const ref of before.split('\n').filter(Boolean)) {
      remote.git('update-ref', '-d', ref.split('\t')[1] ?? '');
    }
    await ann.share();
    await add(ann, 'Later.');
    const { state, trouble, waiting } = await ann.share();
    assert.deepEqual([state, trouble, waiting, refs()], ['refused', 'vanished', 1, '']);
    // What was made of all logs is made again of those that are kept.
    await ann.stop();
    const database = new Database(path.join(ann.running.dataDirectory, 'patch-stacks.sqlite'));
    database.run(`UPDATE shared SET value = '1' WHERE key = '["fold"]'`);
    database.run(`UPDATE shared SET value = '{}' WHERE key LIKE '["review",%'`);
    database.close();
    await ann.start();
    assert.deepEqual((await ann.share()).trouble, 'vanished');
    assert.deepEqual((await ann.review()).signedOff, [grace.email]);
    assert.deepEqual(await ann.running.service.pushAgain(), sharedByAll);
    const bobs = before.split('\n').find((line) => line.includes(personOf(grace.email)));
    assert.ok(bobs !== undefined && refs().includes(bobs));
    assert.deepEqual(await bob.share(ann), sharedByAll);
    assert.deepEqual([await textsOf(ann), await textsOf(bob)], Array(2).fill(['Later.', 'Of Ann.']));
    await add(bob, 'Of Bob.');
    assert.deepEqual(await bob.share(ann), sharedByAll);
    assert.ok((await ann.page()).includes('Of Bob.'));
  });

  it("names others' logs that the remote has lost, pushes none of them, and the own one only once its person says so", async () => {
    await ann.share(bob);
    await ann.share();
    const [ref = ''] = refsOf(grace.email);
    const tip = remote.git('rev-parse', ref);
    remote.git('update-ref', '-d', ref);
    const { state, problems } = await ann.share();
    assert.deepEqual(
      [state, problems.map(({ who, log }) => [who, `refs/patch-stacks/v1/${log}`])],
      ['shared', [[grace.name, ref]]],
    );
    assert.match(problems[0]?.reason ?? '', /gone from the remote/);
    assert.deepEqual((await bob.share()).trouble, 'vanished');
    assert.deepEqual(refsOf(grace.email), []);
    const { service } = bob.running;
    await service.stopSharing();
    await service.startSharing({ remote: 'origin', everySeconds, again: true });
    assert.deepEqual(await bob.share(), sharedByAll);
    assert.equal(remote.git('rev-parse', ref), tip);
    assert.deepEqual(await ann.share(), sharedByAll);
  });

  it('writes nothing twice after a kill between a commit and the note that it is there', async () => {
    await ann.call('POST', `${(await ann.patch()).path}/section`, { type: 'text', text: 'Once.' });
    await ann.share();
    await ann.stop();
    // Bob's service may push his meanwhile.
    const ours = `refs/patch-stacks/v1/${personOf(ada.email)}`;
    const [ref] = remote.git('for-each-ref', '--format=%(refname)', ours).split('\n');
    const [header, ...lines] = remote.git('show', `${ref}:operations`).split('\n').filter(Boolean);
    const { person, device } = JSON.parse(header!) as { person: string; device: string };
    const database = new Database(path.join(ann.running.dataDirectory, 'patch-stacks.sqlite'));
    for (const line of lines) {
      const { seq, clock, ...content } = JSON.parse(line) as { seq: number; clock: number[] };
      const operation = { id: `${person}/${device}/${seq}`, writer: { person, device }, seq, clock, content };
      database.run(
        'INSERT INTO shared (space, key, value) SELECT DISTINCT space, ?, ? FROM shared',
        JSON.stringify(['outbox', String(seq).padStart(15, '0')]),
        JSON.stringify(operation),
      );
    }
    database.run(`DELETE FROM shared WHERE key = '["written"]'`);
    database.close();
    const tips = remote.git('for-each-ref', ours);
    await ann.start();
    assert.deepEqual(await ann.share(), { state: 'shared', waiting: 0, problems: [] });
    assert.equal(remote.git('for-each-ref', ours), tips);
    assert.deepEqual(await bob.share(), { state: 'shared', waiting: 0, problems: [] });
    assert.equal((await bob.page()).filter((text) => text === 'Once.').length, 1);
  });

  it('tells why the remote takes nothing, and that nothing is lost', async () => {
    await ann.share();
    await ann.call('POST', `${(await ann.patch()).path}/section`, { type: 'text', text: 'Kept.' });
    const refusals = [
      // Neither refs of their own, nor branches.
      [
        [
          ['receive.hideRefs', 'refs/patch-stacks'],
          ['receive.hideRefs', 'refs/heads/patch-stacks'],
        ],
        'noSuchRefs',
      ],
      [[['core.repositoryFormatVersion', '99']], 'offline'],
    ] as const;
    const file = path.join(remote.directory, '.git', 'config');
    const before = readFileSync(file);
    for (const [settings, trouble] of refusals) {
      for (const [key, value] of settings) {
        remote.git('config', '--add', key, value);
      }
      const status = await ann.share();
      writeFileSync(file, before);
      assert.deepEqual([status.trouble, status.waiting > 0], [trouble, true], status.reason);
    }
    const hook = path.join(remote.directory, '.git', 'hooks', 'pre-receive');
    mkdirSync(path.dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const { state, trouble } = await ann.share();
    assert.deepEqual([state, trouble], ['refused', 'hook']);
    rmSync(hook);
    assert.deepEqual(await ann.share(), { state: 'shared', waiting: 0, problems: [] });
  });

  it("shows others' stacks again after a start, and after one without sharing", async () => {
    await ann.share(bob);
    const statuses = async (): Promise<string> => (await bob.stack()).status;
    assert.equal(await statuses(), 'active');
    await bob.stop();
    await bob.start();
    assert.equal(await statuses(), 'active');
    await bob.stop();
    await bob.start(false);
    assert.equal(await statuses(), 'inactive');
    await bob.stop();
    await bob.start();
    await bob.share();
    assert.equal(await statuses(), 'active');
  });

  it('is turned on and off while the service runs, and shares soon after somebody has written', async () => {
    await ann.stop();
    await ann.start(false);
    const add = async (text: string): Promise<void> => {
      await ann.call('POST', `${(await ann.patch()).path}/section`, { type: 'text', text });
    };
    const said = (): string =>
      remote
        .git('log', '--glob=refs/patch-stacks', '--format=%H')
        .split('\n')
        .filter(Boolean)
        .map((sha) => remote.git('show', `${sha}:operations`))
        .join('\n');
    const { service } = ann.running;
    await add('Before.');
    const rounds: unknown[] = [];
    const onRound = ({ state }: { state: string }) => rounds.push(state);
    await service.startSharing({ remote: 'origin', everySeconds, afterWritesMs: 0, onRound });
    let looked = 0;
    // Looking holds up the service, which is in this process: so it is done once for each round.
    const isShared = async (text: string): Promise<boolean> => {
      if (rounds.length === looked) {
        return false;
      }
      looked = rounds.length;
      return said().includes(text);
    };
    await until(() => isShared('Before.'));
    await add('While on.');
    await until(() => isShared('While on.'));
    await service.stopSharing();
    const count = rounds.length;
    await add('While off.');
    await assert.rejects(service.shareNow(), /without a remote/);
    await assert.rejects(service.startSharing({ remote: 'elsewhere' }), /doesn't have a remote elsewhere/);
    assert.equal(rounds.length, count);
    assert.doesNotMatch(said(), /While off/);
    await service.startSharing({ remote: 'origin', everySeconds });
    await service.shareNow();
    assert.match(said(), /While off\./);
  });

  /** Has Bob start without sharing what Ann shares, and notes what is told of each round. */
  async function startUnshared(): Promise<{
    service: typeof bob.running.service;
    news: boolean[];
    onRound: (status: unknown, isNew: boolean) => void;
  }> {
    await ann.share(bob);
    await bob.stop();
    await bob.start(false);
    const news: boolean[] = [];
    return { service: bob.running.service, news, onRound: (_status, isNew) => void news.push(isNew) };
  }

  it('tells with each round whether something of others has come', async () => {
    const { service, news, onRound } = await startUnshared();
    const add = async (who: Teammate): Promise<void> => {
      await who.call('POST', `${(await who.patch()).path}/section`, { type: 'text', text: 'More.' });
    };
    await service.startSharing({ remote: 'origin', everySeconds, onRound });
    await service.shareNow();
    await ann.share();
    await service.shareNow();
    news.length = 0;
    await service.shareNow();
    await add(bob);
    await service.shareNow();
    await add(ann);
    await ann.share();
    await service.shareNow();
    assert.deepEqual(news, [false, false, true]);
  });

  it('tells of what a failed round has brought with the next one', async () => {
    const { service, news, onRound } = await startUnshared();
    await service.startSharing({ remote: 'origin', everySeconds, onRound });
    await service.shareNow();
    await ann.call('POST', `${(await ann.patch()).path}/section`, { type: 'text', text: 'Of Ann.' });
    await ann.share();
    await bob.call('PATCH', (await bob.patch()).path, { sign_off: true });
    news.length = 0;
    // What Bob has said can't be written into his log.
    const [folder = ''] = readdirSync(path.join(bob.running.dataDirectory, 'sharing'));
    const logs = path.join(bob.running.dataDirectory, 'sharing', folder);
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', logs, ...args], { encoding: 'utf8' }).trim();
    const own = git('for-each-ref', '--format=%(refname)', `refs/**/${personOf(grace.email)}/**`).split('\n');
    own.forEach((ref) => mkdirSync(path.join(logs, `${ref}.lock`), { recursive: true }));
    await assert.rejects(service.shareNow());
    assert.deepEqual([news, (await bob.page()).includes('Of Ann.')], [[], true]);
    own.forEach((ref) => rmSync(path.join(logs, `${ref}.lock`), { recursive: true }));
    await service.shareNow();
    await service.shareNow();
    assert.deepEqual(news, [true, false]);
  });

  /** Has Bob's clone count as one that lacks some of its history: its service fetches no versions then. */
  const makeShallow = (): void =>
    writeFileSync(
      path.join(bob.clone.directory, '.git/shallow'),
      `${bob.clone.git('rev-parse', 'origin/main')}\n`,
    );

  it('tells that something has come, too, where it was there before the version or the branch that it is about', async () => {
    makeShallow();
    const { service, news, onRound } = await startUnshared();
    await service.startSharing({ remote: 'origin', everySeconds, onRound });
    ann.clone.commitFile('d.txt', 'd\n', 'Third');
    ann.clone.branch('another');
    ann.clone.git('push', '--quiet', 'origin', 'feature', 'another');
    await ann.running.service.importRepository();
    await ann.call('POST', `${(await ann.patch(2)).path}/section`, { type: 'text', text: 'Of Ann.' });
    await ann.share(bob, bob);
    const project = String(service.imported?.projectId);
    const branches = async (): Promise<string[]> =>
      (await bob.call('GET', `/patch_stack/${project}`)).list.map(({ branch_id }) => branch_id).sort();
    bob.clone.git('fetch', '--quiet', 'origin', 'feature');
    await service.importRepository();
    assert.deepEqual(await bob.page(2), ['d.txt']);
    news.length = 0;
    await bob.share(bob);
    assert.deepEqual(await bob.page(2), ['d.txt', 'Of Ann.']);
    bob.clone.git('fetch', '--quiet', 'origin', 'another');
    await service.importRepository();
    assert.deepEqual(await branches(), ['feature']);
    await bob.share(bob);
    assert.deepEqual(await branches(), ['another', 'feature']);
    assert.deepEqual(news, [true, false, true, false]);
  });

  it('looks at once what others share of a branch that has come, and tells of it', async () => {
    makeShallow();
    ann.clone.branch('another');
    ann.clone.commitFile('d.txt', 'd\n', 'Third');
    ann.clone.git('push', '--quiet', 'origin', 'another');
    await ann.running.service.importRepository();
    await ann.share();
    const news: boolean[] = [];
    const running = await RunningService.start({
      repository: bob.clone.directory,
      onFollowed: () => undefined,
      share: {
        remote: 'origin',
        everySeconds,
        afterWritesMs: 0,
        onRound: (_status, isNew) => news.push(isNew),
      },
    });
    try {
      await running.service.shareNow();
      const project = String(running.service.imported?.projectId);
      const branches = async (): Promise<string[]> =>
        (await running.call('GET', `/patch_stack/${project}`)).list.map(({ branch_id }) => branch_id).sort();
      assert.deepEqual(await branches(), ['feature']);
      await until(async () => news.at(-1) === false);
      news.length = 0;
      bob.clone.git('fetch', '--quiet');
      await until(async () => news.includes(true));
      assert.deepEqual(await branches(), ['another', 'feature']);
    } finally {
      await running.stop();
    }
  });

  it('tells that somebody has rewritten their log, and takes nothing of it', async () => {
    await ann.share(bob);
    const [ref] = remote.git('for-each-ref', '--format=%(refname)', 'refs/patch-stacks/v1').split('\n');
    const own = remote.git('log', '--format=%ae', '-1', ref!) === ada.email ? ann : bob;
    const other = own === ann ? bob : ann;
    const { path: patch } = await own.patch();
    await own.call('POST', `${patch}/section`, { type: 'text', text: 'Before.', position: 0 });
    await own.share(other);
    const commit = remote.git('commit-tree', `${ref}^{tree}`, '-m', 'rewritten');
    remote.git('update-ref', ref!, commit);
    const { problems } = await other.share();
    assert.match(problems.map(({ reason }) => reason).join(), /was rewritten/);
    assert.deepEqual((await other.page())[0], 'Before.');
  });

  it('shares all else where git takes nothing of what somebody has pushed, and names them', async () => {
    await ann.share(bob);
    const [ref] = remote.git('for-each-ref', '--format=%(refname)', `refs/patch-stacks/v1/${personOf(ada.email)}`).split('\n'); // prettier-ignore
    const tip = remote.git('rev-parse', ref!);
    const blob = remote.gitWithInput('', 'hash-object', '-w', '--stdin');
    const inner = remote.gitWithInput('', 'mktree');
    const entries = `040000 tree ${inner}\t.git\n100644 blob ${blob}\toperations\n`;
    const tree = remote.gitWithInput(entries, 'mktree');
    remote.git('update-ref', ref!, remote.git('commit-tree', tree, '-p', tip, '-m', 'x'));
    await bob.call('POST', `${(await bob.patch()).path}/section`, { type: 'text', text: 'Of Bob.' });
    const { state, waiting, problems } = await bob.share();
    assert.deepEqual([state, waiting], ['shared', 0]);
    assert.deepEqual(
      problems.map(({ who, log }) => [who, `refs/patch-stacks/v1/${log}`]),
      [[ada.name, ref]],
    );
    assert.match(problems[0]?.reason ?? '', /can't be fetched: .*hasDotgit/);
    remote.git('update-ref', ref!, tip);
    assert.deepEqual(await ann.share(), { state: 'shared', waiting: 0, problems: [] });
    assert.ok((await ann.page()).includes('Of Bob.'));
  });

  it('tells of the text of a commit message only that somebody has changed or deleted it, also before they shared', async () => {
    const said = (): string =>
      remote
        .git('log', '--glob=refs/patch-stacks', '--format=%H')
        .split('\n')
        .filter(Boolean)
        .map((sha) => remote.git('show', `${sha}:operations`))
        .join('\n');
    // Of a branch that Bob hasn't checked out he knows by what Ann has shared alone.
    await ann.share(bob);
    assert.match(said(), /"type":"version"/);
    assert.doesNotMatch(said(), /"type":"text"/);
    await ann.call('DELETE', await ann.section('The message.\n\nIts end.'));
    await ann.share(bob, ann);
    assert.match(said(), /"section":"message","text":null/);
    assert.deepEqual(await bob.page(), await ann.page());
    assert.doesNotMatch((await bob.page()).join(), /The message/);
  });

  it('tells nothing of a branch that the remote has not', async () => {
    ann.clone.switch('main');
    ann.clone.branch('private');
    ann.clone.commitFile('secret.txt', 'secret\n', 'Secret');
    await ann.running.service.importRepository();
    await ann.share(bob);
    const logs = remote.git('log', '--glob=refs/patch-stacks', '--format=%H').split('\n');
    const said = logs.map((sha) => remote.git('show', `${sha}:operations`)).join('\n');
    assert.match(said, /"feature"/);
    assert.doesNotMatch(said, /private|Secret/);
  });

  it('runs nothing that a folder in the repository has, where that is the remote', async () => {
    const trace = path.join(ann.running.dataDirectory, 'trace');
    const evil = path.join(ann.clone.directory, 'evil.git');
    ann.clone.git('init', '--quiet', '--bare', evil);
    mkdirSync(path.join(evil, 'hooks'), { recursive: true });
    for (const hook of ['pre-receive', 'post-receive']) {
      writeFileSync(path.join(evil, 'hooks', hook), `#!/bin/sh\ntouch "${trace}"\n`, { mode: 0o755 });
    }
    ann.clone.git('remote', 'add', 'evil', './evil.git');
    ann.clone.git('push', '--quiet', '--no-verify', 'origin', 'feature');
    ann.clone.git('update-ref', 'refs/remotes/evil/feature', 'feature');
    const { service } = ann.running;
    await assert.rejects(
      (async () => {
        await service.startSharing({ remote: 'evil', everySeconds });
        await service.shareNow();
      })(),
      /evil\.git is in the repository itself/,
    );
    assert.deepEqual(
      readdirSync(ann.running.dataDirectory).filter((name) => name === 'trace'),
      [],
    );
  });

  it('does nothing at all where nobody has turned it on', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-data-'));
    const running = await RunningService.start({ repository: ann.clone.directory, dataDirectory: folder });
    try {
      assert.deepEqual(
        readdirSync(folder).filter((name) => !/^(lock|token|running\.json|patch-stacks\.sqlite)/.test(name)),
        [],
      );
      await assert.rejects(running.service.shareNow(), /without a remote/);
      const database = new Database(path.join(folder, 'patch-stacks.sqlite'));
      const tables = database.query(`SELECT name FROM sqlite_master WHERE name LIKE 'shar%'`).all();
      database.close();
      assert.deepEqual(tables, []);
    } finally {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
