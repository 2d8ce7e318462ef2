/** A sign-in that someone else puts where the extension looks for one: it is deleted, and no one is signed in with it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOnce, SignInFileError } from '../../src/accounts/signInFile.ts';
import { readLink } from '../../src/ui/links.ts';
import { Trial, type Attack } from './attack.ts';

const text = JSON.stringify({ url: 'https://evil.example/api', token: 'planted' });
const limit = 500;

const planted: Attack = {
  name: 'sign-in: files that somebody else has put there',
  async run() {
    const trial = new Trial();
    if (process.platform === 'win32') {return trial;}
    const directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-planted-'));
    const file = path.join(directory, 'sign-in.json');
    const isRefused = (what: string, plant: () => void): Promise<void> =>
      trial.try(what, async () => {
        plant();
        const before = process.cpuUsage();
        await assert.rejects(readOnce(file), (error) => error instanceof SignInFileError);
        const { user, system } = process.cpuUsage(before);
        trial.took(what, (user + system) / 1000, limit);
        assert.equal(statSync(file, { throwIfNoEntry: false }), undefined, 'it is still there');
      });
    for (let others = 1; others <= 0o77; others++) {
      await isRefused(`the mode ${(0o600 | others).toString(8)}`, () => {
        writeFileSync(file, text);
        chmodSync(file, 0o600 | others);
      });
    }
    await isRefused('a link', () => {
      writeFileSync(`${file}.target`, text, { mode: 0o600 });
      symlinkSync(`${file}.target`, file);
    });
    await isRefused('a link to nowhere', () => symlinkSync(`${file}.nowhere`, file));
    await isRefused('a link to itself', () => symlinkSync(file, file));
    await isRefused('a pipe', () => void execFileSync('mkfifo', ['-m', '600', file]));
    for (const content of ['', '{', 'null', '[]', '"x"', '{}', '{"url":"x"}', '{"url":"","token":""}', 'x'.repeat(10_000_000)]) {
      await isRefused(`it holds ${content.slice(0, 20)}`, () => writeFileSync(file, content, { mode: 0o600 }));
    }
    if (process.getuid?.() === 0) {
      await isRefused('another user’s file', () => {
        writeFileSync(file, text, { mode: 0o600 });
        chownSync(file, 65534, 65534);
      });
    }
    await trial.try('a folder', async () => {
      mkdirSync(file);
      await assert.rejects(readOnce(file));
    });
    rmSync(directory, { recursive: true, force: true });
    return trial;
  },
}; // prettier-ignore

/** Queries of links, of which none leads anywhere. */
const queries = [
  'server=javascript:alert(1)&stack=1',
  'server=https://a.example@evil.example&stack=1',
  'server=file:///etc&stack=1',
  'server=https://a.example&server=https://evil.example&stack=1',
  'server=https://a.example&stack=1&stack=2',
  'server=https://a.example&stack=a\nb',
  'server=https://a.example\u0000.evil.example&stack=1',
  `server=https://a.example&stack=${'x'.repeat(100_000)}`,
  'server=https://a.example',
  'stack=1',
  '',
];

const links: Attack = {
  name: 'sign-in: links that are none',
  async run() {
    const trial = new Trial();
    for (const query of queries) {
      await trial.try(JSON.stringify(query).slice(0, 60), () => {
        assert.ok('kind' in readLink({ path: '/open', query }), 'it is followed');
      });
    }
    for (const route of ['/', '', '/open/', '/signIn', '/switch', '/../open']) {
      await trial.try(`the path ${route}`, () => {
        assert.ok('kind' in readLink({ path: route, query: 'server=https://a.example&stack=1' }));
      });
    }
    return trial;
  },
};

export const attacks: readonly Attack[] = [planted, links];
