/**
 * The way from one patch of the page to its part of the extension host, on which both speak as if there were no other patch: each
 * message says which one it is about, and codes of sections are the page's on this side, and the host's own on the other.
 */
import type { PatchDocumentHost, PatchDocumentView, PatchUpdate } from '../../../protocol/patchDocument.ts';
import type { PatchPending, TextTarget } from '../../../protocol/patchWriting.ts';
import type { Methods, RpcChannel } from '../../../protocol/rpc.ts';
import type { ForPart } from '../../../protocol/stackDocument.ts';
import { membersOf } from '../../../util/isObject.ts';
import type { LinkTarget } from '../../../util/proseLink.ts';
import { renamedTarget, type Codes, type Rename } from '../reading/codes.ts';

/** For each method that names sections, how they are renamed in what is asked and in what is answered. */
type Renaming<M extends Methods<M>> = {
  readonly [K in keyof M]?: {
    asked?: (parameters: Parameters<M[K]>[0], to: Rename) => Parameters<M[K]>[0];
    answered?: (result: Awaited<ReturnType<M[K]>>, to: Rename) => Awaited<ReturnType<M[K]>>;
  };
};

const code = {
  asked: <T extends { code?: string }>(asked: T, to: Rename): T =>
    asked.code === undefined ? asked : { ...asked, code: to(asked.code) },
};
const target = {
  asked: <T extends { target: TextTarget }>(asked: T, to: Rename): T => ({
    ...asked,
    target: renamedTarget(asked.target, to),
  }),
};

const askedOfHost: Renaming<PatchDocumentHost> = {
  patch: { answered: (patch, to) => ({ ...patch, ...renamedPatch(patch, to) }) as typeof patch },
  placeToReveal: { answered: (place, to) => place && { ...place, code: to(place.code) } },
  diff: code,
  diffs: { answered: renamedKeys },
  compareWithWritten: code,
  confirmText: code,
  setRead: code,
  noteSeen: { asked: (asked, to) => ({ ...asked, codes: asked.codes.map(to) }) },
  generated: { answered: (codes, to) => codes.map(to) },
  moved: {
    answered: (moved, to) =>
      renamedKeys(
        mapValues(moved, (lines) =>
          lines.map((line) => ({ ...line, other: { ...line.other, code: to(line.other.code) } })),
        ),
        to,
      ),
  },
  fileLines: code,
  binary: code,
  openChanges: code,
  proseLinks: {
    ...code,
    answered: (links, to) => links.map((link) => ({ ...link, target: renamedLink(link.target, to) })),
  },
  saveTextLocally: target,
  sendText: {
    ...target,
    answered: (outcome, to) => (outcome?.kind === 'sent' ? { ...outcome, code: to(outcome.code) } : outcome),
  },
  restoreTexts: {
    asked: (asked, to) => ({ ...asked, texts: asked.texts.map((text) => target.asked(text, to)) }),
  },
  discardText: target,
  undoDiscard: target,
  actOnText: target,
  resolveShared: code,
  orderSections: { asked: (asked, to) => ({ ...asked, order: asked.order.map(to) }) },
  retryPending: code,
  discardPending: code,
};

const askedOfPage: Renaming<PatchDocumentView> = {
  show: { asked: renamedPatch },
  reveal: code,
  focusedPlace: { answered: (place, to) => place && { ...place, code: to(place.code) } },
  editSection: code,
  addSection: {
    asked: (asked, to) =>
      'before' in asked
        ? { before: asked.before === null ? null : to(asked.before) }
        : typeof asked.after === 'string'
          ? { after: to(asked.after) }
          : asked,
  },
  moveSections: code,
  focusedSection: { answered: (focused, to) => focused && to(focused) },
};

type Tables = Readonly<
  Record<
    string,
    | {
        asked?: (value: unknown, to: Rename) => unknown;
        answered?: (value: unknown, to: Rename) => unknown;
      }
    | undefined
  >
>;

const ofHost = askedOfHost as Tables;
const ofPage = askedOfPage as Tables;

