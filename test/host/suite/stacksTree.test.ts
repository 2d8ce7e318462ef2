import assert from 'node:assert/strict';
import FakeTimers from '@sinonjs/fake-timers';
import { TreeItemCollapsibleState, type MarkdownString, type ThemeIcon } from 'vscode';
import type { ApiClient } from '../../../src/api/client.ts';
import type { Patch, PatchUser } from '../../../src/api/types/patches.ts';
import type { Project } from '../../../src/api/types/projects.ts';
import type { PatchStack } from '../../../src/api/types/stacks.ts';
import { Model } from '../../../src/model/model.ts';
import { meaningOf } from '../../../src/tree/clickedRow.ts';
import type { KeptExpansion } from '../../../src/tree/expansion.ts';
import type { StacksFilter } from '../../../src/tree/filter.ts';
import type { Node } from '../../../src/tree/nodes.ts';
import { ReadingMarks } from '../../../src/tree/readingMarks.ts';
import { StacksTree, type ActiveAccount } from '../../../src/tree/stacksTree.ts';
import { unsentMarks } from '../../../src/tree/unsentMarks.ts';
import { refOf } from '../../../src/util/patchRef.ts';
import { silentLog } from '../../support/silentLog.ts';

const minutesAgo = (minutes: number): string =>
  new Date(Date.UTC(2026, 0, 1) - minutes * 60_000).toISOString();

/** A service whose lists the tests change, and which counts what it is asked. */
class FakeService {
  projects: Project[] = ['1', '2', '3'].map((id, index) => ({
    repositoryId: id,
    name: `Project ${id}`,
    owner: index < 2 ? 'ada' : 'guild',
    updatedAt: minutesAgo(index),
  }));
  stacks = new Map<string, PatchStack[]>(
    this.projects.map(({ repositoryId }) => [repositoryId, [this.stack(repositoryId)]]),
  );
  sections = ['a', 'b'];
  asked: string[] = [];
  failure: Error | undefined;

  stack(projectId: string, rest: Partial<PatchStack> = {}): PatchStack {
    const patches: Patch[] = [{ changeId: 'I1', title: 'First', contributors: [] }];
    return {
      uuid: `stack-${projectId}`,
      branchId: 'main',
      status: 'active',
      version: '1',
      title: `Stack ${projectId}`,
      contributors: [],
      patches,
      ...rest,
    };
  }

  readonly client = {
    news: { isOffered: false },
    projects: { iterate: ({ since }: { since?: Date }) => this.#pages(since) },
    stacks: {
      list: async (id: string) => this.#answer(`stacks ${id}`, { items: this.stacks.get(id) ?? [] }),
    },
    patches: {
      get: async (stack: string, changeId: string) =>
        this.#answer(`patch ${stack}`, {
          changeId,
          contributors: [],
          sections: this.sections.map((code) => ({
            sectionType: 'text',
            code,
            identifier: code,
            text: code,
          })),
        }),
    },
  } as unknown as ApiClient;

  async *#pages(since: Date | undefined): AsyncGenerator<Project> {
    yield* await this.#answer(
      'projects',
      this.projects.filter(({ updatedAt }) => since === undefined || new Date(updatedAt ?? 0) > since),
    );
  }

  async #answer<T>(name: string, value: T): Promise<T> {
    this.asked.push(name);
    if (this.failure) {
      throw this.failure;
    }
    return structuredClone(value);
  }
}

