/** Imports a repository into a database in memory, and shows what became of it: for the tests of the import. */
import { Importer, type ImportOptions, type ImportSummary } from '../../src/service/git/importer.ts';
import { Database } from '../../src/service/storage/database.ts';
import { findLatestStack, findStack, type StackRow } from '../../src/service/storage/stacks.ts';
import { findPatch } from '../../src/service/storage/patches.ts';
import { findProject, type ProjectRow } from '../../src/service/storage/projects.ts';
import { createUser, type UserRow } from '../../src/service/storage/users.ts';
import { patchRecord, stackRecord } from '../../src/service/wire.ts';
import { ada, type GitRepository } from './gitRepository.ts';

/** A repository and the database it is imported into. */
export class ImportedRepository {
  readonly database: Database;
  readonly importer: Importer;
  readonly owner: UserRow;
  readonly #repository: GitRepository;
  #summary: ImportSummary | undefined;

  constructor(repository: GitRepository, file = ':memory:', clock?: () => number) {
    this.#repository = repository;
    this.database = new Database(file, clock);
    this.owner = createUser(this.database, { ...ada, login: 'ada', role: 'admin' });
    this.importer = new Importer(this.database, this.owner.id);
  }

  /** Imports what is new. */
  async import(options: ImportOptions = {}, importer = this.importer): Promise<ImportSummary> {
    this.#summary = await importer.import(this.#repository.directory, options);
    return this.#summary;
  }

  /** The project the repository is imported into. */
  get project(): ProjectRow {
    const project = findProject(this.database, this.#summary?.projectId ?? 0);
    if (!project) {
      throw new Error('Nothing was imported.');
    }
    return project;
  }

  /** A branch's latest stack as it is stored. */
  row(branch: string): StackRow {
    const stack = findLatestStack(this.database, this.project.id, branch);
    if (!stack) {
      throw new Error(`There is no stack for ${branch}.`);
    }
    return stack;
  }

  /** A branch's latest stack as it goes over the wire, each patch with its sections. */
  stack(branch: string) {
    return this.stackOf(this.row(branch).uuid);
  }

  /** The only stack, also while it is imported. */
  onlyStack(): StackRow {
    const [stack, ...others] = this.database.query<StackRow>('SELECT * FROM stacks').all();
    if (!stack || others.length > 0) {
      throw new Error(`There are ${others.length + (stack ? 1 : 0)} stacks.`);
    }
    return stack;
  }

  /** A branch's latest stack without what is another in every database: ids, times of the import, and codes of texts. */
  comparable(branch: string) {
    const { patches, ...stack } = this.stack(branch);
    return {
      ...without(stack, 'uuid', 'created_at'),
      patches: patches.map(({ sections, row, ...patch }) => ({
        ...without(patch, 'texts', 'files'),
        row: without(row, 'id', 'stack_uuid', 'updated_at'),
        sections: sections.map((section) => without(section, 'id', 'code', 'identifier')),
      })),
    };
  }

  /** A stack by its uuid as a list of its patches. */
  listOf(uuid: string) {
    const view = { database: this.database, origin: 'http://127.0.0.1:1', user: this.owner };
    const row = findStack(this.database, uuid);
    if (!row) {
      throw new Error(`There is no stack ${uuid}.`);
    }
    return stackRecord(view, row);
  }

  /** A stack by its uuid as it goes over the wire, each patch with its sections. */
  stackOf(uuid: string) {
    const stack = this.listOf(uuid);
    return { ...stack, patches: stack.patches.map(({ change_id }) => this.patch(uuid, change_id)) };
  }

  /** One patch with its sections. */
  patch(uuid: string, changeId: string) {
    const patch = findPatch(this.database, uuid, changeId);
    if (!patch) {
      throw new Error(`There is no patch ${changeId}.`);
    }
    const view = { database: this.database, origin: 'http://127.0.0.1:1', user: this.owner };
    const record = patchRecord(view, patch);
    return {
      ...record,
      row: patch,
      texts: record.sections.filter((section) => section.section_type === 'text'),
      /** The diff sections by path. */
      files: new Map(
        record.sections.flatMap((section) =>
          'diff_patch' in section ? [[section.identifier, section] as const] : [],
        ),
      ),
    };
  }
}

function without(record: object, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}
