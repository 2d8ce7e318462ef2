import { Prose } from '../../common/Prose.tsx';
import type { PanelSettings } from '../../../protocol/panel.ts';
import { useReading } from './reading.ts';

/** The level of the patch's title among the headings: those of its prose are below it. */
export const titleLevel = 1;

/** Markdown in the patch document: what it says of files leads to them. */
export function DocumentProse(props: {
  markdown: string;
  id: string;
  settings: PanelSettings;
  /** Marks something in what is rendered. */
  mark?: ((html: string) => string) | undefined;
}) {
  const reading = useReading();
  return (
    <Prose
      markdown={props.markdown}
      settings={props.settings}
      id={props.id}
      headingsBelow={titleLevel}
      {...(props.mark && { mark: props.mark })}
      onReference={({ path, start, end }) => void reading.showReference(path, start, end)}
    />
  );
}
