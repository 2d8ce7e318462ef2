import type { PanelSettings } from '../../../protocol/panel.ts';
import type { LinkTarget } from '../../../util/proseLink.ts';
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
  const { card, ...handlers } = useLinkCard(links);
  return (
    <div {...handlers}>
      <Prose
        markdown={markdown}
        settings={settings}
        id={id}
        headingsBelow={titleLevel}
        {...(mark && { mark })}
        onReference={({ path, start, end }) => void reading.showReference(path, start, end)}
        links={links}
        onLink={(target) => void followLink(reading, target)}
      />
      {card && <LinkCard {...card} />}
    </div>
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
