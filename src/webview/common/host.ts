import * as l10n from '@vscode/l10n';
import { RpcPeer, type Handlers, type Methods, type RpcChannel } from '../../protocol/rpc.ts';
import { Outbox, pageLife } from './outbox.ts';
import { BrowserShelf, StateShelf } from './shelf.ts';
import { messageOf } from '../../util/messageOf.ts';

export { untilAnswered } from '../../protocol/rpc.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): ({ outbox?: unknown } & object) | undefined;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** This webview's connection to its panel. */
export interface HostConnection<Remote extends Methods<Remote>, Local extends Methods<Local>> {
  peer: RpcPeer<Local, Remote>;
  /** The state that was kept when the page was last shown. */
  state: unknown;
  /** Keeps what VS Code hands to the panel's serializer after a reload. */
  setState: (state: object) => void;
  /** Keeps what is typed until the extension host has it on disk. */
  outbox: Outbox;
  /** Speaks with a part of the extension host of its own, by a channel that is made of the page's. */
  speak: <R extends Methods<R>, L extends Methods<L>>(
    channelOf: (page: RpcChannel) => RpcChannel,
    handlers: Handlers<L>,
  ) => RpcPeer<L, R>;
}

/** Begins the names of everything that our pages keep in the browser's storage. */
const shelfPrefix = 'patch-stacks/outbox/';

/** Connects this webview to its panel in the extension host. May be called once. */
export function connectToHost<Remote extends Methods<Remote>, Local extends Methods<Local>>(
  handlers: Handlers<Local>,
): HostConnection<Remote, Local> {
  const api = acquireVsCodeApi();
  const page: RpcChannel = {
    post: (message) => api.postMessage(message),
    listen: (listener) => {
      const onMessage = (event: MessageEvent): void => listener(event.data);
      window.addEventListener('message', onMessage);
      return { dispose: () => window.removeEventListener('message', onMessage) };
    },
  };
  let state = api.getState();
  const setState = (changed: object): void => {
    state = changed;
    api.setState(state);
  };
  const shelf =
    BrowserShelf.open(shelfPrefix) ??
    new StateShelf(state?.outbox, (outbox) => setState({ ...state, outbox }));
  const outbox = new Outbox({ shelf, page: crypto.randomUUID(), ...pageLife });
  const peers: { readonly isSilent: boolean }[] = [];
  const speak = <R extends Methods<R>, L extends Methods<L>>(
    channelOf: (page: RpcChannel) => RpcChannel,
    answers: Handlers<L>,
  ): RpcPeer<L, R> => {
    const peer = new RpcPeer<L, R>(channelOf(page), answers, (error) => ({ message: messageOf(error) }), {
      describe: () => l10n.t("VS Code's extension host isn't responding."),
    });
    peer.onDidChangeSilence((isSilent) => {
      if (isSilent) {
        outbox.flush();
      } else {
        outbox.withdraw();
      }
    });
    peer.onDidGiveUp(() => outbox.offer());
    peers.push(peer);
    return peer;
  };
  // A page that goes hears no answer any more: the next one looks what has become of what it said last.
  window.addEventListener('pagehide', () =>
    peers.some(({ isSilent }) => isSilent) ? outbox.offer() : outbox.flush(),
  );
  return {
    peer: speak<Remote, Local>((channel) => channel, handlers),
    speak,
    state,
    setState: (own) => setState({ ...own, ...(state?.outbox !== undefined && { outbox: state.outbox }) }),
    outbox,
  };
}
