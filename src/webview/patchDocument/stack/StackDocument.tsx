import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { PatchView } from '../../../protocol/patchDocument.ts';
import type { PatchOutline, StackDocumentView } from '../../../protocol/stackDocument.ts';
import { Problem } from '../../common/Problem.tsx';
import { Heights } from '../../common/listWindow.ts';
import { restorePlace } from '../../common/stillPlace.ts';
import { useListWindow } from '../../common/useListWindow.ts';
import { useWide } from '../../common/useWide.ts';
import { FindBar } from '../find/FindBar.tsx';
import type { Finding } from '../find/finding.ts';
import { FinishBar } from '../finish/FinishBar.tsx';
import { DocumentToolbar, type LayoutChoices } from '../header/DocumentToolbar.tsx';
import { NewerNote } from '../header/NewerNote.tsx';
import { PatchHeader } from '../header/PatchHeader.tsx';
import { Outline } from '../outline/Outline.tsx';
import { readingLine, sectionAt, useOnScroll } from '../reading/followScroll.ts';
import { ReadingContext } from '../reading/reading.ts';
import { roomForOutline } from '../reading/room.ts';
import { SectionList } from '../SectionList.tsx';
import { Announcer } from '../writing/Announcer.tsx';
import { StatusLine } from '../writing/StatusLine.tsx';
import { useChanges, useWriting, WritingContext } from '../writing/WritingContext.tsx';
import { StackHeader } from './StackHeader.tsx';
import type { StackPart } from './stackPart.ts';

/** The page of the document, which is told of what is drawn and read. */
interface PageOfStack {
  noteDrawn: (changeId: string, isDrawn: boolean) => void;
  /** Told of the patch that is read now, and the section of it if it is in one. */
  noteCurrent: (changeId: string, section: string | undefined) => void;
  /** Told how a patch is drawn at once. */
  drawBy: (draw: (changeId: string) => void) => void;
  goTo: (changeId: string) => void;
  /** Goes on to the newer version. */
  showNewer: () => void;
  retry: (changeId: string) => void;
}

interface Props {
  stack: StackDocumentView;
  settings: PanelSettings;
  /** Base to tip. */
  parts: readonly StackPart[];
  /** The patch that is read now. */
  current: StackPart | undefined;
  finding: Finding;
  isSideBySide: boolean;
  layout: LayoutChoices;
  page: PageOfStack;
}

/** Pixels of a patch beside its lines, of each of its files, and of a line, about. */
const patchHeight = 260;
const fileHeight = 90;
const lineHeight = 20;

/** Pixels below the toolbar in which a patch counts as the one that is read: its title is on the screen. */
const titleLine = 200;

/** All patches of a stack, one after another, each as in a document of its own; what is far away is not drawn. */
export function StackDocument(props: Props) {
  const { stack, settings, parts, current, finding, isSideBySide, layout, page } = props;
  const rooms = { unified: useWide(roomForOutline.unified), sideBySide: useWide(roomForOutline.sideBySide) };
  const wide = isSideBySide ? rooms.sideBySide : rooms.unified;
  const [wanted, setWanted] = useState<boolean>();
  useEffect(() => setWanted(undefined), [wide]);
  const outlineShown = wanted ?? wide;
  useFollowScroll(page, stack);
  const changeId = current?.outline.changeId ?? '';
  return (
    <div class={`document stack ${wide ? 'wide' : 'narrow'}`}>
      <InPatch of={current}>
        {(patch) => (
          <DocumentToolbar
            patch={patch}
            hasOutline={parts.length > 0}
            outlineShown={outlineShown}
            onToggleOutline={() => setWanted(!outlineShown)}
            onFind={() => finding.open()}
            layout={layout}
          />
        )}
      </InPatch>
      <FindBar finding={finding} />
      {outlineShown && (
        <InPatch of={current}>
          {() => (
            <SectionsOutline
              patches={{ all: stack.patches, current: changeId, onGo: page.goTo }}
              isOver={!wide}
              onGone={() => !wide && setWanted(false)}
            />
          )}
        </InPatch>
      )}
      <main>
        <StackHeader title={stack.title} count={parts.length} />
        <Patches stack={stack} settings={settings} parts={parts} current={current} page={page} />
      </main>
    </div>
  );
}

/** Draws something of a patch, with its reading and its writing; nothing until it is loaded. */
function InPatch(props: { of: StackPart | undefined; children: (patch: PatchView) => ComponentChildren }) {
  const { part, shown } = props.of ?? {};
  return part?.reading && shown ? (
    <ReadingContext.Provider value={part.reading}>
      <WritingContext.Provider value={part.writing.parts}>{props.children(shown)}</WritingContext.Provider>
    </ReadingContext.Provider>
  ) : null;
}

function SectionsOutline(props: Omit<Parameters<typeof Outline>[0], 'sections'>) {
  const { writing } = useWriting();
  useChanges(writing.onDidChange);
  return <Outline sections={writing.shown} {...props} />;
}

