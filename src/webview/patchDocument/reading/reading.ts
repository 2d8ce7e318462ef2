/** The state of reading the document: folded and read sections, the layout of diffs, the current place. */
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type {
  DiffSectionView,
  MovedLines,
  PatchDocumentHost,
  PatchDocumentView,
  PatchView,
  ReadingPreferences,
  SectionView,
  StaleText,
  UnexplainedHunks,
} from '../../../protocol/patchDocument.ts';
import { inBackground } from '../../../util/inBackground.ts';
import type { ProseLinks } from '../../../util/proseLink.ts';
import type { RpcPeer } from '../../../protocol/rpc.ts';
import { stillHere } from '../../common/focusKeeping.ts';
import { Store, useStore } from '../../common/store.ts';
import type { MachineWritten } from '../../../util/machineWritten.ts';
import { sameCodes, type Codes } from './codes.ts';
import { loadIcons, type DrawnIcon } from './fileIcons.ts';
import { RepositoryImages } from './repositoryImages.ts';
import { revealSection, sectionOf } from './sectionPlaces.ts';

/** The panel in the extension host, as the components see it. */
export type Host = Pick<
  RpcPeer<PatchDocumentView, PatchDocumentHost>,
  'request' | 'isSilent' | 'onDidChangeSilence'
>;

/** A line to be brought into view; `end` is the last of several. */
export interface Target {
  code: string;
  side: 'old' | 'new';
  line: number;
  end: number;
  focus: boolean;
  /** False once the person has gone elsewhere, and stays there: the diff may be there only later. */
  isStillHere: () => boolean;
  /** The part of the line that is to be seen, in characters. */
  part?: { start: number; end: number } | undefined;
  /** Told apart from an earlier wish for the same line. */
  wish: number;
}

/** See the module. */
interface ReadingState extends ReadingPreferences {
  /** Sections that the person has folded or unfolded; the others are as they begin. */
  folded: ReadonlyMap<string, boolean>;
  /** Sections that the person has ticked: files among them begin folded. */
  ticked: ReadonlySet<string>;
  /** Sections that were on the screen for a second, or that the person has ticked. */
  read: ReadonlySet<string>;
  /** The section that is read now. */
  current: string | undefined;
  /** True when the workspace's repository has the commit: then files can be read whole, and the commit opened. */
  commitInWorkspace: boolean;
  /** True once the workspace has been looked at: nothing else is asked of its repository before. */
  workspaceKnown: boolean;
  target: Target | undefined;
  /** The lines that the patch moves, by the code of their section. */
  moved: Readonly<Record<string, MovedLines[]>>;
  /** Icons of files by their paths, once they are there. */
  icons: ReadonlyMap<string, DrawnIcon>;
  /** Sections of files that the repository says are generated, once that is known. */
  generated: ReadonlySet<string>;
  /** The hunks that no prose explains, by the code of their section. */
  unexplained: Readonly<Record<string, UnexplainedHunks>>;
  /** The texts that are older than the code that they are about, by the code of their section. */
  stale: Readonly<Record<string, StaleText>>;
}

const nothingUnexplained: ReadingState['unexplained'] = {};
const nothingMoved: ReadingState['moved'] = {};
const nothingStale: ReadingState['stale'] = {};

/** Characters of a diff up to which its section starts out unfolded. */
const largestUnfoldedDiff = 60_000;

/** See the module. */
export class Reading {
  readonly store: Store<ReadingState>;
  readonly host: Pick<Host, 'request'>;
  /** The codes of the patch's sections on the page. */
  readonly codes: Codes;
  /** Kept for parts of the page that are taken away until they are drawn again, by names of theirs. */
  readonly remembered = new Map<string, unknown>();
  readonly images: RepositoryImages;
  /** The words of texts that lead somewhere, by the text and the version that they are in. */
  readonly links = new Map<string, ProseLinks>();
  #patch: PatchView | undefined;
  /** Sections that were on the screen since the extension host has told which ones were. */
  #seen = new Set<string>();
  /** Sections that the person has marked as unread: that they are on the screen still says nothing. */
  #markedUnread = new Set<string>();
  /** What the person has just marked as read or unread, until it's noted: a state that is on its way may be from before. */
  readonly #marking = new Map<string, { isRead: boolean }>();
  #wishes = 0;

  constructor(host: Pick<Host, 'request'>, preferences: ReadingPreferences, codes = sameCodes) {
    this.host = host;
    this.codes = codes;
    this.images = new RepositoryImages(host);
    this.store = new Store<ReadingState>({
      ...preferences,
      folded: new Map(),
      ticked: new Set(),
      read: new Set(),
      current: undefined,
      commitInWorkspace: false,
      workspaceKnown: false,
      target: undefined,
      icons: new Map(),
      moved: nothingMoved,
      generated: new Set(),
      unexplained: nothingUnexplained,
      stale: nothingStale,
    });
  }

