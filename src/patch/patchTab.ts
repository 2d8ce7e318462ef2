import type { PageChannel } from '../ui/panelHost.ts';
import type { PagePanel } from '../ui/pagePanel.ts';
import type { Event } from '../util/event.ts';

/** The place of a patch document: a tab of its own, or a part of the document of its stack. */
export interface PatchTab
  extends PageChannel, Pick<PagePanel, 'title' | 'viewColumn' | 'visible' | 'active' | 'setIcon'> {
  readonly onDidChangeViewState: Event<void>;
  /** True while the patch is loaded for something else than being read, such as a search. */
  readonly isUnopened?: boolean;
  /** Brings it into view. */
  reveal: () => void;
  dispose: () => void;
}
