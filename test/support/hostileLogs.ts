/**
 * Logs at a remote as somebody may make them who wants to harm whoever reads them, or whose program does something else than the format says:
 * one row for each, with what is told of it.
 */
import { fileOf } from '../../src/service/sharing/snapshots.ts';
import { pathOf, personOf, type Writer } from '../../src/service/sharing/operations.ts';
import type { CommitLines, RawRemote } from './rawRemote.ts';
import { sshKeys } from './sshKeys.ts';

const hour = 60 * 60 * 1000;
/** The name of an object that isn't there. */
const nowhere = 'd'.repeat(40);

/** All that the maker of a bad log knows of those whom it is to harm. */
export interface Scene {
  remote: RawRemote;
  /** Milliseconds since the epoch. */
  now: number;
  /** A patch that is shared. */
  place: { branch: string; change: string; commit: string };
  /** The code of one of its files. */
  file: string;
  /** A text of it, and the operation that has made it. */
  text: { section: string; id: string };
  /** The log of whoever wrote that, and of a colleague, with the end of that. */
  own: string;
  colleague: string;
  colleagueTip: string;
}

/** What a line of a log has. */
type Line = Record<string, unknown>;

/** Writes one bad log. */
class BadLog {
  readonly scene: Scene;
  readonly writer: Writer;
  /** What nothing may show that is refused. */
  readonly mark: string;

  constructor(scene: Scene, index: number) {
    this.scene = scene;
    this.mark = markOf(index);
    this.writer = writerOfRow(index);
  }

  get remote(): RawRemote {
    return this.scene.remote;
  }

  get header(): string {
    return JSON.stringify({ format: 1, ...this.writer });
  }

  /** A line as the format says, but for what `content` has in its place. */
  line(seq: number, content: Line): Line {
    return { seq, clock: [this.scene.now - hour + seq, 0], ...content };
  }

  /** A line that nobody has anything against. */
  title(seq = 1, more: Line = {}): Line {
    return this.line(seq, { type: 'stack', branch: 'feature', title: this.mark, ...more });
  }

  /** A text on the patch that is shared. */
  text(seq: number, more: Line = {}): Line {
    const place = { ...this.scene.place, section: this.writer.device };
    return this.line(seq, { type: 'text', ...place, text: this.mark, over: [], after: null, ...more });
  }

  /** The text of a commit. */
  batch(...lines: readonly (Line | string)[]): string {
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    return [this.header, ...texts, ''].join('\n');
  }

  /** A tree with the operations. */
  tree(content: string | Buffer = this.batch(this.title())): string {
    return this.remote.tree(['100644', 'operations', this.remote.object('blob', content)]);
  }

  /** A commit with the operations. */
  commit(content?: string | Buffer, lines?: CommitLines): string {
    return this.remote.commit(this.tree(content), lines);
  }

  /** Has the log end at an object. */
  end(sha: string): void {
    this.remote.ref(`refs/patch-stacks/v1/${pathOf(this.writer)}`, sha);
  }
}

/** The word that all operations of a row have which nobody may see. */
export function markOf(index: number): string {
  return `Evil-${index}-`;
}

/** Whose log a row is. */
export function writerOfRow(index: number): Writer {
  return { person: personOf(`mallory${index}@example.com`), device: index.toString(16).padStart(16, 'e') };
}

/** A bad log. */
export interface HostileLog {
  name: string;
  /** What is told of it, once; undefined where there is nothing that somebody should know. */
  told?: RegExp;
  /** True where it is taken for what its writer says until it is found out. */
  isTakenFirst?: true;
  plant: (log: BadLog) => void;
}

/** Writes the log of a row. */
export function plantLog({ plant }: HostileLog, index: number, scene: Scene): void {
  plant(new BadLog(scene, index));
}

/** One with one commit that has this text. */
function content(name: string, told: RegExp | undefined, text: (log: BadLog) => string | Buffer): HostileLog {
  return { name, ...(told && { told }), plant: (log) => log.end(log.commit(text(log))) };
}

/** One with one commit that has these lines. */
function lines(
  name: string,
  told: RegExp | undefined,
  of: (log: BadLog) => readonly (Line | string)[],
): HostileLog {
  return content(name, told, (log) => log.batch(...of(log)));
}

