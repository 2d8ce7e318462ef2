import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { validRange } from 'semver';
import {
  checkAdvisories,
  listedVulnerabilities,
  reportedVulnerabilities,
  type AdvisoryList,
  type LockFile,
} from '../../../tools/advisories.ts';
import { root } from '../../../tools/provision.ts';

const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const stored = read('tools/advisories.json') as AdvisoryList;
const lock = read('package-lock.json') as LockFile;

const list: AdvisoryList = {
  date: '2026-01-01',
  accepted: {},
  advisories: [
    { package: 'washer', id: 'GHSA-1', severity: 'high', range: '<2.0.0 || >=3.0.0 <3.1.3', title: 'Leaks' },
  ],
};
const report = (via: unknown[]): string =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities: { other: { via: ['washer'] }, washer: { via } } });
const reported = {
  name: 'washer',
  url: 'https://github.com/advisories/GHSA-2',
  severity: 'low',
  range: '<9',
  title: 'Drips',
};
/** The answer of a registry that takes no questions. */
const refusal = JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405 });
const soon = Date.parse('2026-01-15');

describe('known vulnerabilities of what is shipped', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-advisories-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  const install = (packages: LockFile['packages']): void =>
    writeFileSync(path.join(directory, 'package-lock.json'), JSON.stringify({ packages }));
  const check = (answer: string, { accepted = {}, now = soon } = {}) =>
    checkAdvisories(directory, { ...list, accepted }, async () => answer, now);

  it('are none today, as far as is known', () => {
    assert.deepEqual(listedVulnerabilities(lock, stored.advisories), []);
  });

  it('are found when one of today’s libraries is an older one', () => {
    const place = 'node_modules/dompurify';
    const older = { packages: { ...lock.packages, [place]: { ...lock.packages[place], version: '3.2.3' } } };
    const found = listedVulnerabilities(older, stored.advisories).map(({ advisory }) => advisory.id);
    assert.ok(found.includes('GHSA-vhxf-7vqr-mrjg'));
  });

  it('are in a list that can be read', () => {
    assert.ok(!Number.isNaN(Date.parse(stored.date)));
    for (const { package: name, id, range } of stored.advisories) {
      assert.match(id, /^GHSA(-[23456789cfghjmpqrvwx]{4}){3}$/);
      assert.notEqual(validRange(range), null, range);
      assert.ok(`node_modules/${name}` in lock.packages, `${name} is not there`);
    }
  });

  for (const [what, packages, count] of [
    ['a version that has one', { 'node_modules/washer': { version: '3.1.2' } }, 1],
    [
      'one that is installed below another library',
      { 'node_modules/a/node_modules/washer': { version: '1.0.0' } },
      1,
    ],
    ['a version that has it no more', { 'node_modules/washer': { version: '3.1.3' } }, 0],
    ['a library that is not shipped', { 'node_modules/washer': { version: '3.1.2', dev: true } }, 0],
    ['a library whose name only ends like it', { 'node_modules/@x/washer': { version: '3.1.2' } }, 0],
  ] as const) {
    it(`are ${count === 0 ? 'not ' : ''}told for ${what}, also when the registry does not answer`, async () => {
      install(packages);
      for (const answer of ['', refusal, 'Bad gateway', 'null']) {
        const { complaints, remarks } = await check(answer);
        assert.equal(complaints.length, count);
        assert.equal(remarks.length, 1);
      }
    });
  }

  it('are told when the registry knows them, and once when both do', async () => {
    install({ 'node_modules/washer': { version: '3.1.2' } });
    const { complaints, remarks } = await check(report([reported, { ...reported, url: 'x/GHSA-1' }]));
    assert.equal(complaints.length, 2);
    assert.ok(complaints.some((sentence) => sentence.includes('Drips')));
    assert.deepEqual(remarks, []);
    assert.deepEqual(reportedVulnerabilities(report([])), []);
  });

  it('are not told when they are known not to matter', async () => {
    install({ 'node_modules/washer': { version: '3.1.2' } });
    const { complaints } = await check(report([reported]), {
      accepted: { 'GHSA-1': 'Nothing is washed.', 'GHSA-2': 'Nothing is washed.' },
    });
    assert.deepEqual(complaints, []);
  });

  it('are looked for in a list that says when it is old', async () => {
    install({});
    const { remarks } = await check('', { now: Date.parse('2026-06-01') });
    assert.match(remarks.join(' '), /151 days old/);
    assert.deepEqual((await check(report([]), { now: Date.parse('2026-06-01') })).remarks, []);
  });
});
