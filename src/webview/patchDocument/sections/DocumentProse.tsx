import { Prose } from '../../common/Prose.tsx';
import type { PanelSettings } from '../../../protocol/panel.ts';
import { useReading } from '../reading.ts';

/** Markdown in the patch document: what it says of files leads to them. */
export function DocumentProse(props: { markdown: string; id: string; settings: PanelSettings }) {
  const reading = useReading();
  return (
    <Prose
      markdown={props.markdown}
      settings={props.settings}
      id={props.id}
      onReference={({ path, start, end }) => void reading.showReference(path, start, end)}
    />
  );
}
