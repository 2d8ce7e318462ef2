import { useEffect, useState } from 'preact/hooks';
import type { FormPage } from '../../protocol/form.ts';
import type { ReleaseHost, RevisionAnswer } from '../../protocol/release.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { inBackground } from '../../util/inBackground.ts';
import { messageOf } from '../../util/messageOf.ts';

/** The panel in the extension host, as the form sees it. */
export type Host = RpcPeer<FormPage, ReleaseHost>;

/** Milliseconds after the last key press until a revision is looked up. */
const lookupDelayMs = 250;

/**
 * Looks up what a revision stands for while it is typed.
 *
 * @returns `answer` as far as that is known, and `find`, which looks it up at once.
 */
export function useRevision(
  host: Host,
  place: string,
  revision: string,
): { answer: RevisionAnswer | undefined; find: () => Promise<RevisionAnswer> } {
  const [lookup, setLookup] = useState<{ place: string; revision: string; answer: RevisionAnswer }>();

  async function find(signal?: AbortSignal): Promise<RevisionAnswer> {
    let answer: RevisionAnswer;
    try {
      answer = await host.request('findRevision', { place, revision }, signal && { signal });
    } catch (error) {
      answer = { kind: 'unknown', reason: messageOf(error) };
    }
    if (signal?.aborted !== true) {
      setLookup({ place, revision, answer });
    }
    return answer;
  }

  useEffect(() => {
    if (revision.trim() === '') {
      return;
    }
    const controller = new AbortController();
    const timer = window.setTimeout(() => inBackground(find(controller.signal)), lookupDelayMs);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [place, revision]);

  const isOfThis = lookup?.place === place && lookup.revision === revision;
  return { answer: isOfThis ? lookup.answer : undefined, find: () => find() };
}