const notFetched = (what: string): RegExp => new RegExp(`^it can't be fetched: .*${what}`);
const malformed = /^commit [0-9a-f]{40} is refused: it isn't written as the format says/;
const forged = /^commit [0-9a-f]{40} is refused: it's in somebody else's name/;
const newer = /^commit [0-9a-f]{40} is refused: a newer version/;
const gap = /^commit [0-9a-f]{40} is refused: an operation is missing or stands there twice/;
const clock = /^commit [0-9a-f]{40} is refused: its clock goes back/;
const unreadable = /^commit [0-9a-f]{40} can't be read: it has no operations/;

/** Objects that git doesn't take, or that aren't there. */
export const brokenObjects: readonly HostileLog[] = [
  {
    name: 'a commit whose author has no address',
    told: notFetched('missingEmail'),
    plant: (log) => log.end(log.commit(undefined, { author: 'Mallory 1700000000 +0000' })),
  },
  {
    name: 'a commit with two authors',
    told: notFetched('multipleAuthors'),
    plant: (log) => log.end(log.commit(undefined, { author: 'M <m@x> 1 +0000\nauthor M <m@x> 1 +0000' })),
  },
  {
    name: 'a commit without a date',
    told: notFetched('badDate|missingSpaceBeforeDate'),
    plant: (log) => log.end(log.commit(undefined, { author: 'M <m@x> never' })),
  },
  {
    name: 'a commit whose date is out of range',
    told: notFetched('badDateOverflow'),
    plant: (log) => log.end(log.commit(undefined, { author: `M <m@x> ${'9'.repeat(30)} +0000` })),
  },
  {
    name: 'a commit without a committer',
    told: notFetched('missingCommitter'),
    plant: (log) => log.end(log.remote.object('commit', `tree ${log.tree()}\nauthor M <m@x> 1 +0000\n\nx`)),
  },
  {
    name: 'a commit with NUL in its header',
    told: notFetched('nulInHeader'),
    plant: (log) => log.end(log.commit(undefined, { author: 'M\0 <m@x> 1 +0000' })),
  },
  {
    name: 'a tree with a folder .git',
    told: notFetched('hasDotgit'),
    plant: (log) => {
      const { remote } = log;
      const blob = remote.object('blob', log.batch(log.title()));
      const tree = remote.tree(['40000', '.git', log.tree()], ['100644', 'operations', blob]);
      log.end(remote.commit(tree));
    },
  },
  {
    name: 'a tree with a folder .GIT',
    told: notFetched('hasDotgit'),
    plant: (log) => log.end(log.remote.commit(log.remote.tree(['40000', '.GIT', log.tree()]))),
  },
  {
    name: 'a tree with a folder ..',
    told: notFetched('hasDotdot'),
    plant: (log) => log.end(log.remote.commit(log.remote.tree(['40000', '..', log.tree()]))),
  },
  {
    name: 'a tree with .gitmodules as a link',
    told: notFetched('gitmodulesSymlink'),
    plant: (log) => {
      const blob = log.remote.object('blob', '/etc/passwd');
      log.end(log.remote.commit(log.remote.tree(['120000', '.gitmodules', blob])));
    },
  },
  {
    name: 'a tree that has its file twice',
    told: notFetched('duplicateEntries'),
    plant: (log) => {
      const { remote } = log;
      const both = ['', log.batch(log.title())].map((text) => remote.object('blob', text));
      log.end(remote.commit(remote.tree(...both.map((blob) => ['100644', 'operations', blob] as const))));
    },
  },
  {
    name: 'a tree that is not in order',
    told: notFetched('treeNotSorted'),
    plant: (log) => {
      const { remote } = log;
      const blob = remote.object('blob', log.batch(log.title()));
      const tree = remote.tree(['100644', 'snapshot', blob], ['100644', 'operations', blob]);
      log.end(remote.commit(tree));
    },
  },
  {
    name: 'a tree that is cut off',
    told: notFetched(''),
    plant: (log) => log.end(log.remote.commit(log.remote.object('tree', '100644 operations\0short'))),
  },
  {
    name: 'a commit whose tree is not there',
    told: notFetched(''),
    plant: (log) => log.end(log.remote.commit('a'.repeat(40))),
  },
  {
    name: 'a commit whose file is not there',
    told: notFetched(''),
    plant: (log) => log.end(log.remote.commit(log.remote.tree(['100644', 'operations', 'b'.repeat(40)]))),
  },
  {
    name: 'a commit whose parent is not there',
    told: notFetched(''),
    plant: (log) => log.end(log.commit(undefined, { parents: ['c'.repeat(40)] })),
  },
  {
    name: 'two hundred commits, and a folder .git in the last of them',
    told: notFetched('hasDotgit'),
    plant: (log) => {
      let tip: string[] = [];
      for (let seq = 1; seq <= 200; seq++) {
        tip = [log.commit(log.batch(log.title(seq)), { parents: tip })];
      }
      log.end(log.remote.commit(log.remote.tree(['40000', '.git', log.tree()]), { parents: tip }));
    },
  },
];

