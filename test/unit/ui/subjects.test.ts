/** The subject of each command, from the palette: it is the thing that is selected or open, and nobody is asked for it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Project } from '../../../src/api/types/projects.ts';
import type { PatchStack } from '../../../src/api/types/stacks.ts';
import {
  subjects,
  type CommandHandlers,
  type CommandName,
  type SubjectCommand,
} from '../../../src/commandTable.ts';
import { AtHand } from '../../../src/model/atHand.ts';
import { withSubjects } from '../../../src/ui/subjects.ts';
import type { Ref, SectionRef } from '../../../src/util/patchRef.ts';

interface Manifest {
  contributes: {
    commands: { command: string }[];
    menus: Record<string, { command: string; group?: string }[]>;
  };
}

const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const { commands, menus } = (JSON.parse(read('package.json')) as Manifest).contributes;
const nameOf = (command: string): string => command.replace('patchStacks.', '');
const names = commands.map(({ command }) => nameOf(command));

const serverUrl = 'https://one.example/api/';
const project = (id: string): Project => ({ repositoryId: id });
const stack = (uuid: string): PatchStack => ({ uuid, contributors: [] });
const places = {
  project: { serverUrl, projectId: 'P' },
  stack: { serverUrl, projectId: 'P', stackUuid: 'S' },
  patch: { serverUrl, projectId: 'P', stackUuid: 'S', changeId: 'C' },
  section: { serverUrl, projectId: 'P', stackUuid: 'S', changeId: 'C', sectionCode: 'T' },
} satisfies Record<string, Ref>;
const elsewhere: Ref = { serverUrl, projectId: 'P2', stackUuid: 'S2', changeId: 'C2' };

type Selected = keyof typeof places;
const projectRow = { project: project('P') };
const stackRow = { projectId: 'P', stack: stack('S') };

/** The argument of a command of each kind, by what is selected; and with nothing selected but the document open. */
const expected: Record<string, Record<Selected | 'document', unknown>> = {
  project: {
    project: projectRow,
    stack: projectRow,
    patch: projectRow,
    section: projectRow,
    document: projectRow,
  },
  stack: { project: projectRow, stack: stackRow, patch: stackRow, section: stackRow, document: stackRow },
  patch: {
    project: undefined,
    stack: undefined,
    patch: places.patch,
    section: places.section,
    document: places.patch,
  },
  // Without a row it is the section of the document that has the focus.
  section: {
    project: undefined,
    stack: undefined,
    patch: places.patch,
    section: places.section,
    document: undefined,
  },
  any: {
    project: projectRow,
    stack: stackRow,
    patch: places.patch,
    section: places.section,
    document: places.patch,
  },
};

