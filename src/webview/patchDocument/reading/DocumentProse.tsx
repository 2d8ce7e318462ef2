import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { PanelSettings } from '../../../protocol/panel.ts';
import { inBackground } from '../../../util/inBackground.ts';
import { listedLines, type LinkTarget } from '../../../util/proseLink.ts';
import { untilAnswered } from '../../../protocol/rpc.ts';
import type { MarkdownOptions } from '../../common/markdown.ts';
import { Prose } from '../../common/Prose.tsx';
import { LinkCard, useLinkCard } from './LinkCard.tsx';
import { useReading, type Reading } from './reading.ts';
import { useProseLinks } from './useProseLinks.ts';

/** The level of the patch's title among the headings: those of its prose are below it. */
export const titleLevel = 1;

/** Markdown in the patch document: what it says of files, patches and people leads to them. */
export function DocumentProse(props: {
  markdown: string;
  id: string;
  settings: PanelSettings;
  /** Marks something in what is rendered. */
  mark?: ((html: string) => string) | undefined;
}) {
  const { markdown, id, settings, mark } = props;
  const reading = useReading();
  const links = useProseLinks(id, markdown);
  const imageAt = useImages(markdown);
  const { card, ...handlers } = useLinkCard(links);
  return (
    <div {...handlers}>
      <Prose
        markdown={markdown}
        settings={settings}
        id={id}
        headingsBelow={titleLevel}
        {...(mark && { mark })}
        onReference={({ path, start, end }) => inBackground(reading.showReference(path, start, end))}
        links={links}
        {...(imageAt && { imageAt })}
        onLink={(target) => inBackground(followLink(reading, target))}
      />
      {card && <LinkCard {...card} />}
    </div>
  );
}

/** Returns true for a text that may show images. */
export function showsImages(markdown: string): boolean {
  return /!\[|<img/i.test(markdown);
}

/** Gives the images that a text shows, once they are there; undefined when it shows none. */
function useImages(markdown: string): MarkdownOptions['imageAt'] {
  const { images } = useReading();
  const [known, setKnown] = useState(images.known);
  const hasImages = showsImages(markdown);
  useLayoutEffect(() => {
    if (!hasImages) {
      return;
    }
    const look = (): void => setKnown(images.known);
    look();
    const subscription = images.onDidChange(look);
    return () => void subscription.dispose();
  }, [images, hasImages]);
  return useMemo(
    () =>
      hasImages
        ? (path) => {
            images.want(path);
            return known.get(path);
          }
        : undefined,
    [images, hasImages, known],
  );
}

async function followLink(reading: Reading, target: LinkTarget): Promise<void> {
  const { host } = reading;
  switch (target.kind) {
    case 'file':
      await reading.showReference(target.path, target.start, target.end);
      break;
    case 'lost':
      await reading.showReference(target.path, undefined, undefined);
      break;
    case 'line':
      reading.showLine(target.code, 'new', target.line);
      break;
    case 'several': {
      const chosen = await host.request(
        'chooseLine',
        { lines: listedLines(target) },
        { timeoutMs: untilAnswered },
      );
      const place = chosen === null ? undefined : target.places[chosen];
      if (place) {
        await followLink(reading, place);
      }
      break;
    }
    case 'patch':
      await host.request('openOther', { changeId: target.changeId });
      break;
    case 'address':
      // Its link leads there by itself.
      break;
    case 'commit':
      await host.request('openOtherCommit', { sha: target.sha });
      break;
    case 'person':
      await host.request('showUser', { login: target.login });
      break;
  }
}
