/** Devices that share one stack, each with a database of its own, and a remote that is a list of commits: rounds without git. */
import assert from 'node:assert/strict';
import type { LogProblem } from '../../src/service/sharing/admission.ts';
import { Changes } from '../../src/service/sharing/changes.ts';
import { takenAt } from '../../src/service/sharing/clocksAhead.ts';
import { HybridClock } from '../../src/service/sharing/clock.ts';
import { Fold } from '../../src/service/sharing/fold.ts';
import {
  clockSchema,
  decodeBatch,
  encodeBatch,
  noChain,
  pathOf,
  personOf,
  type ChainEnd,
  type LoggedOperation,
  type Operation,
  type Writer,
} from '../../src/service/sharing/operations.ts';
import { OwnLog } from '../../src/service/sharing/ownLog.ts';
import { reconciling } from '../../src/service/sharing/reconcile.ts';
import { SharingStore } from '../../src/service/sharing/store.ts';
import type { Withheld } from '../../src/protocol/localService.ts';
import { Database } from '../../src/service/storage/database.ts';
import {
  copyPatches,
  findPatch,
  insertPatch,
  selectMarks,
  setReview,
  type PatchRow,
} from '../../src/service/storage/patches.ts';
import { createProject } from '../../src/service/storage/projects.ts';
import {
  addTextSection,
  deleteSection,
  insertDiffSection,
  listSections,
  otherVersionsOf,
  reorderSections,
  updateText,
  writeText,
  type SectionRow,
} from '../../src/service/storage/sections.ts';
import { activateStack, createStack, requireStack, updateStack } from '../../src/service/storage/stacks.ts';
import { createUser, type UserRow } from '../../src/service/storage/users.ts';
import { sshKeys } from './sshKeys.ts';

/** Milliseconds since the epoch when it all begins. */
export const begin = 1_800_000_000_000;
export const hour = 60 * 60 * 1000;
const branch = 'feature';

/** A commit of the branch. */
export interface Commit {
  sha: string;
  change: string;
  patchSha: string;
  /** The address of who wrote it. */
  author: string;
  files: readonly string[];
}

/** A commit of the branch with a letter of its own. */
export function commitNamed(letter: string, more: Partial<Commit> = {}): Commit {
  const author = 'ada@example.com';
  return {
    sha: letter.repeat(40),
    change: `I${letter}`,
    patchSha: letter,
    author,
    files: ['a', 'b'],
    ...more,
  };
}

/** All that devices have in common: the time, the branch, and the logs at the remote. */
export class Team {
  time = begin;
  commits: Commit[] = [commitNamed('c')];
  /** The commits that the remote doesn't have. */
  readonly unpushed = new Set<string>();
  readonly remote = new Map<string, { writer: Writer; commits: string[] }>();

  /** Has a log of somebody's at the remote, whatever wrote it. */
  plant(
    email: string,
    operations: readonly { clock: readonly [number, number]; content: Operation }[],
    device = 'e'.repeat(16),
  ): void {
    const writer = { person: personOf(email), device };
    const logged = operations.map(({ clock, content }, index): LoggedOperation => ({
      id: '',
      writer,
      seq: index + 1,
      clock,
      content,
    }));
    this.remote.set(pathOf(writer), { writer, commits: [encodeBatch(writer, logged)] });
  }
}

/** One device of one person. */
export class Desk {
  readonly database = new Database(':memory:');
  readonly store = new SharingStore(this.database, 'test');
  fold!: Fold;
  readonly owner: UserRow;
  own!: OwnLog;
  readonly log: string[] = [];
  clock!: HybridClock;
  withheld: readonly Withheld[] = [];
  /** What others do between two steps of a round. */
  meanwhile: () => void = () => undefined;
  /** The logs of which something was refused, or waits. */
  readonly refused = new Set<string>();
  #ahead: number;
  readonly #team: Team;
  readonly #projectId: number;
  readonly #writer: Writer;
  #stack: string;
  #changes!: Changes;
  readonly #problems: LogProblem[] = [];
  readonly #now: () => number;
  readonly #read = new Map<string, { count: number; end: ChainEnd }>();