describe('what a command is for', () => {
  let atHand: AtHand;
  let given: unknown[][];
  let handlers: CommandHandlers;
  let focused: Partial<SectionRef> | undefined;

  beforeEach(() => {
    atHand = new AtHand();
    given = [];
    focused = undefined;
    const recording = names.map((name): [string, unknown] => [
      name,
      async (...args: unknown[]) => given.push(args),
    ]);
    handlers = withSubjects(Object.fromEntries(recording) as unknown as CommandHandlers, {
      atHand,
      connection: { activeServer: serverUrl },
      rowOf: async (args) => args[0],
      rowOfButton: (args) => {
        if (args.length > 0 && args[0] === undefined) {
          throw new Error('lost');
        }
        return args[0];
      },
      focusedPart: async () => focused,
      findProject: async (id) => project(id),
      findStack: async (_project, uuid) => stack(uuid),
    });
  });

  /** Runs a command, and says what its handler was given. */
  async function run(name: string, ...args: unknown[]): Promise<unknown> {
    const handler = handlers[name as CommandName] as (...all: unknown[]) => Promise<void>;
    await handler(...args);
    return given.pop()?.[0];
  }

  it('knows which commands are buttons of rows, and which stand in the title of the view', () => {
    const standing = (menu: string, isSo: (group: string) => boolean): string[] => [
      ...new Set(
        (menus[menu] ?? [])
          .filter(({ group = '' }) => isSo(group))
          .map(({ command }) => nameOf(command))
          .filter((name) => name in subjects),
      ),
    ];
    const marked = (mark: 'hasButton' | 'inTitle'): string[] =>
      Object.keys(subjects).filter((name) => subjects[name as SubjectCommand][mark]);
    assert.deepEqual(
      marked('hasButton').sort(),
      standing('view/item/context', (group) => group.startsWith('inline')).sort(),
    );
    assert.deepEqual(marked('inTitle').sort(), standing('view/title', () => true).sort());
  });

  for (const name of names) {
    const subject = name in subjects ? subjects[name as SubjectCommand] : undefined;
    for (const selected of [...Object.keys(places), 'document'] as (Selected | 'document')[]) {
      it(`${name}, with ${selected === 'document' ? 'a document open' : `a ${selected} selected`}`, async () => {
        if (selected === 'document') {
          atHand.show(places.patch);
        } else {
          // A document of elsewhere that was looked at before.
          atHand.show(subject?.kind === 'patch' || subject?.kind === 'section' ? undefined : elsewhere);
          atHand.select(places[selected]);
        }
        assert.deepEqual(await run(name), subject && expected[subject.kind]?.[selected]);
      });
    }
  }

  it('is what the person turned to last', async () => {
    atHand.select(places.stack);
    atHand.show(elsewhere);
    assert.deepEqual(await run('editProject'), { project: project('P2') });
    assert.deepEqual(await run('editStack'), { projectId: 'P2', stack: stack('S2') });
    atHand.select(places.project);
    assert.deepEqual(await run('editStack'), projectRow, 'the stack is asked for in the project');
    assert.deepEqual(await run('signOffPatch'), elsewhere, 'there is but one patch');
    atHand.show(places.patch);
    atHand.select(places.project);
    assert.deepEqual(await run('editStack'), stackRow, 'the document is of the same project');
  });

  it('is the document when the selected row stands for nothing of the service', async () => {
    atHand.show(places.patch);
    atHand.select(undefined);
    assert.deepEqual(await run('editProject'), projectRow);
    atHand.show(undefined);
    assert.equal(await run('editProject'), undefined);
  });

  it('is nothing of another server', async () => {
    atHand.select({ ...places.section, serverUrl: 'https://two.example/api/' });
    assert.equal(await run('editProject'), undefined);
    assert.equal(await run('copyLink'), undefined);
  });

  it('is the row that a menu hands over, whatever is selected', async () => {
    atHand.select({ serverUrl, projectId: 'P3' });
    // The very same: what it knows isn't asked for again.
    assert.equal(await run('editStack', stackRow), stackRow);
    assert.equal(await run('editStack', projectRow), projectRow);
    assert.equal(await run('editProject', projectRow), projectRow);
    assert.equal(await run('signOffPatch', places.patch), places.patch);
    assert.equal(await run('editSection', places.section), places.section);
    assert.equal(await run('copyLink', stackRow), stackRow);
    // Of one that is no row for the command, what it stands for is.
    assert.deepEqual(await run('signOffPatch', stackRow), undefined);
    assert.deepEqual(await run('editProject', stackRow), projectRow);
    // The title of the view hands over whatever has the focus.
    assert.deepEqual(await run('createStack', places.section), projectRow);
    assert.deepEqual(await run('createStack', undefined), { project: project('P3') });
  });

  it('is the section that the menu of the document names, in the document', async () => {
    atHand.show(places.patch);
    atHand.select({ serverUrl, projectId: 'P3' });
    const menu = { webview: 'w', patchStacksSection: 'text', sectionCode: 'T' };
    assert.deepEqual(await run('copyLink', menu), places.section);
    assert.deepEqual(await run('editSection', menu), { sectionCode: 'T' });
  });

  it('is what has the focus in the document, to copy a link to it, but not when a row says what it is', async () => {
    atHand.show(places.patch);
    focused = { sectionCode: 'T', line: { side: 'old', line: 7 } };
    assert.deepEqual(await run('copyLink'), { ...places.patch, ...focused });
    assert.deepEqual(await run('copyLink', places.patch), places.patch);
    const menu = { webview: 'w', sectionCode: 'U', line: { side: 'new', line: 3 } };
    assert.deepEqual(await run('copyLink', menu), {
      ...places.patch,
      sectionCode: 'U',
      line: { side: 'new', line: 3 },
    });
    atHand.select(places.patch);
    assert.deepEqual(await run('copyLink'), places.patch);
  });

  it('is not made up when a button has lost its row', async () => {
    atHand.select(places.stack);
    await assert.rejects(run('closeStack', undefined), /lost/);
  });
});