/** What no remote has that is whole: it takes nothing from anybody while it does. */
export const damagedRemotes: readonly HostileLog[] = [
  {
    name: 'a ref at an object that is not there',
    plant: (log) => log.end(nowhere),
  },
  {
    name: 'a commit without a tree',
    told: notFetched('missingTree'),
    plant: (log) => log.end(log.remote.object('commit', 'author M <m@x> 1 +0000\n\nx')),
  },
  {
    name: 'a commit that is no commit at all',
    told: notFetched(''),
    plant: (log) => log.end(log.remote.object('commit', 'Evil')),
  },
  {
    name: 'a tag that is none',
    told: notFetched(''),
    plant: (log) => log.end(log.remote.object('tag', `object ${log.commit()}\ntype commit\nEvil`)),
  },
];

/** Objects and refs that git takes, and that are no log. */
const strangeObjects: readonly HostileLog[] = [
  {
    name: 'a ref at a file',
    told: /^it doesn't end with a commit/,
    plant: (log) => log.end(log.remote.object('blob', log.batch(log.title()))),
  },
  {
    name: 'a ref at a folder',
    told: /^it doesn't end with a commit/,
    plant: (log) => log.end(log.tree()),
  },
  {
    name: 'a ref at a tag',
    told: /^it doesn't end with a commit/,
    plant: (log) =>
      log.end(
        log.remote.object('tag', `object ${log.commit()}\ntype commit\ntag x\ntagger M <m@x> 1 +0000\n\nx\n`),
      ),
  },
  {
    name: 'a commit without a file',
    told: unreadable,
    plant: (log) => log.end(log.remote.commit(log.remote.tree())),
  },
  {
    name: 'a folder in the place of the file',
    told: unreadable,
    plant: (log) => log.end(log.remote.commit(log.remote.tree(['40000', 'operations', log.tree()]))),
  },
  {
    name: 'a link in the place of the file',
    told: malformed,
    plant: (log) => {
      const blob = log.remote.object('blob', '/etc/passwd');
      log.end(log.remote.commit(log.remote.tree(['120000', 'operations', blob])));
    },
  },
  {
    name: 'a commit of a submodule in the place of the file',
    told: unreadable,
    plant: (log) => log.end(log.remote.commit(log.remote.tree(['160000', 'operations', log.commit()]))),
  },
  content('a file that is too large', /can't be read: it has 17825792 bytes/, () =>
    Buffer.alloc(17 * 1024 * 1024, ' '),
  ),
  {
    name: 'a log that begins with that of somebody else',
    told: forged,
    plant: (log) => log.end(log.commit(undefined, { parents: [log.scene.colleagueTip] })),
  },
  {
    name: 'merges of everything there is, and of itself',
    plant: (log) => {
      const first = log.commit(log.batch(log.line(1, { type: 'dance' })));
      const parents = [first, log.scene.colleagueTip, first];
      log.end(log.commit(log.batch(log.line(2, { type: 'dance' })), { parents }));
    },
  },
  {
    name: 'an author with the other direction in the name',
    plant: (log) =>
      log.end(
        log.commit(log.batch(), { author: 'M\u202eyrollaM <m@x> 1 +0000', message: '\u0007\u001b[2J' }),
      ),
  },
  {
    name: 'the log of somebody else as its own',
    told: forged,
    plant: (log) => log.end(log.scene.colleagueTip),
  },
];