function Patches({
  stack,
  settings,
  parts,
  current,
  page,
}: Omit<Props, 'finding' | 'isSideBySide' | 'layout'>) {
  const list = useRef<HTMLDivElement>(null);
  const ids = stack.patches.map(({ changeId }) => changeId).join('\n');
  /** Patches are as high in the next version, about: so what is on the screen stays there. */
  const measured = useRef(new Map<string, number>());
  const heights = useMemo(
    () => new Heights(stack.patches.map((one) => measured.current.get(one.changeId) ?? heightOf(one))),
    [ids],
  );
  const onMeasure = (index: number, height: number): unknown =>
    measured.current.set(stack.patches[index]?.changeId ?? '', height);
  const kept = parts.flatMap((part, index) => (isWrittenIn(part) || part === current ? [index] : []));
  const { parts: shown, draw } = useListWindow({ list, heights, atFirst: 1, kept, onMeasure });
  useLayoutEffect(() =>
    page.drawBy((changeId) => {
      const index = parts.findIndex(({ outline }) => outline.changeId === changeId);
      if (index >= 0) {
        draw(index);
      }
    }),
  );
  const drawn = shown.flatMap((one) => (one.kind === 'item' ? (parts[one.index] ?? []) : []));
  return (
    <>
      <div class="patch-places" ref={list} role="list" aria-label={l10n.t('Patches')}>
        {shown.map((one) => {
          const part = one.kind === 'item' ? parts[one.index] : undefined;
          return one.kind === 'item' && part ? (
            <div
              key={part.outline.changeId}
              class="patch-place"
              data-part={one.index}
              role="listitem"
              aria-posinset={one.index + 1}
              aria-setsize={parts.length}
            >
              <Patch
                part={part}
                index={one.index}
                isCurrent={part === current}
                isNewerTold={stack.newer !== undefined}
                settings={settings}
                page={page}
                height={heights.of(one.index)}
              />
            </div>
          ) : one.kind === 'room' ? (
            <div
              key={`room ${one.end}`}
              class="far-patches"
              data-part="room"
              data-first={one.start}
              data-last={one.end - 1}
              style={{ height: `${one.height}px` }}
            />
          ) : null;
        })}
      </div>
      <StatusLines stack={stack} page={page} drawn={drawn} current={current} />
    </>
  );
}

function isWrittenIn({ part }: StackPart): boolean {
  return (part?.writing.parts?.writing.edits.length ?? 0) > 0;
}

/** Says below the toolbar what is to be said of the stack, and of the patches that are drawn. */
function StatusLines({
  stack,
  page,
  drawn,
  current,
}: Pick<Props, 'stack' | 'page' | 'current'> & { drawn: readonly StackPart[] }) {
  const sayingSilence = drawn.find(isWrittenIn) ?? current ?? drawn[0];
  return (
    <div class="status-lines">
      <div class="status-line" role="status">
        <NewerNote newer={stack.newer} onShow={page.showNewer} />
      </div>
      {drawn.map((part) => (
        <InPatch key={part.outline.changeId} of={part}>
          {() => (
            <>
              <StatusLine saysSilence={part === sayingSilence} />
              <Announcer />
            </>
          )}
        </InPatch>
      ))}
    </div>
  );
}

function Patch(props: {
  part: StackPart;
  index: number;
  /** True for the one that is read now. */
  isCurrent: boolean;
  /** True when there is a newer version of the stack. */
  isNewerTold: boolean;
  settings: PanelSettings;
  page: PageOfStack;
  height: number;
}) {
  const { part, index, isCurrent, isNewerTold, settings, page, height } = props;
  const { changeId, title } = part.outline;
  useEffect(() => {
    page.noteDrawn(changeId, true);
    return () => page.noteDrawn(changeId, false);
  }, [part]);
  // Above the screen, it is another height than the room that was left for it.
  useLayoutEffect(restorePlace, [part.shown === undefined]);
  if (!part.shown) {
    return (
      <article
        class="patch unloaded far-patches"
        aria-label={title}
        data-unloaded={changeId}
        data-first={index}
        data-last={index}
        style={{ minHeight: `${height}px` }}
      >
        <h2 dir="auto" tabIndex={-1}>
          {title}
        </h2>
        {part.failure === undefined ? (
          <p role="status">{l10n.t('Loading the patch…')}</p>
        ) : (
          <Problem text={part.failure}>
            <button type="button" class="link-button" onClick={() => page.retry(changeId)}>
              {l10n.t('Retry')}
            </button>
          </Problem>
        )}
      </article>
    );
  }
  return (
    <InPatch of={part}>
      {(patch) => (
        <article class="patch" data-patch={changeId} aria-label={patch.title}>
          <PatchHeader patch={patch} settings={settings} isNewerTold={isNewerTold} />
          <Sections patch={patch} settings={settings} />
          <FinishBar patch={patch} isPart isQuiet={!isCurrent} />
        </article>
      )}
    </InPatch>
  );
}

function Sections({ patch, settings }: { patch: PatchView; settings: PanelSettings }) {
  const { writing, reordering } = useWriting();
  useChanges(writing.onDidChange);
  const sections = writing.shown;
  reordering.setShown(sections);
  return <SectionList sections={sections} gone={patch.comparison?.removed} settings={settings} isPart />;
}

function heightOf({ files, lines }: PatchOutline): number {
  return patchHeight + files * fileHeight + lines * lineHeight;
}

/** Notes which patch is read while the person scrolls, and which section of it. */
function useFollowScroll(page: PageOfStack, key: unknown): void {
  useOnScroll(() => {
    const patches = [...document.querySelectorAll<HTMLElement>('[data-patch]')];
    const patch = patches.findLast((one) => one.getBoundingClientRect().top <= titleLine) ?? patches[0];
    const changeId = patch?.dataset['patch'];
    if (changeId !== undefined) {
      const section = sectionAt(readingLine);
      const code = section?.getAttribute('data-section') ?? undefined;
      page.noteCurrent(changeId, section && patch?.contains(section) ? code : undefined);
    }
  }, [key]);
}
