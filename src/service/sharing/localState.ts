/**
 * Keeps the stacks of the service and the shared state the same: what a person changed here since the last time becomes operations, and what
 * others changed is written here. Of one patch, both happen in one transaction, so a kill at any moment leaves the one or the other.
 *
 * The shadow is the state that both had the last time: what differs from it was changed here, and what is written here for the
 * first time is known by having none.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Database } from '../storage/database.ts';
import {
  findPatch,
  isSameVersion,
  selectMarks,
  selectPatches,
  setReview,
  setSignature,
  touchPatch,
  type PatchRow,
} from '../storage/patches.ts';
import {
  deleteSection,
  insertTextSection,
  listSections,
  newSectionCode,
  otherVersionsOf,
  setOtherVersions,
  updateText,
  writeOrder,
  type SectionRow,
} from '../storage/sections.ts';
import { findLatestStack, requireStack, updateStack, type StackRow } from '../storage/stacks.ts';
import type { Steps } from '../../util/inTurns.ts';
import type { SignatureState } from '../../util/review.ts';
import type { Fold, SharedPatch, SharedReview, SharedText } from './fold.ts';
import { nameCommits, unsaidNames, type NamesOf } from './changeNames.ts';
import type { Changes } from './changes.ts';
import { fileName, personOf, versionsOf, type Operation, type Writer } from './operations.ts';
import type { Emit, Outcome } from './ownLog.ts';
import type { People } from './people.ts';
import { placeSections } from './placeSections.ts';
import type { SharingStore } from './store.ts';

/** The name of the text that came with the commit's message. */
const messageName = 'message';
const codePattern = /^[0-9a-f]{16}$/;

/** The text that both had the last time: a digest of it, which is null when it was deleted, and its heads. */
const shadowSchema = v.object({ digest: v.nullable(v.string()), heads: v.array(v.string()) });
type TextShadow = v.InferOutput<typeof shadowSchema>;

/** The fields of a stack that both had the last time. */
const toldSchema = v.record(v.string(), v.string());

/** The two sides, and the way to write an operation. */
export interface LocalParts {
  database: Database;
  store: SharingStore;
  fold: Fold;
  people: People;
  changes: Changes;
  projectId: number;
  /** This device. */
  writer: Writer;
  /** True for a commit that the remote has: what is said of any other one waits until it does. */
  isPushed: (commit: string) => boolean;
  emit: Emit;
  /** Milliseconds after which a transaction takes up no other patch; left out, `longestTransactionMs`. */
  transactionMs?: number;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The name of a section in the log, where files and texts can't be confused. */
function nameOf(section: SectionRow): string {
  if (section.section_type === 'diff') {
    return fileName(section.identifier);
  }
  return section.from_message === 1 ? messageName : section.code;
}

/** A patch that is to be looked at, and what it is called among those who share. */
interface DuePatch {
  row: PatchRow;
  place: SharedPatch;
}

/** The disk is waited for at the end of each transaction; and until then, whoever asks the service something waits. */
const longestTransactionMs = 20;

/** The stacks of one project. */
export class LocalState {
  readonly #parts: LocalParts;

  constructor(parts: LocalParts) {
    this.#parts = parts;
  }

  /**
   * Makes the stacks of some branches, and all that is shared of them, the same, as far as either has changed.
   *
   * @param branches Those that the remote has: of others nothing is told.
   */
  *reconciling(branches: Iterable<string>): Steps<void> {
    const { store, changes, fold, writer, transactionMs = longestTransactionMs } = this.#parts;
    const work = this.#stepsOf(branches);
    for (let step: IteratorResult<SharedPatch | undefined, void> = work.next(); step.done !== true;) {
      if (step.value) {
        // Outside of the transaction: this may take seconds.
        yield* fold.joining(step.value, writer);
      }
      step = store.transaction(() =>
        changes.ofOthers(() => {
          const end = performance.now() + transactionMs;
          for (let next = work.next(); ; next = work.next()) {
            if (next.done === true || next.value || performance.now() >= end) {
              return next;
            }
          }
        }),
      );
      yield;
    }
  }

