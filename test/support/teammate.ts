/** Somebody of a team whose services share what they write through one remote. */
import assert from 'node:assert/strict';
import path from 'node:path';
import type { ServiceOptions } from '../../src/service/service.ts';
import { GitRepository, type Author } from './gitRepository.ts';
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
