import type { ComponentChildren } from 'preact';
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { Toolbar } from '../../common/Toolbar.tsx';

export interface SectionSlots {
  handle?: ComponentChildren;
  /** Buttons of the toolbar at the end of the section's header. */
  actions?: ComponentChildren;
  /** The context of the section's menu, as JSON: VS Code's `data-vscode-context`. */
  menuContext?: string;
  /** Something said below the content. */
  note?: ComponentChildren;
  after?: ComponentChildren;
}

/** A section: focusable as a whole, with its header above its content, and what stands below it. */
export function SectionFrame(
  props: SectionSlots & {
    section: Pick<SectionView, 'type' | 'code'>;
    /** The accessible name. */
    label: string;
    /** The header's own content: the file's path, the marks, the statistics. */
    header?: ComponentChildren;
    children: ComponentChildren;
  },
) {
  const { section, label, header, handle, actions, menuContext, note, after, children } = props;
  const hasHeader = header !== undefined || handle !== undefined || actions !== undefined;
  return (
    <>
      <section
        class="section"
        data-section={section.code}
        data-section-type={section.type}
        tabIndex={-1}
        aria-label={label}
        data-vscode-context={menuContext}
      >
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
      </section>
      {after}
    </>
  );
}