  /** Stack by stack and patch by patch, each in one transaction. Yields a patch before it, if its texts have to be joined outside of that. */
  *#stepsOf(branches: Iterable<string>): Generator<SharedPatch | undefined, void> {
    const { database, changes, fold, projectId, writer } = this.#parts;
    for (const branch of changes.branches(branches)) {
      yield;
      const stack = findLatestStack(database, projectId, branch);
      if (stack?.status === 'active' || stack?.status === 'closed') {
        for (const { row, place } of this.#reconcileStack(stack)) {
          yield fold.isJoined(place, writer) ? undefined : place;
          const patch = findPatch(database, row.stack_uuid, row.change_id);
          // What has become another commit meanwhile is looked at in the next round.
          if (patch?.commit_sha === row.commit_sha) {
            new PatchState(this.#parts, patch, place).reconcile();
          }
        }
      } else {
        changes.patches(branch);
      }
    }
  }

  /** @returns The patches that are to be looked at. */
  #reconcileStack(stack: StackRow): DuePatch[] {
    const { database, changes } = this.#parts;
    const branch = stack.branch_id;
    const patches = selectPatches(database, { stackUuid: stack.uuid });
    const names = this.#nameCommits(branch, patches);
    this.#takeStack(stack, this.#tellStack(stack));
    return changes.patches(branch, stack, patches, names).map((row) => ({
      row,
      place: { branch, change: names.get(row.commit_sha) ?? row.commit_sha },
    }));
  }

  /** Tells how commits are called that nobody has named yet. @returns What all of them are called among those who share. */
  #nameCommits(branch: string, patches: readonly PatchRow[]): Map<string, string> {
    const { fold, people, emit } = this.#parts;
    const commits = patches.map(({ change_id, commit_sha, author_key, created_at }) => ({
      commit: commit_sha,
      change: change_id,
      author: personOf(author_key.slice(0, author_key.lastIndexOf(' '))),
      authoredAt: created_at,
    }));
    const namesOf: NamesOf = (commit) => fold.names(branch, commit);
    const unsaid = unsaidNames(commits, namesOf, people.ownPerson);
    const versions = versionsOf(
      branch,
      unsaid.map(({ change, commit }) => ({ change, commit })),
    );
    for (const version of versions) {
      // What can't be named is called by its commit.
      emit(version, branch, { shared: () => undefined, withheld: () => undefined });
    }
    return nameCommits(commits, namesOf);
  }

  /** @returns The fields that can't be shared as they are. */
  #tellStack({ branch_id: branch, ...stack }: StackRow): ReadonlySet<string> {
    const { store, emit } = this.#parts;
    const withheld = new Set<string>();
    const told: Partial<Record<string, string>> = { ...store.readAs(toldSchema, 'shadow stack', branch) };
    const now = {
      ...(stack.title_written === 1 && { title: stack.title }),
      ...(stack.description_written === 1 && { description: stack.description ?? '' }),
      // That it is active goes without saying until somebody has closed it.
      ...((stack.status === 'closed' || told['status'] !== undefined) && {
        status: stack.status as 'active' | 'closed',
      }),
    };
    for (const [field, value] of Object.entries(now)) {
      if (told[field] !== value) {
        // Each by itself: one that can't be shared keeps no other one back.
        emit({ type: 'stack', branch, [field]: value }, branch, {
          shared: () => {
            told[field] = value;
          },
          withheld: () => withheld.add(field),
        });
      }
    }
    if (Object.keys(told).length > 0) {
      store.write(told, 'shadow stack', branch);
    }
    return withheld;
  }

  #takeStack({ uuid, branch_id: branch }: StackRow, withheld: ReadonlySet<string>): void {
    const { database, store, fold } = this.#parts;
    const shared = Object.entries(fold.stack(branch)).filter(([field]) => !withheld.has(field));
    const here = requireStack(database, uuid);
    const changes = shared.filter(([field, value]) => here[field as keyof typeof here] !== value);
    if (changes.length > 0) {
      updateStack(database, uuid, Object.fromEntries(changes));
    }
    if (shared.length > 0) {
      const told = store.readAs(toldSchema, 'shadow stack', branch);
      store.write({ ...told, ...Object.fromEntries(shared) }, 'shadow stack', branch);
    }
  }
}