  /** Takes in the patch that is shown now: another one is read from its start. */
  begin(patch: PatchView): void {
    const same = this.#patch?.ref.changeId === patch.ref.changeId;
    const baselineOf = (of: PatchView | undefined): string => JSON.stringify(of?.comparison?.with ?? null);
    const sameComparison = baselineOf(this.#patch) === baselineOf(patch);
    // Sections of another version were not seen yet.
    const sameContent = same && this.#patch?.fingerprint === patch.fingerprint;
    const sameCommit = same && this.#patch?.commitSha === patch.commitSha;
    this.#patch = patch;
    if (!sameContent) {
      this.#seen.clear();
      this.#markedUnread.clear();
      this.#marking.clear();
    }
    this.store.update({
      ...this.#marksOf(patch),
      unexplained: patch.unexplained ?? nothingUnexplained,
      stale: patch.stale ?? nothingStale,
      ...((!same || !sameComparison) && { folded: new Map<string, boolean>() }),
      ...(!same && {
        current: undefined,
        target: undefined,
      }),
      ...(!sameContent && { moved: nothingMoved }),
      ...(!sameCommit && { commitInWorkspace: false, workspaceKnown: false, generated: new Set<string>() }),
    });
    if (!same) {
      this.remembered.clear();
      this.links.clear();
    }
    if (!sameContent) {
      this.images.clear();
      inBackground(this.#lookForMoved(patch));
    }
    if (!sameCommit) {
      inBackground(this.#lookForCommit(patch));
    }
  }

  /** Takes in what of the patch is read, and nothing else of it. */
  showMarks(patch: PatchView): void {
    this.store.update(this.#marksOf(patch));
  }

  /** Tells the versions of the patch apart. */
  get fingerprint(): string | undefined {
    return this.#patch?.fingerprint;
  }

  /** Names the patch that is shown. */
  get changeId(): string {
    return this.#patch?.ref.changeId ?? '';
  }

  /** A section of the patch that is shown. */
  section(code: string): SectionView | undefined {
    return this.#patch?.sections.find((section) => section.code === code);
  }

  /** The path of the file that the patch has by a name, if it has one alone. */
  pathOfFile(name: string): string | undefined {
    const paths = (this.#patch?.sections ?? []).flatMap((section) =>
      section.type === 'diff' && (section.path === name || section.path.endsWith(`/${name}`))
        ? section.path
        : [],
    );
    return paths.length === 1 ? paths[0] : undefined;
  }

  /** Folds or unfolds a section. */
  fold(code: string, folded: boolean): void {
    this.store.update({ folded: new Map(this.store.value.folded).set(code, folded) });
  }

  /** Folds or unfolds every file. */
  foldAll(folded: boolean): void {
    const files = (this.#patch?.sections ?? []).filter(
      ({ type, compared }) => type === 'diff' || compared?.isFolded === true,
    );
    this.store.update({ folded: new Map(files.map(({ code }) => [code, folded])) });
  }

  /** Marks a section as read, which folds a file, or as unread. */
  setRead({ code, type }: SectionView, isRead: boolean): void {
    const { ticked, read, folded } = this.store.value;
    this.#seen.delete(code);
    if (isRead) {
      this.#markedUnread.delete(code);
    } else {
      this.#markedUnread.add(code);
    }
    this.store.update({
      ticked: withCode(ticked, code, isRead),
      read: withCode(read, code, isRead),
      ...(type === 'diff' && { folded: new Map(folded).set(code, isRead) }),
    });
    const mark = { isRead };
    this.#marking.set(code, mark);
    inBackground(this.#noteMark(code, mark));
  }

  /** Has a mark kept. What could not be kept is not shown any longer, either: it would be gone when the patch is opened again. */
  async #noteMark(code: string, mark: { isRead: boolean }): Promise<void> {
    const isNoted = await this.host.request('setRead', { code, isRead: mark.isRead }).then(
      () => true,
      () => false,
    );
    if (this.#marking.get(code) !== mark) {
      return;
    }
    this.#marking.delete(code);
    if (!isNoted) {
      this.#markedUnread.delete(code);
      const { ticked, read } = this.store.value;
      this.store.update({
        ticked: withCode(ticked, code, !mark.isRead),
        read: withCode(read, code, !mark.isRead),
      });
    }
  }

  /** Notes that sections were on the screen, and that this counts. */
  noteSeen(codes: readonly string[]): void {
    const counting = codes.filter((code) => !this.#markedUnread.has(code));
    counting.forEach((code) => this.#seen.add(code));
    this.store.update({ read: new Set([...this.store.value.read, ...counting]) });
  }

  /** True for a section of which it says nothing that it is on the screen: the person has marked it as unread. */
  isMarkedUnread(code: string): boolean {
    return this.#markedUnread.has(code);
  }

  /** Changes how diffs are laid out, from now on. */
  prefer(change: Partial<ReadingPreferences>): void {
    this.store.update(change);
    inBackground(this.host.request('setPreferences', this.preferences).catch(() => undefined));
  }

  get preferences(): ReadingPreferences {
    const { layout, ignoreWhitespace, wrap } = this.store.value;
    return { layout, ignoreWhitespace, wrap };
  }

  /** Brings a line of a file into view, whatever is folded. */
  showLine(
    code: string,
    side: 'old' | 'new',
    line: number,
    {
      end = line,
      focus = true,
      part,
    }: { end?: number | undefined; focus?: boolean; part?: Target['part'] } = {},
  ): void {
    this.store.update({
      folded: new Map(this.store.value.folded).set(code, false),
      target: { code, side, line, end, focus, isStillHere: stillHere(), part, wish: ++this.#wishes },
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

  #marksOf({ sections, tickedSections, unread }: PatchView): Pick<ReadingState, 'ticked' | 'read'> {
    const before = this.store.value;
    const ticked = new Set(tickedSections);
    const left = unread && new Set(unread);
    for (const [code, { isRead }] of this.#marking) {
      if (isRead) {
        ticked.add(code);
      } else {
        ticked.delete(code);
        left?.add(code);
      }
    }
    const read = sections.flatMap(({ code }) =>
      ticked.has(code) || this.#seen.has(code) || left?.has(code) === false ? code : [],
    );
    return { ticked: sameOr(before.ticked, ticked), read: sameOr(before.read, new Set(read)) };
  }

  async #lookForCommit(patch: PatchView): Promise<void> {
    const found = await this.host.request('commitInWorkspace', null).catch(() => false);
    if (this.#patch?.commitSha === patch.commitSha) {
      this.store.update({ commitInWorkspace: found, workspaceKnown: true });
      await this.#lookForGenerated(patch);
      await this.lookForIcons();
    }
  }

  /** Asks for the icons of all files of the patch: they are there to be read before. */
  async lookForIcons(): Promise<void> {
    const patch = this.#patch;
    const paths = (patch?.sections ?? []).flatMap((section) => (section.type === 'diff' ? section.path : []));
    const icons = paths.length > 0 ? await loadIcons(this.host, paths) : undefined;
    if (icons && this.#patch === patch) {
      this.store.update({ icons });
    }
  }

  async #lookForMoved({ fingerprint }: PatchView): Promise<void> {
    const moved = await this.host.request('moved', null).catch(() => nothingMoved);
    if (this.#patch?.fingerprint === fingerprint) {
      this.store.update({ moved });
    }
  }

  /** Folds what the repository says is generated, but for what the person has come to already: nothing moves under their eyes. */
  async #lookForGenerated(patch: PatchView): Promise<void> {
    const codes = await this.host.request('generated', null).catch(() => []);
    if (codes.length > 0 && this.#patch?.commitSha === patch.commitSha) {
      const { folded } = this.store.value;
      const passed = codes.filter((code) => !folded.has(code) && isPassed(code));
      this.store.update({
        generated: new Set(codes),
        folded: new Map([...folded, ...passed.map((code): [string, boolean] => [code, false])]),
      });
    }
  }
}

function withCode(codes: ReadonlySet<string>, code: string, isIn: boolean): ReadonlySet<string> {
  const others = [...codes].filter((one) => one !== code);
  return new Set(isIn ? [...others, code] : others);
}

/** The codes before where they are the same now: nothing is drawn again for them. */
function sameOr(before: ReadonlySet<string>, now: ReadonlySet<string>): ReadonlySet<string> {
  return before.size === now.size && [...now].every((code) => before.has(code)) ? before : now;
}

/** Returns true when a file's diff is so long that it is drawn only on request. */
export function isHuge({ diffLength }: DiffSectionView): boolean {
  return diffLength > largestUnfoldedDiff;
}

/** The reason for which a file begins folded, beside that the person has read it. */
export type FoldedReason = MachineWritten | 'deleted' | 'huge';

/** See `FoldedReason`; undefined for a file that begins unfolded. */
export function foldedReason(
  section: DiffSectionView,
  { generated }: Pick<ReadingState, 'generated'>,
): FoldedReason | undefined {
  return (
    section.machine ??
    (generated.has(section.code)
      ? 'generated'
      : section.isDeleted
        ? 'deleted'
        : isHuge(section)
          ? 'huge'
          : undefined)
  );
}

/**
 * Returns true when a section is folded: as the person wants it, else when it did not change, is ticked, or is a file that nobody
 * needs to read all of.
 */
export function isFolded(
  section: SectionView,
  state: Pick<ReadingState, 'folded' | 'ticked' | 'generated'>,
): boolean {
  return (
    state.folded.get(section.code) ??
    (section.compared?.isFolded === true ||
      (section.type === 'diff' &&
        (state.ticked.has(section.code) || foldedReason(section, state) !== undefined)))
  );
}

/** True for a section that is on the screen, or above it. */
function isPassed(code: string): boolean {
  const section = sectionOf(code);
  return section !== undefined && section.getBoundingClientRect().top < window.innerHeight;
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

/** A state that is still known when what has it was taken away and is drawn again. */
export function useRemembered<T>(name: string, initial: T): [T, (value: T) => void] {
  const { remembered } = useReading();
  const [value, setValue] = useState<T>(remembered.has(name) ? (remembered.get(name) as T) : initial);
  const keep = (next: T): void => {
    remembered.set(name, next);
    setValue(next);
  };
  return [value, keep];
}

/** Part of how the person reads the document, as it is now and whenever it changes. */
export function useReadingState<S>(select: (state: ReadingState) => S): S {
  return useStore(useReading().store, select);
}