describe('the rows of the stacks view', () => {
  let service: FakeService;
  let model: Model;
  let tree: StacksTree;
  let filter: StacksFilter;
  let redrawn: (string | undefined)[];
  let taken: Promise<void>[];
  let kept: KeptExpansion | undefined;

  beforeEach(() => {
    service = new FakeService();
    model = new Model((operation) => operation(service.client));
    filter = { status: 'active' };
    kept = undefined;
    tree = newTree('ada');
    redrawn = [];
    taken = [];
    tree.onDidChangeTreeData((rows) => {
      redrawn.push(...(Array.isArray(rows) ? rows : [rows]).map((row) => row?.id));
    });
    model.onDidChange((change) => taken.push(tree.takeIn(change)));
  });

  /** The rows of a window in which somebody is signed in. */
  const newTree = (
    account: string,
    session: ActiveAccount['session'] = async () => ({ id: account, login: 'ada' }),
  ): StacksTree =>
    new StacksTree({
      account: { activeServer: 'https://x', session },
      model: async () => model,
      workspace: { ready: async () => undefined, find: () => [] },
      filter: () => filter,
      reading: new ReadingMarks({ model: async () => model, readings: async () => undefined }),
      sharing: { of: () => undefined, onDidChange: () => ({ dispose: () => undefined }) },
      memory: { read: () => kept, write: (now) => void (kept = now) },
      log: silentLog,
    });

  afterEach(() => {
    tree.dispose();
    model.dispose();
  });

  /** Reads the rows along a path of labels, as VS Code does when they are expanded. */
  async function expand(...labels: string[]): Promise<Node> {
    let row: Node | undefined;
    for (const label of labels) {
      const rows: Node[] = await tree.getChildren(row);
      if (row) {
        tree.setExpanded(row, true);
      }
      const labels = await Promise.all(rows.map(async (one) => (await tree.getTreeItem(one)).label));
      row = rows[labels.indexOf(label)];
      assert.ok(row, `${label} among ${JSON.stringify(labels)}`);
    }
    assert.ok(row);
    await tree.getChildren(row);
    tree.setExpanded(row, true);
    return row;
  }

  /** Waits until what the model told is taken in, and what that loads as well. */
  async function settled(): Promise<void> {
    for (let rounds = 0; rounds < 5; rounds++) {
      await Promise.all(taken.splice(0));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  const later = (id: string, change: Partial<Project>): void => {
    service.projects = service.projects.map((project) =>
      project.repositoryId === id ? { ...project, updatedAt: minutesAgo(-1), ...change } : project,
    );
  };

  it('are for the account that comes while they are asked for, and nobody has to ask again', async () => {
    const signedIn = Promise.withResolvers<{ id: string; login: string }>();
    tree.dispose();
    tree = newTree('ada', () => signedIn.promise);
    const rows = tree.getChildren();
    assert.ok(tree.isFor('ada'));
    signedIn.resolve({ id: 'ada', login: 'ada' });
    assert.equal((await rows).length, 2);
    assert.ok(tree.isFor('ada'));
    assert.ok(!tree.isFor('grace'));
    assert.ok(!tree.isFor(undefined));
  });

  it('are for nobody when they were given before somebody signed in', async () => {
    const sessions: { id: string; login: string }[] = [];
    tree.dispose();
    tree = newTree('ada', async () => sessions.at(0));
    tree.onDidChangeTreeData(() => redrawn.push(undefined));
    assert.deepEqual(await tree.getChildren(), []);
    sessions.push({ id: 'ada', login: 'ada' });
    assert.ok(tree.isFor(undefined));
    assert.ok(!tree.isFor('ada'));
    tree.reset();
    assert.deepEqual(redrawn, [undefined]);
    assert.equal((await tree.getChildren()).length, 2);
    assert.ok(tree.isFor('ada'));
  });

  it('lists only the stacks of the person, or those that wait for their review', async () => {
    const me = { id: '1', login: 'ada' };
    const stack = (title: string, rest: Partial<PatchStack>): PatchStack =>
      service.stack('1', { uuid: title, title, ...rest });
    const patch = (signedOff: PatchUser[]): Patch => ({
      changeId: 'I1',
      contributors: [],
      reviewAll: { viewed: [], signedOff, rejected: [] },
    });
    service.stacks.set('1', [
      stack('Mine', { contributors: [{ user: me }] }),
      stack('Read', { patches: [patch([me])] }),
      stack('Unread', { patches: [patch([{ id: '2', login: 'bob' }])] }),
      stack('Closed', { status: 'closed' }),
    ]);
    model.dispose();
    model = new Model((operation) => operation(service.client), { me });
    const titles = async (): Promise<unknown[]> => {
      const row = await expand('ada', 'Project 1');
      const rows = await tree.getChildren(row);
      return rows.map((one) => (one.kind === 'stack' ? one.stack.title : one.kind));
    };
    filter = { status: 'all', whose: 'mine' };
    assert.deepEqual(await titles(), ['Mine']);
    filter = { status: 'all', whose: 'waiting' };
    assert.deepEqual(await titles(), ['Unread']);
  });

  it('have the same ids and are the same objects after a refresh', async () => {
    const before = [
      await expand('ada', 'Project 1', 'Stack 1', 'First'),
      await expand('guild', 'Project 3', 'Stack 3'),
    ];
    const ids = before.map(({ id }) => id);
    assert.deepEqual(ids, ['project:1/branch:main/patch:I1', 'project:3/branch:main']);
    model.refresh();
    await settled();
    const after = [
      await expand('ada', 'Project 1', 'Stack 1', 'First'),
      await expand('guild', 'Project 3', 'Stack 3'),
    ];
    assert.deepEqual(
      after.map(({ id }) => id),
      ids,
    );
    assert.ok(after.every((row, index) => row === before[index]));
  });

  it('take one request each to expand, and none again', async () => {
    await tree.getChildren();
    assert.deepEqual(service.asked, ['projects']);
    await expand('ada', 'Project 1', 'Stack 1', 'First');
    assert.deepEqual(service.asked, ['projects', 'stacks 1', 'patch stack-1']);
    await expand('ada', 'Project 1', 'Stack 1', 'First');
    assert.equal(service.asked.length, 3);
  });

  it('are drawn again only where a project changed, with one event', async () => {
    await expand('ada', 'Project 1');
    await expand('guild');
    later('3', { name: 'Renamed' });
    service.asked = [];
    await model.update();
    await settled();
    assert.deepEqual(service.asked, ['projects']);
    assert.deepEqual(redrawn, ['project:3']);
    // Nothing has changed since.
    redrawn = [];
    await model.update();
    await settled();
    assert.deepEqual(redrawn, []);
  });

  it('show a new version in the row of its stack, with a mark, and nothing else is drawn again', async () => {
    const row = await expand('ada', 'Project 1', 'Stack 1');
    const sibling = service.stack('1', { uuid: 'other', branchId: 'other', title: 'Other' });
    service.stacks.set('1', [service.stack('1', { uuid: 'newer', version: '2' }), sibling]);
    service.stacks.set('1', [service.stack('1', { uuid: 'newer', version: '2' })]);
    later('1', {});
    await model.update();
    await settled();
    assert.deepEqual(
      redrawn.filter((id) => id !== 'project:1'),
      ['project:1/branch:main'],
    );
    assert.equal(await expand('ada', 'Project 1', 'Stack 1'), row);
    assert.equal(tree.markOf(row), 'newVersion');
    assert.match((await tree.getTreeItem(row)).accessibilityInformation?.label ?? '', /new version/);
    tree.noteLookedAt(row);
    assert.equal(tree.markOf(row), undefined);
  });

  it('have that mark too when the version came while nobody saw the stack', async () => {
    const project = await expand('ada', 'Project 1');
    const stacks = await tree.getChildren(project);
    assert.deepEqual(
      stacks.map((row) => tree.markOf(row)),
      [undefined],
    );
    tree.setExpanded(project, false);
    service.stacks.set('1', [service.stack('1', { uuid: 'newer', version: '2' })]);
    later('1', {});
    await model.update();
    // Somebody else wants to know, e.g. a document that is open.
    await model.stacks('1', filter);
    await settled();
    tree.setExpanded(project, true);
    const rows = await tree.getChildren(project);
    assert.notEqual(rows[0], stacks[0], 'its row was forgotten');
    assert.deepEqual(
      rows.map((row) => tree.markOf(row)),
      ['newVersion'],
    );
  });

  it('ask for nothing while they are not on screen', async () => {
    await expand('ada', 'Project 1');
    tree.setVisible(false);
    service.asked = [];
    redrawn = [];
    model.refresh();
    later('1', { name: 'Renamed' });
    await settled();
    assert.deepEqual(service.asked, []);
    assert.ok(
      redrawn.every((id) => id === undefined),
      'VS Code asks for all when they are shown again',
    );
    assert.ok(redrawn.length > 0);
  });

  it('ask for nothing below a row that is collapsed', async () => {
    const row = await expand('ada', 'Project 1');
    tree.setExpanded(row, false);
    service.asked = [];
    later('1', { name: 'Renamed' });
    await model.update();
    await settled();
    assert.deepEqual(service.asked, ['projects']);
  });

  it('say on their own row what failed, and can be tried again there', async () => {
    await tree.getChildren();
    service.failure = new Error('The disk of the service is full.');
    const row = await expand('ada', 'Project 1');
    const [notice] = await tree.getChildren(row);
    assert.ok(notice);
    const item = await tree.getTreeItem(notice);
    assert.ok(typeof item.label === 'string');
    assert.match(item.label, /Couldn't load the patch stacks: The disk of the service is full/);
    assert.equal(item.command?.title, 'Refresh');
    assert.deepEqual(meaningOf(notice)?.arguments, [row, 'below']);
    await expand('guild');
    service.failure = undefined;
    model.refreshStacks('1');
    await settled();
    assert.deepEqual(redrawn, ['project:1']);
    await expand('ada', 'Project 1', 'Stack 1');
  });

  it('open when they are clicked, also while they are drawn again: VS Code forgets arguments then', async () => {
    const stack = await expand('ada', 'Project 1', 'Stack 1');
    const [patch] = await tree.getChildren(stack);
    assert.ok(patch?.kind === 'patch');
    const { command } = await tree.getTreeItem(patch);
    assert.equal(command?.title, 'Open Patch');
    assert.equal(command.arguments, undefined);
    assert.deepEqual(meaningOf(patch)?.arguments, [refOf(patch)]);
  });

  it('keep what was known when it cannot be brought up to date, and say so on their own row', async () => {
    const row = await expand('ada', 'Project 1');
    service.failure = new Error('down');
    model.refreshStacks('1');
    await settled();
    await expand('ada', 'Project 1', 'Stack 1');
    const item = await tree.getTreeItem(row);
    assert.equal((item.iconPath as ThemeIcon).id, 'warning');
    const { tooltip } = tree.resolveTreeItem(item, row);
    assert.match(
      (tooltip as MarkdownString).value,
      /Couldn't(&nbsp;| )load(&nbsp;| )the(&nbsp;| )patch(&nbsp;| )stacks: ?/,
    );
    service.failure = undefined;
    model.refreshStacks('1');
    await settled();
    assert.equal(((await tree.getTreeItem(row)).iconPath as ThemeIcon).id, 'repo');
  });

  it('are marked where something is unsent, and drawn again only there', async () => {
    await expand('ada', 'Project 1', 'Stack 1', 'First');
    await expand('guild', 'Project 3');
    const patch = { projectId: '1', stackUuid: 'stack-1', changeId: 'I1' };
    redrawn = [];
    tree.setUnsent(
      unsentMarks([{ subject: { kind: 'sectionText', patch, code: 'a' }, content: { base: '', text: 'x' } }]),
    );
    assert.deepEqual(redrawn, [
      'project:1',
      'project:1/branch:main',
      'project:1/branch:main/patch:I1',
      'project:1/branch:main/patch:I1/section:a',
    ]);
    redrawn = [];
    tree.setUnsent(unsentMarks([]));
    assert.equal(redrawn.length, 4);
  });

  it('stand in the order that the person gave them, before the service has it', async () => {
    const row = await expand('ada', 'Project 1', 'Stack 1', 'First');
    const patch = { projectId: '1', stackUuid: 'stack-1', changeId: 'I1' };
    tree.setUnsent(
      unsentMarks([
        { subject: { kind: 'sectionOrder', patch }, content: { base: ['a', 'b'], order: ['b', 'a'] } },
      ]),
    );
    await settled();
    const sections = await tree.getChildren(row);
    assert.deepEqual(
      sections.map(({ id }) => id.slice(-1)),
      ['b', 'a'],
    );
  });

  it('are drawn again only when nobody drags one any more', async () => {
    await expand('ada', 'Project 1');
    await expand('guild', 'Project 3');
    tree.redraws.holdStill();
    later('3', { name: 'Renamed' });
    await model.update();
    await settled();
    assert.deepEqual(redrawn, []);
    tree.redraws.release();
    assert.deepEqual(redrawn, ['project:3']);
    tree.redraws.release();
    assert.equal(redrawn.length, 1);
  });

  it('are drawn again when nobody has said for long that a drag has ended', async () => {
    await expand('ada', 'Project 1');
    const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      tree.redraws.holdStill();
      tree.setUnsent(
        unsentMarks([
          {
            subject: { kind: 'stack', projectId: '1', stackUuid: 'stack-1' },
            content: { base: { title: '', description: '' }, fields: {} },
          },
        ]),
      );
      clock.tick(9_999);
      assert.deepEqual(redrawn, []);
      clock.tick(1);
      assert.deepEqual(redrawn, ['project:1', 'project:1/branch:main']);
    } finally {
      clock.uninstall();
    }
  });

  it('are drawn again when their ages change, and only those', async () => {
    const clock = FakeTimers.install({ now: Date.UTC(2026, 0, 1, 0, 0, 30), toFake: ['Date'] });
    try {
      for (const owner of await tree.getChildren()) {
        await Promise.all((await tree.getChildren(owner)).map((row) => tree.getTreeItem(row)));
      }
      redrawn = [];
      tree.redrawAges();
      assert.deepEqual(redrawn, []);
      // Project 1 had something done in it half a minute ago, the others at whole minutes before.
      clock.setSystemTime(Date.UTC(2026, 0, 1, 0, 0, 59));
      tree.redrawAges();
      assert.deepEqual(redrawn, []);
      clock.setSystemTime(Date.UTC(2026, 0, 1, 0, 59, 59));
      tree.redrawAges();
      assert.deepEqual(redrawn, ['project:1', 'project:2', 'project:3']);
      // Not again before they are drawn, for those that are out of sight are not.
      tree.redrawAges();
      assert.equal(redrawn.length, 3);
      for (const owner of await tree.getChildren()) {
        await Promise.all((await tree.getChildren(owner)).map((row) => tree.getTreeItem(row)));
      }
      redrawn = [];
      clock.setSystemTime(Date.UTC(2026, 0, 1, 1, 0, 0));
      tree.redrawAges();
      assert.deepEqual(redrawn, ['project:1']);
    } finally {
      clock.uninstall();
    }
  });

  it('show what somebody else did inside a stack, where it is expanded', async () => {
    const row = await expand('ada', 'Project 1', 'Stack 1', 'First');
    service.sections = ['a', 'b', 'c'];
    later('1', {});
    service.asked = [];
    await model.update();
    await settled();
    assert.deepEqual(service.asked, ['projects', 'stacks 1', 'patch stack-1']);
    assert.equal((await tree.getChildren(row)).length, 3);
    // That the project had something done in it is no reason to draw its row, and with it all below, again.
    assert.deepEqual(redrawn, ['project:1/branch:main/patch:I1']);
    assert.equal(service.asked.length, 3);
  });

  it('are expanded as they were in the window before, for the same account', async () => {
    const [guild] = (await tree.getChildren()).filter(({ id }) => id === 'owner:guild');
    assert.ok(guild);
    tree.setExpanded(guild, false);
    await expand('ada', 'Project 1');
    const expandedIn = async (other: StacksTree): Promise<string[]> => {
      const expanded: string[] = [];
      const look = async (row?: Node): Promise<void> => {
        for (const below of await other.getChildren(row)) {
          const { collapsibleState } = await other.getTreeItem(below);
          if (collapsibleState === TreeItemCollapsibleState.Expanded) {
            expanded.push(below.id);
            await look(below);
          }
        }
      };
      await look();
      other.dispose();
      return expanded;
    };
    assert.deepEqual(await expandedIn(newTree('ada')), ['owner:ada', 'project:1']);
    assert.deepEqual(await expandedIn(newTree('grace')), ['owner:ada', 'owner:guild']);
    tree.setAllCollapsed();
    assert.deepEqual(await expandedIn(newTree('ada')), []);
  });

  it('are drawn some at a time where there are many, in their order', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `branch-${index}`);
    service.stacks.set(
      '1',
      names.map((branchId) => service.stack('1', { uuid: branchId, branchId })),
    );
    const rows = await tree.getChildren(await expand('ada', 'Project 1'));
    const drawn: Node[] = [];
    const draw = async (row: Node): Promise<void> => {
      await tree.getTreeItem(row);
      drawn.push(row);
    };
    const all = Promise.all(rows.map(draw));
    const counts = [0];
    while (drawn.length < rows.length) {
      await new Promise((resolve) => setImmediate(resolve));
      counts.push(drawn.length);
    }
    await all;
    const most = Math.max(...counts.slice(1).map((count, index) => count - counts[index]!));
    assert.ok(most <= 200, `${most} in one turn`);
    assert.deepEqual(drawn, rows);
    assert.equal(rows.length, 1000);
  });

  it('say in words what kind they are, and what their icons, signs and colors mean', async () => {
    const patch: Patch = {
      changeId: 'I1',
      title: 'First',
      version: '2',
      contributors: [{ user: { login: 'ada', name: 'Ada' } }],
      statistics: { lines: 1, deletions: 2 },
      reviewAll: {
        viewed: [],
        signedOff: [{ login: 'grace', name: 'Grace' }],
        rejected: [{ login: 'alan', name: 'Alan' }],
      },
    };
    service.stacks.set('1', [service.stack('1', { patches: [patch] })]);
    const spoken = async (...labels: string[]): Promise<string> =>
      (await tree.getTreeItem(await expand(...labels))).accessibilityInformation?.label ?? '';
    const starts = async (words: string, ...labels: string[]): Promise<void> =>
      assert.equal((await spoken(...labels)).slice(0, words.length), words);
    await starts('Your projects, ada', 'ada');
    await starts('Projects of, guild', 'guild');
    await starts('Project, Project 1', 'ada', 'Project 1');
    await starts('Patch stack, Stack 1, Active, v1', 'ada', 'Project 1', 'Stack 1');
    await starts('Section, a', 'ada', 'Project 1', 'Stack 1', 'First', 'a');
    const row = await spoken('ada', 'Project 1', 'Stack 1', 'First');
    for (const words of [
      'Patch, First, version 2, ',
      '1 line added',
      '2 lines removed',
      'Ada',
      'Signed off by Grace',
      'Changes requested by Alan',
    ]) {
      assert.ok(row.includes(words), `${words}: ${row}`);
    }
  });

  it('say in words who has reviewed a patch of which a service tells in its other list, and a status once', async () => {
    const reviewed = { viewed: [], signedOff: [{ login: 'grace', name: 'Grace' }], rejected: [] };
    const patch: Patch = { changeId: 'I1', title: 'First', contributors: [], review: reviewed };
    filter = { status: 'all' };
    service.stacks.set('1', [service.stack('1', { patches: [patch], status: 'closed' })]);
    const labelOf = async (...labels: string[]): Promise<string> =>
      (await tree.getTreeItem(await expand(...labels))).accessibilityInformation?.label ?? '';
    assert.match(await labelOf('ada', 'Project 1', 'Stack 1', 'First'), /, Signed off by Grace, /);
    assert.deepEqual((await labelOf('ada', 'Project 1', 'Stack 1')).match(/Closed/g), ['Closed']);
  });

  it('let no text of strangers become markup', async () => {
    service.projects[0] = {
      ...service.projects[0]!,
      name: '[x](command:y)',
      description: '<b> **c** ![i](http://x) https://x.example www.x.example x@x.example',
    };
    const row = await expand('ada', '[x](command:y)');
    const { tooltip } = tree.resolveTreeItem(await tree.getTreeItem(row), row);
    const { value, isTrusted } = tooltip as MarkdownString;
    assert.ok(isTrusted !== true);
    assert.doesNotMatch(value, /\[x\]\(command|!\[i\]\(|<b>|(?<!\\):\/\/|www\.|x@/);
  });
});
