import type { FeedbackHost, FeedbackPage } from '../../protocol/feedback.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';

/** The panel in the extension host, as the form sees it. */
export type Host = RpcPeer<FeedbackPage, FeedbackHost>;