/** Texts that are no list of lines of JSON, or have another header. */
const strangeTexts: readonly HostileLog[] = [
  content('nothing', malformed, () => ''),
  content('no JSON', malformed, () => 'Evil\n'),
  lines('half a line', malformed, (log) => [log.title(), JSON.stringify(log.title(2)).slice(0, -9)]),
  lines('characters that turn the direction, in what is no JSON', malformed, (log) => [
    log.title(),
    '{"\u202e\u0007\u001b[31mlive": \u202e}',
  ]),
  content('bytes that are no UTF-8', malformed, (log) =>
    Buffer.concat([Buffer.from(log.batch(log.title())), Buffer.from([0xff, 0xfe, 0x0a])]),
  ),
  content('UTF-16', malformed, (log) => Buffer.from(log.batch(log.title()), 'utf16le')),
  lines('NUL between the lines', malformed, (log) => [log.title(), '\0']),
  lines('a million brackets that are closed', malformed, (log) => [
    log.title(),
    `${JSON.stringify(log.line(2, { type: 'dance' })).slice(0, -1)},"x":${'['.repeat(1e6)}${']'.repeat(1e6)}}`,
  ]),
  lines('eight million brackets that are not', malformed, (log) => [log.title(), '['.repeat(8e6)]),
  lines('a line of a million values', malformed, (log) => [
    log.title(),
    log.line(2, { type: 'dance', x: new Array<object>(1e6).fill({}) }),
  ]),
  lines('a line of ten million characters, all of them commas and brackets in a text', undefined, (log) => [
    log.line(1, { type: 'dance', x: '",[{\\'.repeat(2e6) }),
  ]),
  content('no header', malformed, (log) => `${JSON.stringify(log.title())}\n`),
  content('a list as its header', malformed, (log) => `[1]\n${JSON.stringify(log.title())}\n`),
  content('null as its header', malformed, (log) => `null\n${JSON.stringify(log.title())}\n`),
  content('a format that is no number', malformed, (log) =>
    log.batch(log.title()).replace('"format":1', '"format":"1"'),
  ),
  content('an older format than there is', malformed, (log) =>
    log.batch(log.title()).replace('"format":1', '"format":0.5'),
  ),
  content('a newer format', newer, (log) => log.batch(log.title()).replace('"format":1', '"format":1e99')),
  content('a header of another device', forged, (log) =>
    log.batch(log.title()).replace(log.writer.device, 'f'.repeat(16)),
  ),
  content('a header of another person', forged, (log) =>
    log.batch(log.title()).replace(log.writer.person, log.scene.own.slice(0, 20)),
  ),
  content('a header that names its person in its prototype', malformed, (log) =>
    log.batch(log.title()).replace(/^\{(.*)\}/, '{"format":1,"__proto__":{$1}}'),
  ),
  lines('no operations', undefined, () => []),
  lines('nothing but ends of lines', undefined, () => ['', '', '\n\n\n']),
];

