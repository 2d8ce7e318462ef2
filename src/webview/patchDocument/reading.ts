/** How the person reads the document: what is folded and viewed, how diffs are laid out, where they are. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type {
  DiffSectionView,
  PatchDocumentHost,
  PatchDocumentView,
  PatchView,
  ReadingPreferences,
  SectionView,
} from '../../protocol/patchDocument.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { Store, useStore } from '../common/store.ts';
import { bringIntoView } from './bringIntoView.ts';
import { machineWritten } from './diff/generated.ts';

/** The panel in the extension host, as the components see it. */
export type Host = RpcPeer<PatchDocumentView, PatchDocumentHost>;

/** A line to be brought into view; `end` is the last of several. */
export interface Target {
  code: string;
  side: 'old' | 'new';
  line: number;
  end: number;
  /** Whether the line is to be focused too. */
  focus: boolean;
  /** Told apart from an earlier wish for the same line. */
  wish: number;
}

/** See the module. */
export interface ReadingState extends ReadingPreferences {
  /** Sections that the person has folded or unfolded; the others are as they begin. */
  folded: ReadonlyMap<string, boolean>;
  viewed: ReadonlySet<string>;
  /** The section that is read now. */
  current: string | undefined;
  /** Whether the workspace's git has the commit: then files can be read whole, and the commit opened. */
  commitInWorkspace: boolean;
  /** Whether the workspace has been looked at: nothing else is asked of its git before. */
  workspaceKnown: boolean;
  target: Target | undefined;
}

/** Characters of a diff up to which its section starts out unfolded. */
const largestUnfoldedDiff = 60_000;

/** See the module. */
export class Reading {
  readonly store: Store<ReadingState>;
  readonly host: Host;
  #patch: PatchView | undefined;
  #wishes = 0;

  constructor(host: Host, preferences: ReadingPreferences) {
    this.host = host;
    this.store = new Store<ReadingState>({
      ...preferences,
      folded: new Map(),
      viewed: new Set(),
      current: undefined,
      commitInWorkspace: false,
      workspaceKnown: false,
      target: undefined,
    });
  }

  /** Takes in the patch that is shown now: another one is read from its start. */
  begin(patch: PatchView): void {
    const same = this.#patch?.address.changeId === patch.address.changeId;
    const sameCommit = same && this.#patch?.commitSha === patch.commitSha;
    this.#patch = patch;
    this.store.update({
      viewed: new Set(patch.viewedSections),
      ...(!same && {
        folded: new Map<string, boolean>(),
        current: undefined,
        target: undefined,
      }),
      ...(!sameCommit && { commitInWorkspace: false, workspaceKnown: false }),
    });
    if (!sameCommit) {
      void this.#lookForCommit(patch);
    }
  }

  /** A section of the patch that is shown. */
  section(code: string): SectionView | undefined {
    return this.#patch?.sections.find((section) => section.code === code);
  }

  /** Folds or unfolds a section. */
  fold(code: string, folded: boolean): void {
    this.store.update({ folded: new Map(this.store.value.folded).set(code, folded) });
  }

  /** Folds or unfolds every file. */
  foldAll(folded: boolean): void {
    const files = (this.#patch?.sections ?? []).filter(({ type }) => type === 'diff');
    this.store.update({ folded: new Map(files.map(({ code }) => [code, folded])) });
  }

  /** Marks a section as viewed, which folds a file, or as not viewed. */
  setViewed(section: SectionView, viewed: boolean): void {
    const codes = new Set(this.store.value.viewed);
    if (viewed) {
      codes.add(section.code);
    } else {
      codes.delete(section.code);
    }
    const folded = new Map(this.store.value.folded).set(section.code, viewed);
    this.store.update({ viewed: codes, ...(section.type === 'diff' && { folded }) });
    void this.host.request('setViewed', { code: section.code, viewed }).catch(() => undefined);
  }

  /** Changes how diffs are laid out, from now on. */
  prefer(change: Partial<ReadingPreferences>): void {
    this.store.update(change);
    const { layout, ignoreWhitespace } = this.store.value;
    void this.host.request('setPreferences', { layout, ignoreWhitespace }).catch(() => undefined);
  }

  /** Brings a line of a file into view, whatever is folded. */
  showLine(
    code: string,
    side: 'old' | 'new',
    line: number,
    { end = line, focus = true }: { end?: number | undefined; focus?: boolean } = {},
  ): void {
    this.store.update({
      folded: new Map(this.store.value.folded).set(code, false),
      target: { code, side, line, end, focus, wish: ++this.#wishes },
    });
  }

  /** Brings a line of a file that the prose names into view: here, else in an editor. */
  async showReference(path: string, line: number | undefined, end: number | undefined): Promise<void> {
    const section = this.#patch?.sections.find(
      (candidate) => candidate.type === 'diff' && (candidate.path === path || candidate.oldPath === path),
    );
    if (section && line !== undefined) {
      this.showLine(section.code, 'new', line, { end });
    } else if (section) {
      revealSection(section.code);
    } else {
      await this.host.request('openFile', { path, ...(line !== undefined && { line }) });
    }
  }

  async #lookForCommit(patch: PatchView): Promise<void> {
    const found = await this.host.request('commitInWorkspace', null).catch(() => false);
    if (this.#patch?.commitSha === patch.commitSha) {
      this.store.update({ commitInWorkspace: found, workspaceKnown: true });
    }
  }
}

/** Whether a file's diff is so long that it is drawn only when it is asked for. */
export function isHuge({ diffLength }: DiffSectionView): boolean {
  return diffLength > largestUnfoldedDiff;
}

/** Whether a section is folded: as the person wants it, else when it is viewed, huge, or written by a machine. */
export function isFolded(section: SectionView, { folded, viewed }: ReadingState): boolean {
  return (
    folded.get(section.code) ??
    (section.type === 'diff' &&
      (viewed.has(section.code) || isHuge(section) || machineWritten(section.path) !== undefined))
  );
}

/** Scrolls to a section and focuses it. */
export function revealSection(code: string): void {
  const section = document.querySelector<HTMLElement>(`[data-section="${CSS.escape(code)}"]`);
  if (section) {
    bringIntoView(section, 'start');
  }
  section?.focus({ preventScroll: true });
}

/** The document's reading, for the components in it. */
export const ReadingContext = createContext<Reading | undefined>(undefined);

/** The document's reading. */
export function useReading(): Reading {
  const reading = useContext(ReadingContext);
  if (!reading) {
    throw new Error('There is no patch document around this.');
  }
  return reading;
}

/** Part of how the person reads the document, as it is now and whenever it changes. */
export function useReadingState<S>(select: (state: ReadingState) => S): S {
  return useStore(useReading().store, select);
}
