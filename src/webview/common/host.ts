import { RpcPeer, type Handlers, type Methods } from '../../protocol/rpc.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** This webview's connection to its panel. */
export interface HostConnection<Remote extends Methods<Remote>, Local extends Methods<Local>> {
  peer: RpcPeer<Local, Remote>;
  /** What was kept when the page was last shown. */
  state: unknown;
  /** Keeps what VS Code hands to the panel's serializer after a reload. */
  setState: (state: object) => void;
}

/** Milliseconds: for requests during which the person may be asked something, which takes as long as it takes. */
export const untilAnswered = 24 * 60 * 60_000;

/** Connects this webview to its panel in the extension host. May be called once. */
export function connectToHost<Remote extends Methods<Remote>, Local extends Methods<Local>>(
  handlers: Handlers<Local>,
): HostConnection<Remote, Local> {
  const api = acquireVsCodeApi();
  const peer = new RpcPeer<Local, Remote>(
    {
      post: (message) => api.postMessage(message),
      listen: (listener) => {
        const onMessage = (event: MessageEvent): void => listener(event.data);
        window.addEventListener('message', onMessage);
        return { dispose: () => window.removeEventListener('message', onMessage) };
      },
    },
    handlers,
    (error) => ({ message: error instanceof Error ? error.message : String(error) }),
  );
  return { peer, state: api.getState(), setState: (state) => api.setState(state) };
}