/** One patch of the newest version of a stack, and what is shared of it. */
class PatchState {
  readonly #parts: LocalParts;
  readonly #patch: PatchRow;
  readonly #place: SharedPatch;
  /** The texts that can't be shared as they are here, by their names: nothing is written over them. */
  readonly #withheldTexts = new Set<string>();
  #isOrderWithheld = false;
  #isReviewWithheld = false;
  #rows: SectionRow[] | undefined;

  constructor(parts: LocalParts, patch: PatchRow, place: SharedPatch) {
    this.#parts = parts;
    this.#patch = patch;
    this.#place = place;
  }

  reconcile(): void {
    this.#tellTexts();
    this.#tellOrder();
    const texts = this.#parts.fold.texts(this.#place, this.#parts.writer);
    this.#takeTexts(texts);
    this.#takeOrder(texts);
    this.#tellReview();
    this.#takeReviews();
  }

  /** Read once, and again after something was written to them. */
  #sections(): SectionRow[] {
    this.#rows ??= listSections(this.#parts.database, this.#patch.id);
    return this.#rows;
  }

  get #about(): SharedPatch & { commit: string } {
    return { ...this.#place, commit: this.#patch.commit_sha };
  }

  #shadowName(kind: string, ...rest: string[]): string[] {
    return [`shadow ${kind}`, this.#place.branch, this.#place.change, ...rest];
  }

  #tellTexts(): void {
    const { store } = this.#parts;
    const sections = this.#sections();
    const names = new Set(sections.map(nameOf));
    const shadows = new Map(store.listAs(shadowSchema, ...this.#shadowName('text')));
    for (const [index, section] of sections.entries()) {
      const previous = sections[index - 1];
      if (section.section_type === 'text') {
        this.#tellText(section, previous === undefined ? null : nameOf(previous), shadows);
      }
    }
    for (const [name, shadow] of shadows) {
      if (!names.has(name) && shadow.digest !== null) {
        this.#emitText({ section: name, text: null, over: shadow.heads });
      }
    }
    const message = this.#patch.message_body;
    if (message !== '' && !names.has(messageName) && !shadows.has(messageName)) {
      this.#emitText({ section: messageName, text: null, over: [], base: message, after: null });
    }
  }

  #tellText(section: SectionRow, after: string | null, shadows: ReadonlyMap<string, TextShadow>): void {
    const name = nameOf(section);
    const text = section.text ?? '';
    const shadow = shadows.get(name);
    if (shadow) {
      const decided = otherVersionsOf(section)?.decided ?? [];
      if (shadow.digest !== digestOf(text) || decided.length > 0) {
        this.#emitText({ section: name, text, over: [...shadow.heads, ...decided] });
      }
      return;
    }
    const isMessage = section.from_message === 1;
    const isOwn = !isMessage || section.edited === 1;
    const { fold, writer } = this.#parts;
    if (isOwn && fold.text(this.#place, name, writer)?.text !== text) {
      const base = isMessage ? (section.edited_message ?? this.#patch.message_body) : undefined;
      this.#emitText({ section: name, text, over: [], after, base });
    }
  }

  #emitText(operation: {
    section: string;
    text: string | null;
    over: string[];
    base?: string | undefined;
    after?: string | null;
  }): void {
    this.#emit(
      { type: 'text', ...this.#about, ...operation },
      {
        // What the shared text is now is noted once it is taken.
        shared: () => undefined,
        withheld: () => this.#withheldTexts.add(operation.section),
      },
    );
  }

  #emit(operation: Operation, outcome: Outcome): void {
    const { isPushed, changes, emit } = this.#parts;
    if (isPushed(this.#patch.commit_sha)) {
      emit(operation, this.#patch.title, outcome);
    } else {
      // Nobody else has a patch that it could be shown on.
      changes.repeat(operation);
      outcome.withheld();
    }
  }

  #tellOrder(): void {
    const { store, fold } = this.#parts;
    const order = this.#sections().map(nameOf);
    const shadow = store.readAs(v.array(v.string()), ...this.#shadowName('order'));
    const before = shadow ?? (fold.order(this.#place) ? undefined : importedOrder(order));
    if (before && !isSameOrder(before, order)) {
      this.#emit(
        { type: 'order', ...this.#about, order },
        {
          shared: () => undefined,
          withheld: () => {
            this.#isOrderWithheld = true;
          },
        },
      );
    }
  }

  /** Writes the texts here that others have written, and notes that both sides have the same. */
  #takeTexts(texts: ReadonlyMap<string, SharedText | undefined>): void {
    const { store } = this.#parts;
    const sections = this.#sections();
    // Where two have one name, it is that of the first one.
    const byName = new Map(sections.toReversed().map((section) => [nameOf(section), section]));
    const codes = new Set(sections.map(({ code }) => code));
    for (const [name, shared] of texts) {
      const isText = name === messageName || codePattern.test(name);
      if (shared && isText && !this.#withheldTexts.has(name)) {
        const section = byName.get(name);
        this.#takeText(name, shared, section, codes);
        if (shared.others.length > 0 || typeof section?.versions === 'string') {
          this.#takeOthers(name, shared);
        }
        store.write(
          {
            digest: shared.text === null ? null : digestOf(shared.text),
            heads: shared.heads,
          } satisfies TextShadow,
          ...this.#shadowName('text', name),
        );
      }
    }
  }

  /** @param codes Those of all sections that there are by now. */
  #takeText(name: string, { text }: SharedText, section: SectionRow | undefined, codes: Set<string>): void {
    const { database } = this.#parts;
    const patch = this.#patch;
    if (text === null) {
      if (section) {
        deleteSection(database, patch, section);
        codes.delete(section.code);
        this.#rows = undefined;
      }
    } else if (section) {
      if (section.text !== text) {
        updateText(database, patch, section, text);
        this.#rows = undefined;
      }
    } else if (!codes.has(name)) {
      const isMessage = name === messageName;
      const code = isMessage ? newSectionCode() : name;
      insertTextSection(database, patch.id, codes.size, {
        code,
        text,
        version: 1,
        fromMessage: isMessage,
        edited: true,
        editedMessage: isMessage ? patch.message_body : null,
      });
      codes.add(code);
      this.#rows = undefined;
      touchPatch(database, patch);
    }
  }

  /** Notes which versions conflict with the text that is shown here. */
  #takeOthers(name: string, { person, others }: SharedText): void {
    const { database, people } = this.#parts;
    const section = this.#sections().find((one) => nameOf(one) === name);
    const userOf = (writer: string): number | null => people.userOf(writer)?.id ?? null;
    const versions = person !== undefined && {
      by: userOf(person),
      others: others.map(({ heads, person: writer, ...other }) => ({
        ...other,
        heads,
        id: digestOf(heads.join(' ')),
        by: userOf(writer),
      })),
      decided: [],
    };
    if (section && setOtherVersions(database, section, versions || undefined)) {
      this.#rows = undefined;
      touchPatch(database, this.#patch);
    }
  }

  #takeOrder(texts: ReadonlyMap<string, SharedText | undefined>): void {
    if (this.#isOrderWithheld) {
      return;
    }
    const { database, fold, store } = this.#parts;
    const sections = this.#sections();
    const byName = new Map(sections.map((section) => [nameOf(section), section.id]));
    const order = placeSections([...byName.keys()], fold.order(this.#place), texts);
    const ids = order.flatMap((name) => byName.get(name) ?? []);
    if (ids.some((id, index) => sections[index]?.id !== id)) {
      writeOrder(database, ids);
      touchPatch(database, this.#patch);
    }
    store.write(order, ...this.#shadowName('order'));
  }

  #tellReview(): void {
    const { database, store, fold, people } = this.#parts;
    const { id, stack_uuid, patch_sha } = this.#patch;
    const mark = selectMarks(database, { stackUuid: stack_uuid, patchId: id }).find(
      ({ user_id }) => user_id === people.ownId,
    );
    const isSignedOff = (mark?.signed_off_at ?? null) !== null;
    const isRequested = (mark?.changes_requested_at ?? null) !== null;
    if (!isSignedOff && !isRequested) {
      return;
    }
    const says = isSignedOff ? 'signed_off' : 'changes_requested';
    // What was said of these lines at another place was said of another version.
    const isTold =
      store.read(...this.#shadowName('review', patch_sha)) === says &&
      !fold
        .reviews(this.#place)
        .some(
          (one) =>
            people.userOf(one.person)?.id === people.ownId &&
            one.patch === patch_sha &&
            one.says === says &&
            !this.#isOfThis(one),
        );
    if (!isTold) {
      this.#emit(
        { type: 'review', ...this.#about, patch: patch_sha, says },
        {
          shared: () => store.write(says, ...this.#shadowName('review', patch_sha)),
          withheld: () => {
            this.#isReviewWithheld = true;
          },
        },
      );
    }
  }

  /** Notes here what people say of this patch; what they say of another version of it waits for that. */
  #takeReviews(): void {
    const { database, fold, store, people } = this.#parts;
    const patch = this.#patch;
    const marks = selectMarks(database, { stackUuid: patch.stack_uuid, patchId: patch.id });
    const ofThis = fold.reviews(this.#place).filter((review) => this.#isOfThis(review));
    // Somebody may have said two things of one commit, one of them with the name of other changes.
    const lastOf = new Map(
      ofThis.toSorted((one, other) => one.at - other.at).map((one) => [one.person, one]),
    );
    for (const review of lastOf.values()) {
      const { person, says } = review;
      const user = people.userOf(person);
      const isKept = user?.id === people.ownId && this.#isReviewWithheld;
      if (user && !isKept) {
        const mark = marks.find(({ user_id }) => user_id === user.id);
        const said = says === 'signed_off' ? mark?.signed_off_at : mark?.changes_requested_at;
        const signature = this.#signatureOf(review);
        if (typeof said === 'number') {
          setSignature(database, patch, user, signature);
        } else {
          setReview(database, patch, user, says === 'signed_off', signature);
        }
        if (user.id === people.ownId) {
          store.write(says, ...this.#shadowName('review', patch.patch_sha));
        }
      }
    }
  }

  /** True for what was said of this patch, also of an earlier commit of it that only stood on another base. */
  #isOfThis(review: SharedReview): boolean {
    const { commit_sha, patch_sha } = this.#patch;
    return review.commit === commit_sha
      ? // One of this very commit that names other changes is told loudly.
        review.patch === patch_sha || this.#isMistaken(review)
      : review.patch === patch_sha && isSameVersion(this.#parts.database, this.#patch, review.commit);
  }

  #isMistaken({ commit, patch }: SharedReview): boolean {
    const { commit_sha, patch_sha, incomplete } = this.#patch;
    // Of what this repository lacks, nobody can say here what it changes.
    return commit === commit_sha && patch !== patch_sha && incomplete === 0;
  }

  #signatureOf(review: SharedReview): SignatureState {
    const { signature, person } = review;
    if (signature === 'bad' || this.#isMistaken(review)) {
      return 'mismatch';
    }
    const isPublished = this.#parts.fold
      .keysOf(person)
      .some(({ fingerprint, key }) => key !== null && fingerprint === signature?.fingerprint);
    return isPublished ? 'verified' : 'unverified';
  }
}

/** The order that an import gives these sections: the message, then the files by their paths. */
function importedOrder(order: readonly string[]): string[] {
  const files = order.filter((name) => name.startsWith('/'));
  return [
    ...order.filter((name) => name === messageName),
    ...files.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
  ];
}

/** True when what stands in both stands in the same order. */
function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  const inOther = new Set(other);
  const inOne = new Set(one);
  const common = one.filter((name) => inOther.has(name));
  return other.filter((name) => inOne.has(name)).every((name, index) => name === common[index]);
}
