/** The time until what somebody says of a patch is on the screen of somebody else, with a clone each and a remote in between. */
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { buildExtension } from '../../../tools/build.ts';
import { Editor } from '../../support/editor.ts';
import { git } from '../../support/exampleRepository.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/workbench.ts';
import { amountRow, beside, median, type Group, type Row } from '../measure.ts';

const names = {
  now: "sharing: what one says of a patch on another one's screen, with Share Now on both",
  byItself: "sharing: what one says of a patch on another one's screen, by itself",
};
/** Milliseconds between two times that a window fetches by itself. */
const intervalMs = 60_000;
const rounds = { now: 5, byItself: 3 };
const patch = 'Greet people by name';

/** Two windows of two people who share through one remote, with the same patch in both. */
class Team implements AsyncDisposable {
  readonly #editor: Editor;
  readonly remote: string;
  readonly #ada: Workbench;
  readonly #bob: Workbench;
  #said = 0;

  private constructor(editor: Editor, remote: string, ada: Workbench, bob: Workbench) {
    this.#editor = editor;
    this.remote = remote;
    this.#ada = ada;
    this.#bob = bob;
  }

  static async start(): Promise<Team> {
    await buildExtension(['--production']);
    const editor = await Editor.start();
    const remote = path.join(editor.directory, 'origin');
    git(remote, 'config', 'core.bare', 'true');
    const clone = path.join(editor.directory, 'bobs');
    git(editor.directory, 'clone', '--quiet', '--branch', 'main', remote, clone);
    git(clone, 'config', 'user.name', 'Bob Meyer');
    git(clone, 'config', 'user.email', 'bob@example.org');
    const team = new Team(
      editor,
      remote,
      await editor.openWindow(),
      await editor.openWindow({ folder: clone }),
    );
    await team.#share(team.#ada, 'greetings');
    await team.#share(team.#bob, 'bobs');
    return team;
  }

  async #share(window: Workbench, project: string): Promise<void> {
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await window.runCommand('Patch Stacks: Try It on This Repository');
    await window.tree.expand(project);
    await window.runCommand('Patch Stacks: Share Reviews…');
    await window.page
      .locator('.monaco-dialog-box')
      .getByRole('button', { name: 'Share', exact: true })
      .click();
    await window.tree
      .row(project)
      .filter({ hasText: /shared/ })
      .waitFor();
    await window.tree.expand(/größer/i);
    await window.tree.open(patch);
    await window.webview.locator('.document:not(.beginning) h1', { hasText: patch }).waitFor();
  }

  /** Has one say something of the patch, until the server has it. @returns Where the other one sees it. */
  async say(): Promise<Locator> {
    const [command, told, shown] =
      this.#said++ % 2 === 0
        ? ['Sign Off Patch Anyway', 'Signed off on', 'Signed off by']
        : ['Request Changes', 'Requested changes to', 'Changes requested by'];
    await this.#ada.runCommand(`Patch Stacks: ${command}`);
    await this.#ada.webview.locator('.status-line').getByText(`${told} "${patch}".`).waitFor();
    return this.#bob.webview.locator('.reviewers', { hasText: new RegExp(`${shown}.*Ada`) });
  }

  /** Has the one push, and then the other one fetch. */
  async shareNow(): Promise<void> {
    await this.#ada.runCommand('Patch Stacks: Share Now');
    await until(async () => /signed_off|changes_requested/.test(this.#newest()));
    await this.#bob.runCommand('Patch Stacks: Share Now');
  }

  /** Forgets which logs there are at the remote. */
  noteLogs(): void {
    this.#known = new Set(this.#tips());
  }

  #known = new Set<string>();

  #tips(): string[] {
    const listed = git(this.remote, 'for-each-ref', '--format=%(objectname)', 'refs/patch-stacks/v1');
    return listed.split('\n').filter(Boolean);
  }

  /** The operations that have come to the remote since. */
  #newest(): string {
    return this.#tips()
      .filter((tip) => !this.#known.has(tip))
      .map((tip) => git(this.remote, 'show', `${tip}:operations`))
      .join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#editor.close();
  }
}

/** Pushes a commit and fetches it elsewhere, by git alone. @returns The milliseconds that it took. */
function pushAndFetch(remote: string, round: number): number {
  const clones = ['one', 'other'].map((name) => path.join(path.dirname(remote), `plain-${name}`));
  const [one = '', other = ''] = clones;
  if (round === 0) {
    clones.forEach((clone) => git(path.dirname(remote), 'clone', '--quiet', remote, clone));
  }
  const commit = git(one, 'commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', `x ${round}`).trim();
  const before = performance.now();
  git(one, 'push', '--quiet', 'origin', `${commit}:refs/plain/${round}`);
  git(other, 'fetch', '--quiet', 'origin', `refs/plain/${round}`);
  return performance.now() - before;
}

async function measure(wanted: (metric: string) => boolean): Promise<Row[]> {
  await using team = await Team.start();
  const rows: Row[] = [];
  if (wanted(names.now)) {
    const times: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < rounds.now; round++) {
      plain.push(pushAndFetch(team.remote, round));
      team.noteLogs();
      const shown = await team.say();
      const before = performance.now();
      await team.shareNow();
      await shown.waitFor();
      times.push(performance.now() - before);
    }
    rows.push(
      beside(
        amountRow(names.now, 'ms', times, { atMost: 3000 }),
        'the push and the fetch by git alone',
        median(plain),
      ),
    );
  }
  if (wanted(names.byItself)) {
    const times: number[] = [];
    for (let round = 0; round < rounds.byItself; round++) {
      const shown = await team.say();
      const before = performance.now();
      await shown.waitFor({ timeout: 3 * intervalMs });
      times.push((performance.now() - before) / intervalMs);
    }
    rows.push(amountRow(names.byItself, 'polling intervals', times, { atMost: 1 }));
  }
  return rows;
}

/** From when the server has it, which is when it can't be undone any more. */
export const group: Group = {
  run: async (wanted) => (Object.values(names).some(wanted) ? measure(wanted) : []),
};
