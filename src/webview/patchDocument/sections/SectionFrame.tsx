import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { everywhere, useNearViewport } from '../../common/nearViewport.ts';
import { Toolbar } from '../../common/Toolbar.tsx';
import type { Drawing } from './onScreen.ts';

/** What stands around the content of every section. */
export interface SectionSlots {
  handle?: ComponentChildren;
  /** Buttons of the toolbar at the end of the section's header. */
  actions?: ComponentChildren;
  /** What the menu of the section is told, as JSON: VS Code's `data-vscode-context`. */
  menuContext?: string;
  /** Something said below the content. */
  note?: ComponentChildren;
  after?: ComponentChildren;
}

/** Whether a section is drawn. One that is far from what is on screen is but room for it: there may be thousands. */
export interface Presence {
  frame: RefObject<HTMLElement | null>;
  drawn: boolean;
  /** How high the section is while it is not drawn, in CSS. */
  room: string;
}

/**
 * Has a section drawn when it is near to what is on screen.
 *
 * @param lines how many lines high it is, about.
 * @param needed whether it is drawn wherever it is.
 */
export function usePresence(options: { drawing: Drawing; needed?: boolean; lines: number }): Presence {
  const { drawing, needed = false, lines } = options;
  const frame = useRef<HTMLElement>(null);
  const { near, height } = useNearViewport(frame, drawing.atFirst, drawing.asAWhole ? everywhere : undefined);
  const drawn = near || needed;
  const measured = useRef<{ lines: number; height: number }>(undefined);
  if (drawn) {
    measured.current = undefined;
  } else if (height !== undefined) {
    // Folded meanwhile, it has another height.
    measured.current ??= { lines, height };
  }
  const known = measured.current?.lines === lines ? measured.current.height : undefined;
  return { frame, drawn, room: known === undefined ? `calc(var(--line-height) * ${lines})` : `${known}px` };
}

/** A section: focusable as a whole, with its header above its content, and what stands below it. */
export function SectionFrame(
  props: SectionSlots & {
    section: Pick<SectionView, 'type' | 'code'>;
    presence: Presence;
    /** The accessible name. */
    label: string;
    /** The header's own content: the file's path, the marks, the statistics. */
    header?: ComponentChildren;
    children: ComponentChildren;
  },
) {
  const { section, presence, label, header, handle, actions, menuContext, note, after, children } = props;
  const { frame, drawn, room } = presence;
  const hasHeader = header !== undefined || handle !== undefined || actions !== undefined;
  return (
    <>
      <section
        ref={frame}
        class={drawn ? 'section' : 'section far'}
        style={{ height: drawn ? '' : room }}
        data-section={section.code}
        data-section-type={section.type}
        tabIndex={-1}
        aria-label={label}
        data-vscode-context={menuContext}
      >
        {drawn && (
          <>
            {hasHeader && (
              <div class="section-header">
                {handle}
                <div class="section-title">{header}</div>
                <Toolbar class="section-actions" label={label}>
                  {actions}
                </Toolbar>
              </div>
            )}
            {children}
            {note}
          </>
        )}
      </section>
      {drawn && after}
    </>
  );
}
