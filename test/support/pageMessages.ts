/** The messages of each page when all is well, one example for each method; a method without one does not compile. */
import type { FeedbackHost } from '../../src/protocol/feedback.ts';
import type { PatchDocumentHost } from '../../src/protocol/patchDocument.ts';
import type { PatchStatusesHost } from '../../src/protocol/patchStatuses.ts';
import type { ProfileHost } from '../../src/protocol/profile.ts';
import type { ReleaseHost } from '../../src/protocol/release.ts';
import type { Methods } from '../../src/protocol/rpc.ts';
import { feedbackSchemas } from '../../src/protocol/schemas/feedback.ts';
import { patchDocumentSchemas } from '../../src/protocol/schemas/patchDocument.ts';
import { patchStatusesSchemas } from '../../src/protocol/schemas/patchStatuses.ts';
import { profileSchemas } from '../../src/protocol/schemas/profile.ts';
import { releaseSchemas } from '../../src/protocol/schemas/release.ts';
import { stackDocumentSchemas } from '../../src/protocol/schemas/stackDocument.ts';
import { stackPageSchemas } from '../../src/protocol/schemas/stackPage.ts';
import { userCardSchemas } from '../../src/protocol/schemas/userCard.ts';
import type { StackDocumentHost } from '../../src/protocol/stackDocument.ts';
import type { StackPageHost } from '../../src/protocol/stackPage.ts';
import type { UserCardHost } from '../../src/protocol/userCard.ts';

type Examples<M extends Methods<M>> = { [K in keyof M]: Parameters<M[K]>[0] };

const patch = { stackUuid: 'stack', changeId: 'change' };
const target = { code: 'section' };
const pending = { patch, kind: 'order' as const, code: 'section' };

const colors = {
  name: { path: 'src/a.ts' },
  theme: { id: 'Default Dark Modern', kind: 'dark' as const },
  lines: ['let a;'],
  isStart: true,
};

const formulas = { formulas: [{ source: 'x^2', display: false }] };

const patchDocument: Examples<PatchDocumentHost> = {
  settings: null,
  patch: { fresh: true },
  placeToReveal: null,
  noteFocus: { focus: 'section' },
  noteFocusGiven: null,
  diff: { code: 'section' },
  diffs: null,
  preferences: null,
  setPreferences: { layout: 'unified', ignoreWhitespace: false, wrap: true },
  compareWith: { baseline: 'lastRead' },
  compareWithWritten: { code: 'section' },
  confirmText: { code: 'section' },
  setRead: { code: 'section', isRead: true },
  noteSeen: { fingerprint: 'as read', codes: ['section'] },
  avatars: null,
  commitInWorkspace: null,
  generated: null,
  moved: null,
  fileLines: { code: 'section' },
  binary: { code: 'section' },
  colors,
  formulas,
  emoji: null,
  fileIcons: { paths: ['src/a.ts'], kind: 'dark' },
  openChanges: { code: 'section' },
  proseLinks: { code: 'section' },
  chooseLine: { lines: [{ path: 'src/a.ts', line: 3, text: 'function run() {' }] },
  images: { paths: ['docs/a.png'] },
  checkText: { text: 'Why.' },
  offeredNames: null,
  template: null,
  openFile: { path: 'src/a.ts', line: 3 },
  openCommit: null,
  openOtherCommit: { sha: '5'.repeat(40) },
  openNeighbor: { direction: 'next' },
  openOther: { changeId: 'I1' },
  readAhead: { direction: 'previous' },
  goToActive: null,
  showNewer: null,
  getContents: null,
  signIn: null,
  showUser: { login: 'ada' },
  copy: { text: 'text' },
  copyLink: null,
  saveTextLocally: { patch, target, typed: { after: 1, changes: [1] }, page: 'page', edition: 2 },
  sendText: {
    patch,
    target: { key: 'new', after: null },
    typed: { base: '', text: 'after' },
    page: 'page',
    edition: 3,
  },
  restoreTexts: {
    patch,
    account: 'account',
    texts: [{ target, base: 'before', text: 'after', after: 'between', page: 'page', edition: 4 }],
  },
  discardText: { patch, target },
  undoDiscard: { patch, target },
  actOnText: { patch, target, action: 'merge' },
  resolveShared: { patch, code: 'a' },
  orderSections: { patch, order: ['a', 'b'] },
  chooseGap: { patch, moving: 1, names: ['A', 'B'] },
  review: { patch, review: 'signedOff', seen: 'fingerprint' },
  dismissUnseen: { patch },
  retryPending: pending,
  discardPending: pending,
  takeOver: { patch, id: 'pending' },
  undoChange: { patch, change: 1 },
  dismissChange: { patch, change: 1 },
};

const feedbackFields = { message: 'Hello', email: '', context: '', log: true, repository: '/a', ignore: '*.log', data: ['/b'] }; // prettier-ignore
const feedback: Examples<FeedbackHost> = {
  settings: null,
  saveFieldsLocally: { fields: feedbackFields, page: 'page', edition: 1 },
  restoreFields: {
    account: 'account',
    fields: feedbackFields,
    after: feedbackFields,
    page: 'page',
    edition: 1,
  },
  discardFields: { page: 'page', edition: 2 },
  colors,
  formulas,
  emoji: null,
  load: null,
  survey: { root: '/a', ignore: '' },
  chooseData: null,
  send: { fields: feedbackFields },
};

