import assert from 'node:assert/strict';
import type { PatchUpdate } from '../../../src/protocol/patchDocument.ts';
import type { RpcChannel } from '../../../src/protocol/rpc.ts';
import { codesOf } from '../../../src/webview/patchDocument/reading/codes.ts';
import { partChannel } from '../../../src/webview/patchDocument/stack/partChannel.ts';
import { pages } from '../../support/pageMessages.ts';

/** A page whose messages the test sees, and to which it says some. */
class FakePage implements RpcChannel {
  readonly posted: unknown[] = [];
  readonly #listeners = new Set<(message: unknown) => void>();

  post(message: unknown): void {
    this.posted.push(message);
  }

  listen(listener: (message: unknown) => void) {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  say(message: unknown): void {
    this.#listeners.forEach((listener) => listener(message));
  }
}

const codes = ['aaaa', 'bbbb'] as const;
const [a, b] = codes;

/** A patch with a code wherever there can be one. */
const patch: PatchUpdate = {
  ref: { serverUrl: 'https://service.test', stackUuid: 'stack', changeId: 'c1' },
  title: 'A patch',
  authors: [],
  openedBy: [],
  signedOff: [],
  rejected: [],
  fingerprint: 'as read',
  sections: [{ type: 'text', code: a, text: 'Why' }, b],
  tickedSections: [a],
  unread: [b],
  unseen: [a],
  unexplained: { [b]: 'all' },
  stale: {
    [a]: {
      files: [
        { path: 'x', kind: 'changed', code: b, line: 1 },
        { path: 'y', kind: 'removed' },
      ],
      more: 0,
    },
  },
  comparison: {
    with: { kind: 'lastRead' },
    verdict: 'changed',
    isFromDiffs: false,
    sections: { [a]: { verdict: 'changed', isMoved: false, isFolded: false, wasRead: true } },
    removed: [
      { kind: 'text', text: 'Gone', after: a },
      { kind: 'text', text: 'First', after: null },
    ],
  },
  pending: {
    texts: [
      { target: { code: a }, sending: false },
      { target: { key: 'k', after: b }, sending: false },
      { target: { key: 'l', after: null }, sending: false },
    ],
    deletions: [{ value: b }],
    order: { value: [b, a] },
    elsewhere: [
      { id: 'id', code: a, title: 'T' },
      { id: 'other', title: 'T' },
    ],
  },
};

describe('the channel of one patch on a page with several', () => {
  let page: FakePage;
  let part: RpcChannel;
  let heard: unknown[];

  beforeEach(() => {
    page = new FakePage();
    part = partChannel(page, 'c1', codesOf('c1'));
    heard = [];
    part.listen((message) => heard.push(message));
  });

  const said = (): { patch: string; message: Record<string, unknown> } =>
    page.posted.at(-1) as ReturnType<typeof said>;

  it("says what the page asks with the extension host's own codes, and whose patch it is about", () => {
    const examples = Object.entries(pages.patchDocument.examples);
    for (const [id, [method, parameters]] of examples.entries()) {
      const text = JSON.stringify(parameters);
      // In the examples a section is called that, and two in an order `a` and `b`.
      const onPage = method === 'noteFocus' ? text : text.replaceAll(/"(section|a|b)"(?!:)/g, '"c1/$1"');
      part.post({ rpc: 'request', id, method, parameters: JSON.parse(onPage) as unknown });
      assert.equal(said().patch, 'c1');
      assert.deepEqual(said().message['parameters'], JSON.parse(text), method);
    }
  });

  /** The codes in a message that another patch of the page could have, too. */
  const bare = (message: unknown): string[] => JSON.stringify(message).match(/"(aaaa|bbbb)"/g) ?? [];

  it("hears of the patch with the page's codes only, wherever they are", () => {
    page.say({ patch: 'c1', message: { rpc: 'request', id: 1, method: 'show', parameters: patch } });
    assert.equal(heard.length, 1);
    assert.deepEqual(bare(heard[0]), []);
    assert.deepEqual(bare(patch).length, JSON.stringify(heard[0]).match(/"c1\/(aaaa|bbbb)"/g)?.length);
    const told = (heard[0] as { parameters: PatchUpdate }).parameters;
    assert.deepEqual(told.sections, [{ type: 'text', code: 'c1/aaaa', text: 'Why' }, 'c1/bbbb']);
  });

  it("answers with the host's codes, and takes its answers with the page's", () => {
    const answers: [method: string, answer: unknown][] = [
      ['patch', patch],
      ['placeToReveal', { code: a }],
      ['diffs', { [a]: 'diff' }],
      ['generated', [a, b]],
      ['moved', { [a]: [{ side: 'old', start: 1, count: 3, other: { code: b, line: 1 } }] }],
      ['proseLinks', [{ text: 'x', target: { kind: 'line', code: a, path: 'a.ts', line: 1, text: '' } }]],
      [
        'proseLinks',
        [
          {
            text: 'x',
            target: {
              kind: 'several',
              places: [
                { kind: 'line', code: a, path: 'a.ts', line: 1, text: '' },
                { kind: 'file', path: 'b.ts' },
              ],
              more: 0,
            },
          },
        ],
      ],
      ['sendText', { kind: 'sent', code: b, merged: false, movedOn: false }],
    ];
    for (const [id, [method, result]] of answers.entries()) {
      const parameters = { code: 'c1/aaaa', target: { code: 'c1/aaaa' } };
      part.post({ rpc: 'request', id, method, parameters });
      page.say({ patch: 'c1', message: { rpc: 'result', id, result } });
      assert.deepEqual(bare(heard.at(-1)), [], method);
    }
    for (const [id, [method, result]] of (
      [
        ['focusedPlace', { code: 'c1/aaaa' }],
        ['focusedSection', 'c1/aaaa'],
        ['focusedSection', null],
      ] as const
    ).entries()) {
      page.say({ patch: 'c1', message: { rpc: 'request', id, method, parameters: null } });
      part.post({ rpc: 'result', id, result });
      assert.deepEqual(
        said().message['result'],
        result === null ? null : typeof result === 'string' ? a : { code: a },
      );
    }
  });

  it('leaves what is said of other patches to them', () => {
    page.say({ patch: 'c2', message: { rpc: 'request', id: 1, method: 'find', parameters: null } });
    page.say({ rpc: 'request', id: 1, method: 'show', parameters: null });
    page.say('nothing');
    page.say(null);
    assert.deepEqual(heard, []);
  });
});