/** The part of a message that matters here. */
interface Message {
  rpc: string;
  id: number;
  method?: string;
  parameters?: unknown;
  result?: unknown;
}

/** See the module. */
export function partChannel(page: RpcChannel, changeId: string, { toHost, toPage }: Codes): RpcChannel {
  /** The methods that are not answered yet. */
  const asked = new Map<number, string>();
  const answering = new Map<number, string>();
  return {
    post: (message) =>
      page.post({
        patch: changeId,
        message: renamed(message as Message, { askedOf: ofHost, asked, answering, of: ofPage, to: toHost }),
      } satisfies ForPart),
    listen: (listener) =>
      page.listen((said) => {
        const { patch, message } = membersOf(said) as Partial<ForPart>;
        if (patch === changeId) {
          listener(
            renamed(message as Message, {
              askedOf: ofPage,
              asked: answering,
              answering: asked,
              of: ofHost,
              to: toPage,
            }),
          );
        }
      }),
  };
}

/** A message with other codes: one that asks, or one that answers what the other side has asked. */
function renamed(
  message: Message,
  parts: {
    askedOf: Tables;
    asked: Map<number, string>;
    answering: Map<number, string>;
    of: Tables;
    to: Rename;
  },
): Message {
  const { askedOf, asked, answering, of, to } = parts;
  switch (message.rpc) {
    case 'request': {
      asked.set(message.id, message.method ?? '');
      const rename = askedOf[message.method ?? '']?.asked;
      return rename ? { ...message, parameters: rename(message.parameters, to) } : message;
    }
    case 'result': {
      const rename = of[answering.get(message.id) ?? '']?.answered;
      answering.delete(message.id);
      return rename ? { ...message, result: rename(message.result, to) } : message;
    }
    case 'error':
      answering.delete(message.id);
      return message;
    default:
      return message;
  }
}

/** A patch, with all of its sections or with codes in the place of those that are known. */
function renamedPatch(patch: PatchUpdate, to: Rename): PatchUpdate {
  const { sections, tickedSections, unread, unseen, unexplained, stale, comparison, pending } = patch;
  return {
    ...patch,
    sections: sections.map((section) =>
      typeof section === 'string' ? to(section) : { ...section, code: to(section.code) },
    ),
    tickedSections: tickedSections.map(to),
    pending: renamedPending(pending, to),
    ...(unread && { unread: unread.map(to) }),
    ...(unseen && { unseen: unseen.map(to) }),
    ...(unexplained && { unexplained: unexplained === 'same' ? unexplained : renamedKeys(unexplained, to) }),
    ...(stale && {
      stale:
        stale === 'same'
          ? stale
          : renamedKeys(
              mapValues(stale, (text) => ({
                ...text,
                files: text.files.map((file) => code.asked(file, to)),
              })),
              to,
            ),
    }),
    ...(comparison && {
      comparison:
        comparison === 'same'
          ? comparison
          : {
              ...comparison,
              sections: renamedKeys(comparison.sections, to),
              removed: comparison.removed.map((gone) => ({
                ...gone,
                after: gone.after === null ? null : to(gone.after),
              })),
            },
    }),
  };
}

function renamedPending(pending: PatchPending, to: Rename): PatchPending {
  const { texts, deletions, order, elsewhere } = pending;
  return {
    ...pending,
    texts: texts.map((text) => target.asked(text, to)),
    deletions: deletions.map((deletion) => ({ ...deletion, value: to(deletion.value) })),
    ...(order && { order: { ...order, value: order.value.map(to) } }),
    ...(elsewhere && { elsewhere: elsewhere.map((change) => code.asked(change, to)) }),
  };
}

function renamedLink(link: LinkTarget, to: Rename): LinkTarget {
  const renamedPlace = <T extends LinkTarget>(place: T): T =>
    place.kind === 'line' ? { ...place, code: to(place.code) } : place;
  return link.kind === 'several' ? { ...link, places: link.places.map(renamedPlace) } : renamedPlace(link);
}

function renamedKeys<T>(values: Record<string, T>, to: Rename): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [to(key), value]));
}

function mapValues<T>(values: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