/** Lines that a batch is refused for, each behind one that is as it should be. */
const refusedLines: readonly HostileLog[] = [
  ...[
    null,
    true,
    7,
    'Evil',
    [],
    {},
    { type: 'stack' },
    { type: null },
    { type: 'x'.repeat(101) },
    { type: ['stack'] },
  ].map((value) =>
    lines(`${JSON.stringify(value).slice(0, 20)} as a line`, malformed, (log) => [
      log.title(),
      JSON.stringify(value),
    ]),
  ),
  ...[0, -1, 1.5, '1', null, 2 ** 53, '1e999'].map((seq) =>
    lines(`the number ${seq} of an operation`, malformed, (log) => [
      log.title(),
      JSON.stringify(log.title(2, { seq })).replace('"1e999"', '1e999'),
    ]),
  ),
  lines('an operation left out', gap, (log) => [log.title(), log.title(3)]),
  lines('an operation twice', gap, (log) => [log.title(), log.title()]),
  lines('a log that begins with its second operation', gap, (log) => [log.title(2)]),
  lines('a number that ends all numbers', gap, (log) => [log.title(), log.title(2, { seq: 2 ** 53 - 1 })]),
  ...[null, 7, [], [1], ['1', '2'], [1.5, 0], [-1, 0], [2 ** 53, 0], [1, 1_000_001]].map((time) =>
    lines(`the clock ${JSON.stringify(time)}`, malformed, (log) => [
      log.title(),
      log.title(2, { clock: time }),
    ]),
  ),
  lines('a clock that stands still', clock, (log) => [log.title(), { ...log.title(), seq: 2 }]),
  lines('a clock that goes back', clock, (log) => [log.title(), log.title(2, { clock: [0, 0] })]),
  lines('a clock that is far ahead', /waits: its clock is far ahead/, (log) => [
    log.title(1, { clock: [2 ** 53 - 1, 1_000_000] }),
  ]),
  lines('the address of somebody else', forged, (log) => [
    log.title(),
    log.line(2, { type: 'person', name: log.mark, email: 'ada@example.com' }),
  ]),
  ...['', ' ', 'x'.repeat(201), 'a\nb', 'a\u0000b', 'a\ud800b', ['a'], null].map((name) =>
    lines(`the name ${JSON.stringify(name).slice(0, 20)}`, malformed, (log) => [
      log.title(),
      log.line(2, { type: 'person', name, email: 'mallory@example.com' }),
    ]),
  ),
  ...[
    { title: 'x'.repeat(1001) },
    { title: 'two\nlines' },
    { title: '\udfff' },
    { title: 7 },
    { status: 'deleted' },
    { description: 'x'.repeat(100_001) },
    { branch: '' },
    { branch: 'x'.repeat(1001) },
  ].map((more) =>
    lines(`a stack with ${JSON.stringify(more).slice(0, 24)}`, malformed, (log) => [
      log.title(),
      log.title(2, more),
    ]),
  ),
  ...[
    { text: 'x'.repeat(1_000_001) },
    { text: '\ud800' },
    { text: undefined },
    { section: 'a\nb' },
    { commit: 'HEAD' },
    { commit: '-'.repeat(40) },
    { over: 'x' },
    { over: ['x'] },
    { over: [`${'0'.repeat(20)}/${'0'.repeat(16)}/${'9'.repeat(60)}`] },
    { over: new Array<string>(10_001).fill(`${'0'.repeat(20)}/${'0'.repeat(16)}/1`) },
  ].map((more) =>
    lines(`a text with ${JSON.stringify(more).slice(0, 24)}`, malformed, (log) => [
      log.title(),
      log.text(2, more),
    ]),
  ),
  lines('an order of too many sections', malformed, (log) => [
    log.title(),
    log.line(2, { type: 'order', ...log.scene.place, order: new Array<string>(10_001).fill('x') }),
  ]),
  lines('a version of too many commits', malformed, (log) => [
    log.title(),
    log.line(2, {
      type: 'version',
      branch: 'feature',
      changes: new Array<object>(10_001).fill({ change: 'x', commit: nowhere }),
    }),
  ]),
  lines('a review that says something else', malformed, (log) => [
    log.title(),
    log.line(2, { type: 'review', ...log.scene.place, patch: 'x', says: 'approved' }),
  ]),
];

/** The own public key of somebody else, as they have it. */
const [type = '', key = ''] = sshKeys.ed25519.line.split(' ');