const profileFields = { name: 'Ada', givenName: 'Ada', familyName: '', locale: 'en' };
const profile: Examples<ProfileHost> = {
  settings: null,
  saveFieldsLocally: { fields: profileFields, page: 'page', edition: 1 },
  restoreFields: { account: 'account', fields: profileFields, after: {}, page: 'page', edition: 1 },
  discardFields: { page: 'page', edition: 2 },
  load: null,
  chooseAvatar: { fileName: 'a.png', bytes: new Uint8Array([1, 2]) },
  dropAvatar: null,
  save: { fields: profileFields },
};

const releaseFields = { place: '/a', version: '1.0.0', revision: 'HEAD', channel: 'nightly' } as const;
const release: Examples<ReleaseHost> = {
  settings: null,
  saveFieldsLocally: { fields: releaseFields, page: 'page', edition: 1 },
  restoreFields: { account: 'account', fields: releaseFields, after: {}, page: 'page', edition: 1 },
  discardFields: { page: 'page', edition: 2 },
  colors,
  formulas,
  emoji: null,
  load: null,
  findRevision: { place: '/a', revision: 'HEAD' },
  create: { version: '1.0.0', sha: '0'.repeat(40), channel: 'release' },
  copy: { text: 'text' },
};

const userCard: Examples<UserCardHost> = {
  settings: null,
  load: null,
  copyAuthorizedKeys: null,
  copy: { text: 'text' },
  editProfile: null,
  manageKeys: null,
};

const patchStatuses: Examples<PatchStatusesHost> = {
  settings: null,
  load: null,
  openPatch: { changeId: 'change' },
};

const stackFields = { title: 'Title', description: 'Text', before: { title: '', description: '' } };
const stackPage: Examples<StackPageHost> = {
  settings: null,
  colors,
  formulas,
  emoji: null,
  saveFieldsLocally: { fields: stackFields, page: 'page', edition: 1 },
  restoreFields: { account: 'account', fields: stackFields, after: {}, page: 'page', edition: 1 },
  discardFields: { page: 'page', edition: 2 },
  saveFields: null,
  endEditing: null,
  load: null,
  refresh: null,
  changes: { older: 'lastRead', newer: 'stack' },
  openVersion: { stackUuid: 'stack' },
  openPatch: { changeId: 'change' },
  openInVersion: { changeId: 'change', stackUuid: 'stack' },
  review: { changeId: 'change', review: 'signedOff' },
  lostText: { action: 'move', changeId: 'change', code: 'text' },
  run: { action: 'copyLink' },
};

const stackDocument: Examples<StackDocumentHost> = {
  settings: null,
  colors,
  formulas,
  emoji: null,
  preferences: null,
  setPreferences: { layout: 'sideBySide', ignoreWhitespace: true, wrap: false },
  stack: { fresh: true },
  noteDrawn: { changeIds: ['I1', 'I2'] },
  showNewer: null,
  patchToShow: null,
};

/** Every page with its schemas and examples. */
export const pages = {
  patchDocument: { schemas: patchDocumentSchemas, examples: patchDocument },
  patchStatuses: { schemas: patchStatusesSchemas, examples: patchStatuses },
  feedback: { schemas: feedbackSchemas, examples: feedback },
  profile: { schemas: profileSchemas, examples: profile },
  release: { schemas: releaseSchemas, examples: release },
  stackDocument: { schemas: stackDocumentSchemas, examples: stackDocument },
  stackPage: { schemas: stackPageSchemas, examples: stackPage },
  userCard: { schemas: userCardSchemas, examples: userCard },
};

/** Values that are not what was said in the place of one: of another type, or of the same and not to be had. */
function othersThan(value: unknown): unknown[] {
  const others = [
    undefined,
    null,
    true,
    0,
    -1,
    0.5,
    Number.NaN,
    'x\u0000',
    [],
    [{}],
    {},
    { length: 1 },
    new Date(0),
  ];
  const kind = (one: unknown): string => (Array.isArray(one) ? 'list' : one === null ? 'null' : typeof one);
  return others.filter((other) => kind(other) !== kind(value) || (typeof value === 'number' && !((other as number) >= 0 && Number.isInteger(other)))); // prettier-ignore
}

/** The messages that differ from a good one in one place: something is missing there, or is something else. */
export function* spoilt(good: unknown, optional: ReadonlySet<string> = new Set()): Generator {
  yield* othersThan(good);
  if (Array.isArray(good)) {
    for (const [index, item] of good.entries()) {
      for (const other of othersThan(item)) {
        yield good.with(index, other);
      }
    }
  } else if (typeof good === 'object' && good !== null && !(good instanceof Uint8Array)) {
    for (const [key, value] of Object.entries(good)) {
      if (!optional.has(key)) {
        yield Object.fromEntries(Object.entries(good).filter(([other]) => other !== key));
      }
      for (const other of spoilt(value, optional)) {
        // The section that comes after nothing is the first.
        if (key !== 'after' || (other !== null && typeof other !== 'string')) {
          yield { ...good, [key]: other };
        }
      }
    }
  }
}
