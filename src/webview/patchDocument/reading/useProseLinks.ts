import { useEffect, useState } from 'preact/hooks';
import { ProseLinks } from '../../../util/proseLink.ts';
import { useReading, useReadingState } from './reading.ts';

/**
 * The words of a section's text that lead somewhere: asked for once it is there to be read, and the workspace was looked at.
 *
 * @param code that of the section; of other texts nothing is known.
 */
export function useProseLinks(code: string, markdown: string): ProseLinks | undefined {
  const reading = useReading();
  const workspaceKnown = useReadingState((state) => state.workspaceKnown);
  const isSection = reading.section(code)?.type === 'text';
  const name = JSON.stringify([reading.fingerprint, code, markdown]);
  const [links, setLinks] = useState(() => reading.links.get(name));
  useEffect(() => {
    const known = reading.links.get(name);
    // While it is being asked, those of before stay: mostly they are the same.
    if (known || !isSection || !workspaceKnown) {
      setLinks((before) => known ?? before);
      return;
    }
    const controller = new AbortController();
    reading.host.request('proseLinks', { code }, { signal: controller.signal }).then(
      (found) => {
        const made = new ProseLinks(found);
        reading.links.set(name, made);
        setLinks(made);
      },
      // It is worth reading without them.
      () => undefined,
    );
    return () => controller.abort();
  }, [name, isSection, workspaceKnown]);
  return links;
}