/** What keeps the rules, and changes nothing for those who read it. */
const takenLines: readonly HostileLog[] = [
  lines('twenty thousand operations of a kind that nobody knows', undefined, (log) =>
    Array.from({ length: 20_000 }, (_none, index) => log.line(index + 1, { type: `dance${index}` })),
  ),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name) =>
    lines(`operations of the kind ${name}, and on what is called so`, undefined, (log) => [
      log.line(1, { type: name, branch: name }),
      log.text(2, { branch: name, change: name, section: name }),
      log.text(3, { change: name, section: name }),
      log.text(4, { section: name, after: name }),
      log.line(5, { type: 'version', branch: name, changes: [{ change: name, commit: nowhere }] }),
      log.line(6, { type: 'order', branch: name, change: name, commit: nowhere, order: [name] }),
      log.line(7, { type: 'key', fingerprint: name, name, key: name }),
      `{"seq":8,"clock":[${log.scene.now},0],"type":"stack","branch":"${name}","${name}":{"title":"x"}}`,
    ]),
  ),
  lines('fields twice, of which the last counts', undefined, (log) => [
    `{"type":"stack","title":"${log.mark}","branch":"feature",${JSON.stringify(log.line(1, { type: 'dance' })).slice(1)}`,
  ]),
  content('a mark of the order of bytes, and ends of lines as Windows has them', undefined, (log) =>
    `\ufeff${log.batch(log.line(1, { type: 'dance' }))}`.replaceAll('\n', '\r\n'),
  ),
  lines('a name that turns its direction', undefined, (log) => [
    log.line(1, {
      type: 'person',
      name: '\u202eecalevoL adA',
      email: `mallory${Number.parseInt(log.writer.device.replace(/^e+/, ''), 16)}@example.com`,
    }),
  ]),
  lines('operations on branches, changes and commits that are not there', undefined, (log) => [
    log.text(1, { branch: 'nowhere' }),
    log.text(2, { change: 'nowhere', commit: nowhere }),
    log.line(3, {
      type: 'review',
      branch: 'feature',
      change: 'x',
      commit: nowhere,
      patch: 'x',
      says: 'signed_off',
    }),
    log.line(4, { type: 'version', branch: '--upload-pack=x', changes: [{ change: 'x', commit: nowhere }] }),
    log.line(5, {
      type: 'version',
      branch: 'a:refs/heads/main',
      changes: [{ change: 'x', commit: nowhere }],
    }),
    log.line(6, { type: 'version', branch: '../../x', changes: [{ change: 'x', commit: nowhere }] }),
    log.line(7, { type: 'ahead', log: `${'0'.repeat(20)}/${'0'.repeat(16)}`, clock_of: 1 }),
  ]),
  lines('texts under the names of files, and of what no text can be', undefined, (log) => [
    log.text(1, { section: '/a.txt' }),
    log.text(2, { section: log.scene.file }),
    log.text(3, { section: '../../x' }),
    log.text(4, { section: '"a\\u0000"' }),
    log.text(5, { section: 'F'.repeat(16) }),
  ]),
  lines('a word on a patch from somebody who has not said who they are', undefined, (log) => [
    log.line(1, { type: 'review', ...log.scene.place, patch: 'x', says: 'signed_off' }),
  ]),
  lines('the clock of somebody else as far ahead', undefined, (log) => [
    log.line(1, { type: 'ahead', log: log.scene.own, clock_of: log.scene.now + 9 * hour }),
    log.line(2, { type: 'ahead', log: log.scene.own, clock_of: log.scene.now }),
  ]),
  lines('keys that are none, and the key of somebody else as taken away', undefined, (log) => [
    log.line(1, { type: 'key', fingerprint: sshKeys.ed25519.fingerprint, name: log.mark, key: null }),
    log.line(2, { type: 'key', fingerprint: 'x', name: log.mark, key: `${type} ${key}` }),
    log.line(3, { type: 'key', fingerprint: sshKeys.rsa.fingerprint, name: log.mark, key: 'Evil' }),
  ]),
  lines('a thousand versions of what somebody else has named', undefined, (log) =>
    Array.from({ length: 1000 }, (_none, index) =>
      log.line(index + 1, {
        type: 'version',
        branch: log.scene.place.branch,
        changes: [{ change: `${log.mark}${index}`, commit: log.scene.place.commit }],
      }),
    ),
  ),
  lines('texts that are over each other, and over themselves', undefined, (log) => {
    const id = (seq: number): string => `${pathOf(log.writer)}/${seq}`;
    const place = { branch: 'nowhere' };
    return [
      log.text(1, { ...place, over: [id(1), id(2), id(3)] }),
      log.text(2, { ...place, over: [id(3), id(1)] }),
      log.text(3, { ...place, over: [id(2)] }),
    ];
  }),
  lines('texts that name a hundred thousand others which are not there', undefined, (log) =>
    Array.from({ length: 10 }, (_none, index) =>
      log.text(index + 1, {
        branch: 'nowhere',
        over: Array.from(
          { length: 10_000 },
          (_other, count) => `${log.scene.own}/${1_000_000 + index * 10_000 + count}`,
        ),
      }),
    ),
  ),
  lines('a text that is over all that somebody else will write', undefined, (log) => {
    const { section, id } = log.scene.text;
    const guessed = Array.from({ length: 100 }, (_none, index) => `${log.scene.own}/${index + 1}`);
    const over = [id, ...guessed.filter((one) => one !== id)];
    return [log.text(1, { section, over, text: 'The same.', clock: [log.scene.now, 0] })];
  }),
  {
    name: 'a thousand commits with nothing in them',
    plant: (log) => {
      const tree = log.tree(log.batch());
      let tip: string[] = [];
      for (let count = 0; count < 1000; count++) {
        tip = [log.remote.commit(tree, { parents: tip })];
      }
      log.end(tip[0] ?? '');
    },
  },
  {
    name: 'a signature that is none',
    plant: (log) => {
      const { remote } = log;
      const more = `gpgsig -----BEGIN SSH SIGNATURE-----\n ${'U1NIU0lH'.repeat(50)}\n -----END SSH SIGNATURE-----\n`;
      log.end(remote.commit(log.tree(log.batch(log.line(1, { type: 'dance' }))), { more }));
    },
  },
];

