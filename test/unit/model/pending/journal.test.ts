/** The mishaps of the journal's files. */
import assert from 'node:assert/strict';
import { execFileSync, fork, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import FakeTimers from '@sinonjs/fake-timers';
import type { ChangeSubject } from '../../../../src/model/pending/kinds/index.ts';
import type { PendingChange } from '../../../../src/model/pending/pendingChange.ts';
import type { LostChange } from '../../../../src/model/pending/heldChanges.ts';
import { PendingChanges, type PendingChangesContext } from '../../../../src/model/pending/pendingChanges.ts';
import { PendingForm } from '../../../../src/model/pending/pendingForm.ts';
import { Journal, journalLimits, type FoundChange } from '../../../../src/model/pending/journal.ts';
import { Model } from '../../../../src/model/model.ts';
import { replaceFile } from '../../../../src/util/atomicFile.ts';
import { mountDisk, unmountDisk } from '../../../support/smallDisk.ts';
import { until } from '../../../support/until.ts';

const patch = { stackUuid: 'stack', changeId: 'change' };
const subject = (code: string): Extract<ChangeSubject, { kind: 'sectionText' }> => ({
  kind: 'sectionText',
  patch,
  code,
});

describe('the journal', () => {
  let directory: string;
  let folder: string;
  const opened: PendingChanges[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-journal-'));
    folder = path.join(directory, 'account', 'pending');
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((pendingChanges) => pendingChanges.close()));
    await rm(directory, { recursive: true, force: true });
  });

  async function open(context: Partial<PendingChangesContext> = {}): Promise<PendingChanges> {
    const ask = async (): Promise<never> => {
      throw new Error('nobody asks the service here');
    };
    const pendingChanges = new PendingChanges({ ask, model: new Model(ask), ...context });
    opened.push(pendingChanges);
    await pendingChanges.activate(folder);
    return pendingChanges;
  }

  const textOf = (pendingChanges: PendingChanges, code: string): string | undefined =>
    pendingChanges.find(subject(code))?.content.text;

  function type(pendingChanges: PendingChanges, code: string, text: string): void {
    pendingChanges.put(subject(code), { base: '', text }, 'A section');
  }

  /** The names of the pending changes' files, without other folders. */
  async function files(): Promise<string[]> {
    return (await readdir(folder)).filter((name) => name !== 'unreadable' && name !== 'windows');
  }

  const fails = (code: string) => async (): Promise<never> => {
    throw Object.assign(new Error(code), { code });
  };

  it('is readable by its owner only', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const pendingChanges = await open();
    type(pendingChanges, 'a', 'secret');
    await pendingChanges.flush();
    const [file] = await files();
    assert.equal((await stat(path.join(folder, file!))).mode & 0o777, 0o600);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  it('has each key on disk within half a second, however long the typing goes on', async () => {
    const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    try {
      const written: { at: number; keys: number }[] = [];
      const pendingChanges = await open({
        replaceFile: async (file, content) => {
          mkdirSync(folder, { recursive: true });
          writeFileSync(file, content);
          const { pending } = JSON.parse(content) as { pending: { content: { text: string } } };
          written.push({ at: clock.now, keys: pending.content.text.length });
        },
      });
      const typed: number[] = [];
      for (let keys = 1; keys <= 60; keys++) {
        typed.push(clock.now);
        type(pendingChanges, 'a', 'x'.repeat(keys));
        await clock.tickAsync(50);
        // The disk is a real one, and takes none of the time that is measured.
        await pendingChanges.reload();
      }
      for (let moment = 0; moment < 10; moment += 1) {
        await clock.tickAsync(50);
        await pendingChanges.reload();
      }
      typed.forEach((at, index) => {
        const kept = written.find(({ keys }) => keys > index);
        assert.ok(kept && kept.at - at <= 200, `key ${index} is kept after ${(kept?.at ?? NaN) - at} ms`);
      });
      // Not with every key: a disk has other things to do.
      assert.ok(written.length < typed.length);
    } finally {
      clock.uninstall();
    }
  });

  it('recovers all others when a file is cut off at any byte', async () => {
    const pendingChanges = await open();
    type(pendingChanges, 'a', 'whole ä 日本');
    type(pendingChanges, 'b', 'cut ö 🎉');
    await pendingChanges.close();
    const names = await files();
    const contents = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
    const cut = contents.findIndex((content) => content.includes('cut'));
    const file = path.join(folder, names[cut]!);
    for (let length = 0; length <= contents[cut]!.length; length++) {
      await writeFile(file, contents[cut]!.subarray(0, length));
      const journal = new Journal(folder);
      const { found, setAside } = await journal.read();
      journal.close();
      const isWhole = length >= contents[cut]!.length - 1;
      assert.equal(found.length, isWhole ? 2 : 1, `cut at ${length}`);
      assert.equal(setAside.length, isWhole ? 0 : 1);
      if (!isWhole) {
        // Set aside, not deleted.
        assert.equal((await readFile(setAside[0]!)).length, length);
      }
      await rm(path.join(folder, 'unreadable'), { recursive: true, force: true });
    }
  });

  it('sets aside what is no pending change, and tells of it', async () => {
    await mkdir(folder, { recursive: true });
    const name = `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.json`;
    for (const content of ['null', '[]', '{"format":1}', '{"format":1,"pending":{"id":3}}', '\u0000\u0000']) {
      await writeFile(path.join(folder, name), content);
      const pendingChanges = await open();
      assert.deepEqual(pendingChanges.list(), []);
      const [file] = pendingChanges.leftovers.setAside;
      assert.equal(await readFile(file!, 'utf8'), content);
      assert.deepEqual(await files(), []);
      await pendingChanges.close();
    }
  });

  it('finds all others when one is a folder, or gives nothing', async () => {
    const first = await open();
    type(first, 'a', 'typed');
    await first.close();
    const asFolder = `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.json`;
    const endless = `${'1'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.json`;
    await mkdir(path.join(folder, asFolder, 'kept'), { recursive: true });
    await mkdir(path.join(folder, `${endless}.unfinished`));
    await symlink(endless, path.join(folder, endless));
    const pendingChanges = await open();
    assert.equal(textOf(pendingChanges, 'a'), 'typed');
    assert.equal(pendingChanges.unreadFolder, undefined);
    const { setAside, unreadable } = pendingChanges.leftovers;
    assert.equal(setAside.length, 2);
    assert.deepEqual(await readdir(setAside.find((moved) => moved.endsWith(asFolder))!), ['kept']);
    assert.deepEqual(unreadable, [path.join(folder, endless)]);
    // What is readable again is found again.
    await rm(path.join(folder, endless));
    await pendingChanges.reload();
    assert.deepEqual(pendingChanges.leftovers.unreadable, []);
  });

  it('says of a folder that it can’t be read, and of nothing that it isn’t saved', async () => {
    await mkdir(path.dirname(folder), { recursive: true });
    await writeFile(folder, 'a file in the place of the folder');
    const pendingChanges = await open();
    assert.deepEqual(pendingChanges.unreadFolder, { path: folder, code: 'ENOTDIR' });
    const problem = (): string | undefined => pendingChanges.problem?.kind;
    assert.equal(problem(), undefined);
    type(pendingChanges, 'a', 'text');
    await pendingChanges.flush();
    assert.equal(problem(), 'unknown');
    assert.equal(textOf(pendingChanges, 'a'), 'text');
    await rm(folder);
    await pendingChanges.reload();
    assert.equal(pendingChanges.unreadFolder, undefined);
    await pendingChanges.flush();
    assert.equal(problem(), undefined);
  });

  it('leaves alone what a newer version of the extension wrote', async () => {
    const pendingChanges = await open();
    type(pendingChanges, 'a', 'text');
    await pendingChanges.close();
    const [name] = await files();
    const file = path.join(folder, name!);
    const newer = (await readFile(file, 'utf8')).replace('"format": 1', '"format": 2');
    await writeFile(file, newer);
    const older = await open();
    assert.deepEqual(older.list(), []);
    assert.deepEqual(older.leftovers, { setAside: [], unreadable: [], newer: [file] });
    type(older, 'a', 'another');
    await older.flush();
    assert.equal(await readFile(file, 'utf8'), newer);
  });

  it('finishes or drops what a killed window was writing', async () => {
    const pendingChanges = await open();
    type(pendingChanges, 'a', 'before');
    await pendingChanges.close();
    const [name] = await files();
    const before = await readFile(path.join(folder, name!), 'utf8');
    const after = before.replace('before', 'after');
    await writeFile(path.join(folder, `${name}.unfinished`), after.slice(0, 40));
    assert.equal(textOf(await open(), 'a'), 'before');
    assert.deepEqual(await files(), [name]);
    await writeFile(path.join(folder, `${name}.unfinished`), after);
    assert.equal(textOf(await open(), 'a'), 'after');
    assert.deepEqual(await files(), [name]);
  });

  it('says that something is on disk when it is, and not before', async () => {
    const gate = Promise.withResolvers<null>();
    const pendingChanges = await open({
      replaceFile: async (...args) => {
        await gate.promise;
        return replaceFile(...args);
      },
    });
    const told: string[] = [];
    type(pendingChanges, 'slow', 'first');
    const first = pendingChanges.written().then(() => told.push('first'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    type(pendingChanges, 'slow', 'second');
    const second = pendingChanges.written().then(() => told.push('second'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(told, []);
    gate.resolve(null);
    await first;
    await second;
    assert.deepEqual(told, ['first', 'second']);
    const [onDisk] = (await open()).list();
    assert.equal(onDisk && 'text' in onDisk.content && onDisk.content.text, 'second');
    // Nothing is to be written: nobody waits.
    await pendingChanges.written();
  });

  it('remembers on which page something was typed, and how far that was', async () => {
    const pendingChanges = await open();
    const typedOn = { page: 'a page', edition: 7 };
    pendingChanges.put(subject('here'), { base: '', text: 'typed' }, 'A section', typedOn);
    await pendingChanges.close();
    const next = await open();
    assert.deepEqual(next.find(subject('here'))?.typedOn, typedOn);
    type(next, 'here', 'by nobody knows whom');
    assert.equal(next.find(subject('here'))?.typedOn, undefined);
  });

  it('goes by the name of its account', async () => {
    const pendingChanges = await open();
    assert.equal(pendingChanges.account, 'account');
    await pendingChanges.activate(undefined);
    assert.equal(pendingChanges.account, undefined);
  });

  it('goes on in memory while the disk takes nothing, says why, and catches up', async () => {
    for (const [code, kind] of [
      ['ENOSPC', 'diskFull'],
      ['EROFS', 'readOnly'],
      ['EACCES', 'readOnly'],
      ['EIO', 'unknown'],
    ] as const) {
      let disk: typeof replaceFile = fails(code);
      const pendingChanges = await open({ replaceFile: (...args) => disk(...args), retryDelayMs: 1 });
      type(pendingChanges, code, 'first');
      await pendingChanges.flush();
      assert.deepEqual(pendingChanges.problem, { kind, code });
      type(pendingChanges, code, 'second');
      await pendingChanges.flush();
      assert.equal(textOf(pendingChanges, code), 'second');
      disk = replaceFile;
      const isWritten = new Promise<void>((resolve) =>
        pendingChanges.onDidChange(() => pendingChanges.problem === undefined && resolve()),
      );
      await isWritten;
      await pendingChanges.close();
      assert.equal(textOf(await open(), code), 'second');
    }
  });

  it('keeps the file from before when the disk is full, and is told so', async function () {
    const disk = path.join(directory, 'disk');
    if (!(await mountDisk(disk, 'size=64k'))) {
      this.skip();
    }
    try {
      const file = path.join(disk, 'file.json');
      await replaceFile(file, 'before', `${file}.unfinished`);
      await assert.rejects(replaceFile(file, 'x'.repeat(100_000), `${file}.unfinished`), { code: 'ENOSPC' });
      const text = await readFile(file, 'utf8');
      assert.ok(text === 'before', `the file from before has become ${text.slice(0, 20)}…`);
      assert.deepEqual(await readdir(disk), ['file.json']);
    } finally {
      unmountDisk(disk);
    }
  });

  it('says that a folder can only be read', async function () {
    const disk = path.join(directory, 'disk');
    if (!(await mountDisk(disk, 'size=64k'))) {
      this.skip();
    }
    folder = path.join(disk, 'pending');
    await mkdir(folder);
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    try {
      const pendingChanges = await open();
      type(pendingChanges, 'a', 'text');
      await pendingChanges.flush();
      assert.deepEqual(pendingChanges.problem, { kind: 'readOnly', code: 'EROFS' });
      assert.equal(textOf(pendingChanges, 'a'), 'text');
      await Promise.all(opened.splice(0).map((each) => each.close()));
    } finally {
      unmountDisk(disk);
    }
  });

  it('refuses more than it is made for, plainly, and forgets nothing', async () => {
    const { pendingChanges: most } = journalLimits;
    journalLimits.pendingChanges = 3;
    try {
      const pendingChanges = await open();
      for (const code of ['a', 'b', 'c', 'd']) {
        type(pendingChanges, code, code);
      }
      await pendingChanges.flush();
      assert.equal(pendingChanges.problem?.kind, 'full');
      assert.equal((await files()).length, 3);
      assert.equal(pendingChanges.list().length, 4);
      await pendingChanges.discard(pendingChanges.find(subject('a'))!.id);
      await pendingChanges.flush();
      assert.equal(pendingChanges.problem, undefined);
      assert.equal((await files()).length, 3);
    } finally {
      journalLimits.pendingChanges = most;
    }
  });

  it('does not mind a clock that goes backwards', async () => {
    let now = new Date('2030-01-01T00:00:00Z');
    const pendingChanges = await open({ now: () => now });
    type(pendingChanges, 'a', 'first');
    now = new Date('2020-01-01T00:00:00Z');
    type(pendingChanges, 'a', 'second');
    await pendingChanges.close();
    for (const name of await files()) {
      await utimes(path.join(folder, name), now, new Date('2040-01-01T00:00:00Z'));
    }
    const next = await open({ now: () => now });
    type(next, 'a', 'third');
    await next.close();
    assert.equal(textOf(await open(), 'a'), 'third');
    assert.equal((await files()).length, 1);
  });

  it('keeps the texts of two windows that edit one section', async () => {
    const [one, other] = [await open(), await open()];
    type(one, 'a', 'of one');
    type(other, 'a', 'of the other');
    await Promise.all([one.flush(), other.flush()]);
    assert.equal(textOf(one, 'a'), 'of one');
    assert.equal(textOf(other, 'a'), 'of the other');
    await one.reload();
    assert.deepEqual(
      one
        .list()
        .map(({ heldBy, content }) => [heldBy, (content as { text: string }).text])
        .sort(),
      [
        ['elsewhere', 'of the other'],
        ['here', 'of one'],
      ],
    );
    await Promise.all([one.close(), other.close()]);
    const texts = (await open()).list().map(({ content }) => (content as { text: string }).text);
    assert.deepEqual(texts.sort(), ['of one', 'of the other']);
  });

  it('gives what was left behind to one window only', async () => {
    const gone = await open();
    type(gone, 'a', 'left');
    await gone.close();
    const [one, other] = [await open(), await open()];
    assert.equal(textOf(one, 'a'), 'left');
    assert.equal(textOf(other, 'a'), 'left');
    type(one, 'a', 'left, then one');
    type(other, 'a', 'left, then the other');
    await Promise.all([one.close(), other.close()]);
    const texts = (await open()).list().map(({ content }) => (content as { text: string }).text);
    assert.deepEqual(texts.sort(), ['left, then one', 'left, then the other']);
  });

  it('takes over nothing that was changed since it was read', async () => {
    const gone = await open();
    type(gone, 'a', 'left');
    await gone.close();
    const journal = new Journal(folder);
    const [found] = (await journal.read()).found;
    const other = await open();
    type(other, 'a', 'left, then the other');
    await other.close();
    assert.equal(journal.claim(found!), false);
    journal.close();
    const next = await open();
    assert.equal(textOf(next, 'a'), 'left, then the other');
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes('unreadable')),
      [],
    );
  });

  describe('gives back what it fails to take, so that any window can have it', () => {
    /** Has a journal find what was left behind, and something happen to it before it is taken. */
    async function findThen(happens: (file: string) => Promise<void>): Promise<[Journal, FoundChange]> {
      const gone = await open();
      type(gone, 'a', 'left');
      await gone.close();
      const journal = new Journal(folder);
      const [found] = (await journal.read()).found;
      await happens(path.join(folder, found!.fileName));
      return [journal, found!];
    }
    const rewrite = async (file: string): Promise<void> =>
      writeFile(file, (await readFile(file, 'utf8')).replace('left', 'left, then another'));
    const spoil = (file: string): Promise<void> => writeFile(file, 'nothing that can be read');
    const replaceByFolder = async (file: string): Promise<void> => {
      await rm(file);
      await mkdir(file);
    };
    const ways: [
      string,
      (file: string) => Promise<void>,
      (journal: Journal, found: FoundChange) => unknown,
    ][] = [
      ['written to meanwhile', rewrite, (journal, found) => journal.claim(found)],
      ['spoilt meanwhile', spoil, (journal, found) => journal.claim(found)],
      ['a folder meanwhile', replaceByFolder, (journal, found) => journal.claim(found)],
      ['spoilt meanwhile, and taken over', spoil, (journal, found) => journal.takeOver(found)],
      ['a folder meanwhile, and taken over', replaceByFolder, (journal, found) => journal.takeOver(found)],
    ];
    for (const [what, happens, take] of ways) {
      it(what, async () => {
        const [journal, found] = await findThen(happens);
        try {
          assert.ok(!take(journal, found));
          assert.deepEqual(await files(), [`${found.pending.id}.json`]);
          // It neither counts as this window's, nor is it written again from here.
          assert.deepEqual(journal.missing([found.pending.id]), []);
          await journal.write({ ...found.pending, id: randomUUID() });
          if (happens === rewrite) {
            assert.equal(textOf(await open(), 'a'), 'left, then another');
          }
        } finally {
          journal.close();
        }
      });
    }
  });

  it('writes nothing again that another window has taken over and sent', async () => {
    for (const moment of ['before', 'before, and the disk is full', 'while the disk takes it'] as const) {
      let disturb = (): Promise<void> => Promise.resolve();
      const one = new Journal(folder, {
        replaceFile: async (...args) => {
          await disturb();
          await replaceFile(...args);
        },
      });
      const other = new Journal(folder);
      const pending: PendingChange = {
        id: randomUUID(),
        subject: subject('a'),
        content: { base: '', text: 'typed' },
        title: 'A section',
        state: 'editing',
        startedAt: '2026-01-01T00:00:00Z',
        changedAt: '2026-01-01T00:00:00Z',
      };
      await one.write(pending);
      const send = async (): Promise<void> => {
        const [found] = (await other.read()).found;
        assert.ok(other.takeOver(found!));
        await other.remove(pending.id);
      };
      if (moment === 'while the disk takes it') {
        disturb = send;
      } else {
        await send();
        disturb = moment === 'before' ? disturb : fails('ENOSPC');
      }
      await assert.rejects(one.write({ ...pending, title: 'Another title' }), {
        name: 'TakenOverError',
        hasAll: false,
      });
      assert.deepEqual(await files(), [], moment);
      one.close();
      other.close();
    }
  });

  it('hears of the pending changes of other windows', async () => {
    const [one, other] = [await open(), await open()];
    const heard = new Promise<void>((resolve) => one.onDidChange(() => one.list().length > 0 && resolve()));
    type(other, 'a', 'text');
    await heard;
    assert.equal(one.list()[0]?.heldBy, 'elsewhere');
  });

  it('hears of all of them, however fast they come', async () => {
    const [one, other] = [await open(), await open()];
    const count = 40;
    const heard = new Promise<void>((resolve) =>
      one.onDidChange(() => one.list().length === count && resolve()),
    );
    for (let number = 1; number <= count; number += 1) {
      type(other, `section ${number}`, 'text');
      await other.flush();
    }
    await heard;
  });

  /** Leaves a pending change behind that a window of this process number had. */
  async function leave(
    holder: string,
    text: string,
    heartbeat: { computer: string } | undefined,
  ): Promise<void> {
    const pendingChanges = await open();
    type(pendingChanges, 'a', text);
    await pendingChanges.close();
    const [name = ''] = await files();
    if (heartbeat) {
      await mkdir(path.join(folder, 'windows'), { recursive: true });
      await writeFile(path.join(folder, 'windows', holder), heartbeat.computer);
    }
    await rename(path.join(folder, name), path.join(folder, name.replace('.json', `.${holder}.json`)));
  }

  /** Resolves when the pending changes are such; they say so themselves. */
  function becomes(pendingChanges: PendingChanges, isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const subscription = pendingChanges.onDidChange(() => look());
      const look = (): void => {
        if (isSo()) {
          subscription.dispose();
          resolve();
        }
      };
      look();
    });
  }

  const holders = (pendingChanges: PendingChanges): string[] =>
    pendingChanges.list().map(({ heldBy }) => heldBy);

  it('takes a pending change of a process that is gone at once', async () => {
    const { pid: gone } = spawnSync(process.execPath, ['-e', '']);
    await leave(`${gone}-abc123`, 'left', { computer: hostname() });
    const window = await open();
    assert.deepEqual(holders(window), ['nobody']);
    type(window, 'a', 'left, and more');
    await window.flush();
    assert.equal((await files()).length, 1);
    // The other files of the window are swept up.
    await until(async () => (await readdir(path.join(folder, 'windows'))).length === 1);
  });

  it('takes a pending change whose window shows nothing, whoever has been given the number of its process', async () => {
    await leave(`${process.ppid}-abc123`, 'left', undefined);
    assert.deepEqual(holders(await open()), ['nobody']);
  });

  it('takes a pending change of a window that no longer beats, whoever has been given the number of its process', async () => {
    for (const computer of [hostname(), 'another computer with this disk']) {
      await leave(`${process.ppid}-abc123`, 'left', { computer });
      const window = await open({ lookIntervalMs: 10 });
      assert.deepEqual(holders(window), ['elsewhere']);
      await becomes(window, () => holders(window)[0] === 'nobody');
      type(window, 'a', 'left, and more');
      await window.flush();
      assert.equal((await files()).length, 1);
      await window.discard(window.list()[0]!.id);
    }
  });

  it('lets go of what a window has in front of which there is nobody any more', async () => {
    let isAttended = true;
    const answer = (): Promise<void> => (isAttended ? Promise.resolve() : new Promise(() => undefined));
    const forgotten = await open({ lookIntervalMs: 10, isAttended: answer });
    type(forgotten, 'a', 'typed in a tab that is closed now');
    await forgotten.flush();
    const window = await open({ lookIntervalMs: 10 });
    assert.deepEqual(holders(window), ['elsewhere']);
    isAttended = false;
    await becomes(window, () => holders(window)[0] === 'nobody');
  });

  describe('of a process that is killed or stopped', () => {
    const children: ChildProcess[] = [];

    afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

    /** A process that has typed something, and goes on when it is told to. */
    async function holdingProcess(text: string): Promise<ChildProcess> {
      const script = path.resolve(import.meta.dirname, '../../../support/holdingProcess.ts');
      const child = fork(script, [folder], { execArgv: ['--no-warnings'] });
      children.push(child);
      child.send({ type: text });
      await once(child, 'message');
      return child;
    }

    it('is known to be nobody’s to the windows that are open, by themselves', async function () {
      this.timeout(60_000);
      const child = await holdingProcess('of the process');
      const window = await open({ lookIntervalMs: 50 });
      assert.deepEqual(holders(window), ['elsewhere']);
      child.kill('SIGKILL');
      await becomes(window, () => holders(window)[0] === 'nobody');
      assert.equal(textOf(window, 'a'), 'of the process');
    });

    it('is taken over from one that was stopped, which writes a pending change of its own when it goes on', async function () {
      this.timeout(60_000);
      if (process.platform === 'win32') {
        this.skip();
      }
      const child = await holdingProcess('of the process');
      const window = await open({ lookIntervalMs: 50 });
      child.kill('SIGSTOP');
      await becomes(window, () => holders(window)[0] === 'nobody');
      type(window, 'a', 'of the process, then of the window');
      await window.flush();
      child.send({ type: 'of the process, which knows nothing' });
      child.kill('SIGCONT');
      const [told] = (await once(child, 'message')) as [string[]];
      assert.deepEqual(told.sort(), [
        'of the process, then of the window elsewhere',
        'of the process, which knows nothing here',
      ]);
      assert.equal(textOf(window, 'a'), 'of the process, then of the window');
      assert.equal((await files()).length, 2);
    });
  });

  it('is taken over from a window that is open, which learns it', async () => {
    const [one, other] = [await open(), await open()];
    type(one, 'a', 'of one');
    await one.flush();
    await other.reload();
    const lost = new Promise<LostChange>((resolve) => one.onDidLose(resolve));
    const { id } = other.list()[0]!;
    assert.equal(await other.takeOver(id), true);
    assert.equal(textOf(other, 'a'), 'of one');
    const { pending, wentOn } = await lost;
    assert.deepEqual([pending.id, wentOn], [id, false]);
    await becomes(one, () => holders(one)[0] === 'elsewhere');
    // Neither of the two acts upon it behind the other's back.
    assert.equal((await one.send(id)).kind, 'failed');
    await one.discard(id);
    await other.reload();
    assert.equal(textOf(other, 'a'), 'of one');
    // It can be had back.
    assert.equal(await one.takeOver(id), true);
    await becomes(other, () => holders(other)[0] === 'elsewhere');
    assert.deepEqual(holders(one), ['here']);
    assert.equal((await files()).length, 1);
  });

  it('sends nothing of what was taken over since', async () => {
    const [one, other] = [await open(), await open()];
    type(one, 'a', 'of one');
    await one.flush();
    await other.reload();
    const { id } = other.list()[0]!;
    const taking = other.takeOver(id);
    const outcome = await one.send(id);
    await taking;
    assert.deepEqual(outcome.kind === 'failed' && outcome.failure.kind, 'elsewhere');
  });

  it('keeps what was typed since as a pending change of its own, whenever it is taken over', async () => {
    for (const moment of ['before', 'after', 'long before'] as const) {
      let disturb = async (): Promise<void> => undefined;
      const one = await open({
        replaceFile: async (...args) => {
          if (moment === 'before') {
            await disturb();
          }
          await replaceFile(...args);
          if (moment === 'after') {
            await disturb();
          }
        },
      });
      const other = await open();
      type(one, 'a', 'of one');
      await one.flush();
      await other.reload();
      const { id } = other.list()[0]!;
      disturb = async () => {
        disturb = async () => undefined;
        assert.equal(await other.takeOver(id), true);
      };
      const lost = new Promise<LostChange>((resolve) => one.onDidLose(resolve));
      if (moment === 'long before') {
        await disturb();
        await lost;
      }
      type(one, 'a', 'of one, and more');
      await one.flush();
      assert.equal((await lost).wentOn, moment === 'before', moment);
      await one.flush();
      const expected = moment === 'after' ? ['of one, and more'] : ['of one', 'of one, and more'];
      await Promise.all([one.close(), other.close()]);
      const next = await open();
      const texts = next.list().map(({ content }) => (content as { text: string }).text);
      assert.deepEqual(texts.sort(), expected, moment);
      for (const pending of next.list()) {
        await next.discard(pending.id);
      }
      await next.close();
    }
  });

  it('says of what was being sent that it was interrupted', async () => {
    const pendingChanges = await open();
    type(pendingChanges, 'a', 'text');
    await pendingChanges.close();
    const [name = ''] = await files();
    const file = path.join(folder, name);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"editing"', '"sending"'));
    const [pending] = (await open()).list();
    assert.equal(pending?.state, 'failed');
    assert.deepEqual(pending.failure, { kind: 'interrupted' });
  });

  it('forgets what changes nothing, and brings back what was discarded', async () => {
    const pendingChanges = await open();
    pendingChanges.put(subject('a'), { base: 'one', text: 'two' }, 'A section');
    pendingChanges.put(subject('a'), { base: 'ignored', text: 'one' }, 'A section');
    await pendingChanges.flush();
    assert.deepEqual(await files(), []);
    type(pendingChanges, 'b', 'text');
    const { id } = pendingChanges.find(subject('b')) as PendingChange;
    const bringBack = await pendingChanges.discard(id);
    assert.deepEqual(await files(), []);
    await bringBack();
    assert.equal(textOf(pendingChanges, 'b'), 'text');
    assert.equal((await files()).length, 1);
  });

  it('keeps what stands in a form, until nothing does', async () => {
    const form = (pendingChanges: PendingChanges, about?: string): PendingForm =>
      new PendingForm(pendingChanges, 'editProject', 'Edit Project', about);
    const pendingChanges = await open();
    assert.deepEqual(form(pendingChanges).read(), {});
    form(pendingChanges, '1').write({ name: 'One' });
    form(pendingChanges, '2').write({ name: 'Two', shared: true });
    await pendingChanges.close();
    const next = await open();
    assert.deepEqual(form(next).read(), {});
    assert.deepEqual(form(next, '2').read(), { name: 'Two', shared: true });
    form(next, '2').write({});
    form(next, '1').write({});
    await next.flush();
    assert.deepEqual(await files(), []);
    assert.deepEqual(next.list(), []);
  });

  it('tells a form that its pending change was discarded or brought back elsewhere, and of nothing that it did itself', async () => {
    const left = await open();
    new PendingForm(left, 'feedback', 'Send Feedback').write({ message: 'Left behind' });
    await left.close();
    const [here, elsewhere] = [await open(), await open()];
    const form = new PendingForm(here, 'feedback', 'Send Feedback');
    assert.deepEqual(form.read(), { message: 'Left behind' });
    const told: unknown[] = [];
    const following = form.follow(() => told.push(form.read()));
    const bringBack = await elsewhere.discard(elsewhere.list()[0]!.id);
    await here.reload();
    assert.deepEqual(told, [{}]);
    await bringBack();
    await elsewhere.discard(elsewhere.list()[0]!.id);
    await here.reload();
    // The other window has it: it is typed there.
    assert.deepEqual(told, [{}]);
    form.write({ message: 'Typed here' });
    assert.deepEqual(told, [{}]);
    const undo = await here.discard(here.list()[0]!.id);
    await undo();
    assert.deepEqual(told, [{}, {}, { message: 'Typed here' }]);
    await form.discard();
    assert.equal(told.length, 3);
    following.dispose();
  });

  it('notes whose data was deleted, for pages that may have some of it', async () => {
    const pendingChanges = await open();
    assert.deepEqual(await pendingChanges.forgotten(), []);
    await pendingChanges.forget(folder);
    const [first, ...others] = await pendingChanges.forgotten();
    assert.deepEqual([first?.account, others], ['account', []]);
    await pendingChanges.forget(path.join(directory, 'another', 'pending'));
    await pendingChanges.forget(folder);
    const accounts = await pendingChanges.forgotten();
    assert.deepEqual(accounts.map(({ account }) => account).sort(), ['account', 'another']);
    assert.ok(accounts.every(({ id }) => id !== first?.id));
  });

  it('forgets the pending changes of an account that is signed out for good', async () => {
    const pendingChanges = await open();
    type(pendingChanges, 'a', 'text');
    await pendingChanges.forget(folder);
    await rm(path.dirname(folder), { recursive: true, force: true });
    await pendingChanges.flush();
    assert.deepEqual(pendingChanges.list(), []);
    await assert.rejects(stat(folder), { code: 'ENOENT' });
  });
});
