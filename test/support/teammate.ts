/** Somebody of a team whose services share what they write through one remote. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ServiceOptions } from '../../src/service/service.ts';
import { ada, grace, GitRepository, type Author } from './gitRepository.ts';
import { RunningService, type Answer, type Fields } from './runningService.ts';

/** So rarely that only the tests say when: a day. */
export const everySeconds = 86_400;

/** Someone with a clone of the remote, and a service that shares it. */
export class Teammate {
  readonly clone: GitRepository;
  running!: RunningService;
  #data: string | undefined;

  constructor(folder: string, remote: string, { name, email }: Author) {
    this.clone = GitRepository.create(path.basename(folder));
    this.clone.git('remote', 'add', 'origin', remote);
    this.clone.git('config', 'user.name', name);
    this.clone.git('config', 'user.email', email);
  }

  /** Pushes `main` with one commit, and the branch `feature` with commits on top of it: the name of a file, its text, the message. */
  pushFeature(...commits: readonly (readonly [file: string, text: string, message: string])[]): void {
    this.clone.commitFile('README.md', '# Example\n', 'Start');
    this.clone.branch('feature');
    for (const [file, text, message] of commits) {
      this.clone.commitFile(file, text, message);
    }
    this.clone.git('push', '--quiet', 'origin', 'main', 'feature');
  }

  /** Fetches, and has their branch be where one of the remote is. */
  checkOut(branch: string): void {
    this.clone.git('fetch', '--quiet');
    this.clone.git('reset', '--quiet', '--hard', `origin/${branch}`);
  }

  /** @param options Whatever else the service is started with. */
  async start(share = true, options: Partial<ServiceOptions> = {}): Promise<void> {
    this.running = await RunningService.start({
      ...options,
      repository: this.clone.directory,
      ...(this.#data !== undefined && { dataDirectory: this.#data }),
      ...(share && { share: { remote: 'origin', everySeconds } }),
    });
    this.#data = this.running.dataDirectory;
  }

  async stop(): Promise<void> {
    await this.running.stop({ keepData: true });
  }

  /** All folders that are theirs. */
  get folders(): string[] {
    return [this.clone.directory, ...(this.#data === undefined ? [] : [this.#data])];
  }

  async remove(): Promise<void> {
    await this.running.stop();
    this.clone.remove();
  }

  async share(...others: Teammate[]) {
    let status = await this.running.service.shareNow();
    for (const other of others) {
      status = await other.running.service.shareNow();
    }
    return status;
  }

  async call(method: string, apiPath: string, json?: unknown): Promise<Answer> {
    const answer = await this.running.call(method, apiPath, json === undefined ? {} : { json });
    assert.ok(answer.status < 300, `${method} ${apiPath}: ${answer.text}`);
    return answer;
  }

  async stack(): Promise<Fields> {
    const project = String(this.running.service.imported?.projectId);
    return (await this.call('GET', `/patch_stack/${project}/feature`)).body;
  }

  async patch(index = 0): Promise<Fields & { path: string }> {
    const { uuid, patches } = await this.stack();
    const apiPath = `/patch_stack/${uuid}/patch/${patches[index]!.change_id}`;
    const { body } = await this.running.call('GET', apiPath, { headers: { 'Sec-Purpose': 'prefetch' } });
    return { ...body, path: apiPath };
  }

  /** The sections of a patch: paths of files, and texts. */
  async page(index = 0): Promise<string[]> {
    const { sections } = await this.patch(index);
    return sections.map(({ section_type, identifier, data }) =>
      section_type === 'text' ? data : identifier,
    );
  }

  async section(data: string): Promise<string> {
    const patch = await this.patch();
    return `${patch.path}/section/${patch.sections.find((section) => section.data === data)!.code}`;
  }

  /** Whoever signed off a patch, and whoever requested changes. */
  async review(index = 0): Promise<{ signedOff: string[]; rejected: string[] }> {
    const { review_all } = await this.patch(index);
    const names = (users: Fields[]): string[] => users.map(({ email }) => email).sort();
    return { signedOff: names(review_all.signed_off), rejected: names(review_all.rejected) };
  }
}

/**
 * Ann, who has pushed a branch, and Bob, whose clone of that remote stands at `main`; both share, and have taken in what there is, if
 * they are to. They are made once, and are the same again for the next test: copied in their places, which is far quicker.
 */
export class TeamOfTwo {
  readonly remote = GitRepository.remote();
  readonly ann = new Teammate('ann', this.remote.directory, ada);
  readonly bob = new Teammate('bob', this.remote.directory, grace);
  readonly #push: (ann: Teammate) => void;
  readonly #haveShared: boolean;
  /** Where all that they are is kept as it was. */
  #kept: string | undefined;

  /**
   * @param push What Ann pushes.
   * @param haveShared False where their services have seen their clones, and nothing of each other.
   */
  constructor(push: (ann: Teammate) => void, { haveShared = true } = {}) {
    this.#push = push;
    this.#haveShared = haveShared;
  }

  /**
   * Starts the services of both.
   *
   * @param settings Settings of the remote, before anybody shares anything.
   * @param options What else Ann's is started with.
   */
  async begin(settings: Record<string, string> = {}, options: Partial<ServiceOptions> = {}): Promise<this> {
    if (this.#kept === undefined) {
      await this.#make();
    } else {
      this.#copyAll((folder, kept) => [kept, folder]);
    }
    Object.entries(settings).forEach(([key, value]) => this.remote.git('config', key, value));
    await this.ann.start(true, options);
    await this.bob.start();
    if (this.#haveShared) {
      await this.ann.share(this.bob);
    }
    return this;
  }

  /** Stops the services of both. */
  async end(): Promise<void> {
    await this.ann.stop();
    await this.bob.stop();
  }

  /** Removes all of it, once both have ended. */
  remove(): void {
    for (const folder of [...this.#folders, this.#kept ?? '']) {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  get #folders(): string[] {
    return [this.remote.directory, ...this.ann.folders, ...this.bob.folders];
  }

  async #make(): Promise<void> {
    this.#push(this.ann);
    this.bob.checkOut('main');
    await this.ann.start(this.#haveShared);
    await this.bob.start(this.#haveShared);
    if (this.#haveShared) {
      await this.ann.share(this.bob, this.ann, this.bob);
    }
    await this.end();
    this.#kept = mkdtempSync(path.join(tmpdir(), 'patch-stacks-team-'));
    this.#copyAll((folder, kept) => [folder, kept]);
  }

  /** @param way From where to where each folder is copied. */
  #copyAll(way: (folder: string, kept: string) => [from: string, to: string]): void {
    this.#folders.forEach((folder, index) => {
      const [from, to] = way(folder, path.join(this.#kept ?? '', String(index)));
      rmSync(to, { recursive: true, force: true });
      cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    });
  }
}