/** A log of two commits, of which the second has a snapshot with these files. */
function snapshot(
  name: string,
  told: RegExp | undefined,
  files: (log: BadLog, first: string) => Record<string, string>,
): HostileLog {
  return {
    name: `a snapshot ${name}`,
    ...(told && { told }),
    plant: (log) => {
      const { remote } = log;
      const dance = log.line(1, { type: 'dance' });
      const first = log.commit(log.batch(dance));
      const entries = Object.entries(files(log, first))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([file, text]) => ['100644', file, remote.object('blob', text)] as const);
      const operations = remote.object('blob', log.batch(log.line(2, { type: 'dance' })));
      const tree = remote.tree(
        ['100644', 'operations', operations],
        ['40000', 'snapshot', remote.tree(...entries)],
      );
      log.end(remote.commit(tree, { parents: [first] }));
    },
  };
}

function head(log: BadLog, commit: string, more: Line = {}): string {
  const { seq, clock: time } = log.line(1, {});
  return `${JSON.stringify({ format: 1, ...log.writer, seq, clock: time, commit, ...more })}\n`;
}

/** What an operation of a snapshot is that the log has not. */
function invented(log: BadLog, seq = 1): string {
  return `${JSON.stringify(log.title(seq))}\n`;
}

const otherwise = /^its snapshot says something else than it does/;

/** Snapshots that aren't of their log. */
export const snapshots: readonly HostileLog[] = [
  snapshot('without a head', undefined, () => ({ general: 'Evil' })),
  snapshot('whose head is no JSON', undefined, () => ({ head: 'Evil' })),
  snapshot('of somebody else', undefined, (log, first) => ({
    head: head(log, first, { person: log.scene.own.slice(0, 20) }),
  })),
  snapshot('whose clock is out of range', undefined, (log, first) => ({
    head: head(log, first, { clock: [2 ** 53 - 1, 0] }),
  })),
  snapshot('whose commit is not there', otherwise, (log) => ({ head: head(log, nowhere), general: '' })),
  snapshot("whose commit is somebody else's", otherwise, (log) => ({
    head: head(log, log.scene.colleagueTip),
    general: '',
  })),
  snapshot('that goes further than there is', otherwise, (log, first) => ({
    head: head(log, first, { seq: 2 ** 53 - 1 }),
    general: '',
  })),
  {
    ...snapshot('with operations that the log has not', otherwise, (log, first) => ({
      head: head(log, first),
      general: `${JSON.stringify(log.line(1, { type: 'dance' }))}\n`,
      [fileOf('feature')]: invented(log),
    })),
    isTakenFirst: true,
  },
  snapshot('with operations out of order', otherwise, (log, first) => ({
    head: head(log, first, { seq: 2 }),
    [fileOf('feature')]: `${invented(log, 2)}${invented(log, 1)}`,
  })),
  snapshot('with operations under the name of another branch', otherwise, (log, first) => ({
    head: head(log, first),
    general: invented(log),
  })),
  snapshot('that is no JSON', otherwise, (log, first) => ({ head: head(log, first), general: '{' })),
  snapshot('that leaves all out', otherwise, (log, first) => ({ head: head(log, first) })),
  {
    name: 'a snapshot that is the folder that it is in',
    plant: (log) => {
      const tree = log.tree(log.batch(log.line(1, { type: 'dance' })));
      const { remote } = log;
      const blob = remote.object('blob', log.batch(log.line(2, { type: 'dance' })));
      const inside = remote.tree(['40000', 'general', tree], ['40000', 'head', tree]);
      const whole = remote.tree(['100644', 'operations', blob], ['40000', 'snapshot', inside]);
      log.end(remote.commit(whole, { parents: [remote.commit(tree)] }));
    },
  },
];

/** Those that git takes, and that are of one fetch. */
export const hostileLogs: readonly HostileLog[] = [
  ...strangeObjects,
  ...strangeTexts,
  ...refusedLines,
  ...takenLines,
];

/** Refs that are no logs, each at the end of one that would be. */
export const strangeRefs = [
  'evil',
  '-evil',
  '$(touch${IFS}evil)',
  'a;b',
  '\u202elive',
  '0'.repeat(20).toUpperCase() + 'A',
  `${'1'.repeat(20)}/${'A'.repeat(16)}`,
  `${'2'.repeat(20)}/${'0'.repeat(16)}/more`,
  `${'3'.repeat(20)}/${'0'.repeat(15)}`,
  `${'4'.repeat(20)}/@`,
  `x/${'y'.repeat(200)}`,
];
