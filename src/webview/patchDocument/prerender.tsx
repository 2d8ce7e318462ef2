/**
 * Draws the beginning of a patch document in the extension host, so that it is on screen as soon as the page is there. It
 * cannot be used until the page's script has drawn all of it in its place.
 */
import { options, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import * as l10n from '@vscode/l10n';
import type { Prerender } from '../../protocol/patchDocument.ts';
import { WritingContext } from './writing/WritingContext.tsx';
import { isReadOnly, Writing } from './writing/writing.ts';
import { FinishBar } from './finish/FinishBar.tsx';
import { DocumentToolbar } from './header/DocumentToolbar.tsx';
import { PatchHeader } from './header/PatchHeader.tsx';
import { Outline } from './outline/Outline.tsx';
import { withComparison } from './reading/compared.ts';
import { Reading, ReadingContext } from './reading/reading.ts';
import { Reordering } from './writing/reordering.ts';
import { SectionList } from './SectionList.tsx';
import { sectionsOnScreen } from './sections/onScreen.ts';
import { StackHeader } from './stack/StackHeader.tsx';

function withoutStyle(vnode: VNode): void {
  if (typeof vnode.type === 'string' && 'style' in vnode.props) {
    delete vnode.props.style;
  }
}

const never = new Promise<never>(() => undefined);
const ask = (): Promise<never> => never;
const ignore = (): void => undefined;

/** Rows of the outline that fill a screen. */
const rowsOnScreen = 40;

/** See the module. */
export const prerender: Prerender = (whole, settings, preferences, stack) => {
  const patch = withComparison(whole);
  // The content security policy lets only scripts set styles.
  options.vnode = withoutStyle;
  l10n.config({ contents: settings.bundle });
  const reading = new Reading({ request: ask }, preferences);
  reading.showMarks(patch);
  const writing = new Writing(
    ask,
    { page: '', hold: () => undefined, confirm: () => undefined },
    {
      discarded: '',
      undo: '',
      merged: '',
      saved: '',
      notSaved: '',
      silent: '',
      answersAgain: '',
      restored: '',
      kept: '',
    },
  );
  writing.readOnly = isReadOnly(patch);
  const hasOutline = patch.sections.length > 0;
  const document = (
    <>
      <PatchHeader patch={patch} settings={settings} />
      <SectionList
        sections={patch.sections.slice(0, sectionsOnScreen(patch.sections))}
        gone={patch.comparison?.removed}
        settings={settings}
      />
    </>
  );
  const end = <FinishBar patch={patch} />;
  return renderToString(
    <ReadingContext.Provider value={reading}>
      <WritingContext.Provider value={{ writing, reordering: new Reordering(writing, ask) }}>
        {/* Inert elements still have their roles for tools that don't ask the browser, which would press what does nothing. */}
        <div class="document beginning" inert aria-hidden>
          <DocumentToolbar
            patch={patch}
            hasOutline={hasOutline}
            outlineShown={hasOutline}
            onToggleOutline={ignore}
            onFind={ignore}
          />
          {hasOutline && (
            <Outline sections={patch.sections.slice(0, rowsOnScreen)} isOver={false} onGone={ignore} />
          )}
          {stack ? (
            <main>
              <StackHeader {...stack} />
              <article class="patch">
                {document}
                {end}
              </article>
            </main>
          ) : (
            <>
              <main>{document}</main>
              {end}
            </>
          )}
        </div>
      </WritingContext.Provider>
    </ReadingContext.Provider>,
  );
};
