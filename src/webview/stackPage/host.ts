import type { RpcPeer } from '../../protocol/rpc.ts';
import type { StackPageHost, StackPagePage } from '../../protocol/stackPage.ts';

/** The panel in the extension host, as the page sees it. */
export type Host = Pick<RpcPeer<StackPagePage, StackPageHost>, 'request' | 'isSilent' | 'onDidChangeSilence'>;