  /** @param ahead Milliseconds by which its clock is. */
  constructor(team: Team, name: string, { device = '0', ahead = 0 } = {}) {
    this.#team = team;
    const email = `${name}@example.com`;
    this.owner = createUser(this.database, { name, email });
    this.#ahead = ahead;
    this.#now = () => team.time + this.#ahead;
    this.#writer = { person: personOf(email), device: device.padEnd(16, '0') };
    this.restart();
    this.#projectId = createProject(this.database, { owner: name, slug: 'p', name: 'p' }, [this.owner.id]).id;
    this.#stack = this.#createStack();
    this.pull();
  }

  #createStack(status: 'active' | 'loading' = 'active', branchId = branch): string {
    const { uuid } = createStack(this.database, {
      projectId: this.#projectId,
      branchId,
      oplogSha: 'f'.repeat(40),
      title: branchId,
      status,
    });
    return uuid;
  }

  /** Has nothing any more but its database. */
  restart(): void {
    this.fold = new Fold(this.store);
    this.clock = new HybridClock(this.#now, this.store.readAs(clockSchema, 'clock'));
    this.own = new OwnLog(this.#writer, this.store, this.fold, this.clock);
    this.#changes = new Changes(this.database, this.fold);
  }

  /**
   * Shows the branch as it is now as another version of its stack, as an import does.
   *
   * @param meanwhile What is done while it is loading.
   */
  import(meanwhile: () => void = () => undefined): void {
    const before = this.#stack;
    this.#stack = this.#createStack('loading');
    copyPatches(this.database, before, this.#stack);
    this.pull();
    meanwhile();
    activateStack(this.database, this.#stack, 'active');
  }

  /** Shows a commit on another branch, which isn't shared. */
  showElsewhere(commit: Commit): void {
    this.#insert(this.#createStack('active', 'other'), commit, 0);
  }

  /** Shows the branch as it is now: a patch of which the commit has changed keeps its texts, and no marks. */
  pull(commits: readonly Commit[] = this.#team.commits): void {
    for (const [position, commit] of commits.entries()) {
      const { sha, change, patchSha } = commit;
      const before = findPatch(this.database, this.#stack, change);
      if (before) {
        if (before.patch_sha !== patchSha) {
          this.database.run('DELETE FROM patch_marks WHERE patch_id = ?', before.id);
        }
        this.database.run(
          `UPDATE patches SET commit_sha = ?1, patch_sha = ?2, version = version + (patch_sha <> ?2)
           WHERE id = ?3 AND commit_sha <> ?1`,
          sha,
          patchSha,
          before.id,
        );
      } else {
        this.#insert(this.#stack, commit, position);
      }
    }
  }

  #insert(stackUuid: string, { sha, change, patchSha, author, files }: Commit, position: number): void {
    const id = insertPatch(this.database, {
      stackUuid,
      changeId: change,
      commitSha: sha,
      patchSha,
      title: `Patch ${change.slice(0, 10)}`,
      messageBody: '',
      completeness: 'complete',
      authorKey: `${author} ${begin / 1000}`,
      position,
      createdAt: begin,
      fileCount: files.length,
      lines: 1,
      deletions: 0,
      contributors: [],
    });
    files.forEach((path, index) =>
      insertDiffSection(this.database, id, index, {
        code: String(index).padStart(16, 'd'),
        path,
        oldPath: null,
        newPath: path,
        oldMode: null,
        newMode: null,
        oldSize: null,
        newSize: 1,
        hunks: 1,
        lines: 1,
        deletions: 0,
        diffSha: null,
        encoding: null,
        changeSha: '',
        baseFileSha: null,
        newFileSha: null,
      }),
    );
  }

  /** Fetches, says what is new here, and pushes. @returns How many operations it said. */
  round(): number {
    this.fetch();
    return this.tell();
  }

  /** Takes in what the remote has, as far as it keeps the rules. */
  fetch(): void {
    this.refused.clear();
    this.#problems.length = 0;
    for (const [path, { writer, commits }] of this.#team.remote) {
      if (path === pathOf(this.own.writer)) {
        continue;
      }
      let { count, end } = this.#read.get(path) ?? { count: 0, end: noChain };
      for (const text of commits.slice(count)) {
        const batch = decodeBatch(Buffer.from(text), writer, end);
        const dated = 'refusal' in batch ? undefined : batch.end.clock[0];
        if ('refusal' in batch || batch.end.clock[0] > this.#now() + hour) {
          this.refused.add(path);
          this.#problems.push({ log: path, reason: '', ...(dated !== undefined && { dated }) });
          break;
        }
        this.fold.add(batch.operations, 'f'.repeat(40));
        this.clock.see(batch.end.clock);
        ({ end } = batch);
        count++;
      }
      this.#read.set(path, { count, end });
    }
    this.#checkSignatures();
  }

  /** All sign with one key. */
  #checkSignatures(): void {
    const { fingerprint } = sshKeys.ed25519;
    this.fold.unchecked().forEach((review) => this.fold.sign(review, { fingerprint }));
  }

  /** Says what is new here, and pushes. @returns How many operations it said. */
  tell(): number {
    let said = 0;
    for (let pass = 0; pass < 3; pass++) {
      this.reconcile();
      const { outbox, writer } = this.own;
      if (outbox.length === 0) {
        break;
      }
      said += outbox.length;
      const operations = outbox.map(([, operation]) => operation);
      this.log.push(encodeBatch(writer, operations));
      this.own.forgetUpTo(this.own.end.seq);
      this.fold.add(operations, 'f'.repeat(40));
      this.#checkSignatures();
    }
    this.#team.remote.set(pathOf(this.own.writer), { writer: this.own.writer, commits: [...this.log] });
    return said;
  }

  /** @param changes What has changed since the last time; all, where it has just been made. */
  reconcile(changes = this.#changes): void {
    const { emit, withheld } = this.own.begin();
    const { database, store, fold, owner } = this;
    const steps = reconciling({
      database,
      store,
      fold,
      changes,
      projectId: this.#projectId,
      writer: this.#writer,
      emit,
      isPushed: (commit) => !this.#team.unpushed.has(commit),
      ownerId: owner.id,
      branches: new Set([branch]),
      problems: this.#problems,
      // So that `meanwhile` comes after each patch.
      transactionMs: 0,
    });
    while (steps.next().done !== true) {
      this.meanwhile();
    }
    this.withheld = withheld;
  }

  /** Looks at everything there is, whether it has changed or not. */
  reconcileAll(): void {
    this.reconcile(new Changes(this.database, this.fold));
  }

  /** All that the database has. */
  get contents(): unknown {
    const tables = ['stacks', 'patches', 'sections', 'patch_marks', 'users', 'ssh_keys', 'shared'];
    return tables.map((table) => this.database.query(`SELECT * FROM ${table} ORDER BY 1, 2`).all());
  }

  /** When others take what it says, in milliseconds since all began; undefined where they do. */
  get takenAt(): number | undefined {
    const clocks = [...this.#read.values()].map(({ end }) => end.clock[0]);
    const at = takenAt(this.own, this.fold, this.#now(), Math.max(0, ...clocks));
    return at === undefined ? undefined : at - begin;
  }

  /** Sets its clock. */
  set ahead(ms: number) {
    this.#ahead = ms;
  }

  /** Whether the stack has a patch of this change here. */
  has(change: string): boolean {
    return findPatch(this.database, this.#stack, change) !== undefined;
  }

  patch(change = this.#team.commits[0]?.change ?? ''): PatchRow {
    const patch = findPatch(this.database, this.#stack, change);
    assert.ok(patch, change);
    return patch;
  }

  sections(change?: string): SectionRow[] {
    return listSections(this.database, this.patch(change).id);
  }

  /** The sections of a patch: paths of files, and texts. */
  page(change?: string): string[] {
    return this.sections(change).map(({ section_type, identifier, text }) =>
      section_type === 'text' ? (text ?? '') : identifier,
    );
  }

  add(text: string, position?: number, change?: string): string {
    return addTextSection(this.database, this.patch(change), text, position).code;
  }

  text(code: string, change?: string): string | undefined {
    return this.sections(change).find((section) => section.code === code)?.text ?? undefined;
  }

  edit(code: string, text: string, change?: string): void {
    const section = this.sections(change).find((one) => one.code === code);
    assert.ok(section, code);
    updateText(this.database, this.patch(change), section, text);
  }

  /** A text and those that conflict with it, the latest first. */
  versions(code: string, change?: string): string[] {
    const section = this.sections(change).find((one) => one.code === code);
    return section
      ? [section.text ?? '', ...(otherVersionsOf(section)?.others ?? []).map(({ text }) => text)]
      : [];
  }

  /**
   * Decides between a text and those that conflict with it.
   *
   * @param count How many of these, the latest first.
   */
  decide(code: string, text: string, count = Infinity, change?: string): void {
    const section = this.sections(change).find((one) => one.code === code);
    assert.ok(section, code);
    const resolves = (otherVersionsOf(section)?.others ?? []).slice(0, count).map(({ id }) => id);
    writeText(this.database, this.patch(change), section, { text, by: this.owner.id, resolves });
  }

  remove(code: string, change?: string): void {
    const section = this.sections(change).find((one) => one.code === code);
    assert.ok(section, code);
    deleteSection(this.database, this.patch(change), section);
  }

  /** Turns the order of the sections round. */
  turn(change?: string): void {
    reorderSections(
      this.database,
      this.patch(change),
      this.sections(change)
        .map(({ id }) => id)
        .toReversed(),
    );
  }

  get title(): string {
    return requireStack(this.database, this.#stack).title;
  }

  set title(title: string) {
    updateStack(this.database, this.#stack, { title });
  }

  get description(): string {
    return requireStack(this.database, this.#stack).description ?? '';
  }

  set description(description: string) {
    updateStack(this.database, this.#stack, { description });
  }

  sign(signsOff: boolean, change?: string): void {
    setReview(this.database, this.patch(change), this.owner, signsOff);
  }

  /** The addresses of those who have signed a patch off, and of those who want changes. */
  reviews(change?: string): { signedOff: string[]; requested: string[] } {
    const { id, stack_uuid } = this.patch(change);
    const marks = selectMarks(this.database, { stackUuid: stack_uuid, patchId: id });
    const email = (userId: number): string =>
      this.database.query<{ email: string }>('SELECT email FROM users WHERE id = ?').get(userId)?.email ?? '';
    const emails = (of: 'signed_off_at' | 'changes_requested_at'): string[] =>
      marks
        .filter((mark) => mark[of] !== null)
        .map(({ user_id }) => email(user_id))
        .sort();
    return { signedOff: emails('signed_off_at'), requested: emails('changes_requested_at') };
  }

  /** All that was ever written into the database, as a number that only grows. */
  get writes(): number {
    return this.database.query<{ n: number }>('SELECT total_changes() AS n').get()?.n ?? 0;
  }

  /** The operations that were said, in their order. */
  get said(): Operation[] {
    let end = noChain;
    return this.log.flatMap((text) => {
      const batch = decodeBatch(Buffer.from(text), this.own.writer, end);
      assert.ok('operations' in batch, JSON.stringify(batch).slice(0, 200));
      ({ end } = batch);
      return batch.operations.flatMap(({ content }) => content ?? []);
    });
  }
}
