/** Help for the author of a section: what there is to name, what may be better said, and where links lead, in VS Code's own editor. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ApiClient } from '../../../src/api/client.ts';
import type { Patch, PatchSection } from '../../../src/api/types/patches.ts';
import { Model } from '../../../src/model/model.ts';
import type { Readings } from '../../../src/model/reading/readings.ts';
import { offeredNames } from '../../../src/patch/offeredNames.ts';
import { openFile } from '../../../src/patch/openFile.ts';
import { checkText } from '../../../src/patch/proseChecks.ts';
import { proseLinks } from '../../../src/patch/proseLinks.ts';
import { sectionTemplate } from '../../../src/patch/sectionTemplate.ts';
import { linkAddress } from '../../../src/patch/writing/linkCommand.ts';
import { SectionImages } from '../../../src/patch/writing/sectionImages.ts';
import { SectionProse } from '../../../src/patch/writing/sectionProse.ts';
import type { SectionUris } from '../../../src/patch/writing/sectionUris.ts';
import { Emitter } from '../../../src/util/event.ts';
import type { SectionRef } from '../../../src/util/patchRef.ts';
import { silentLog } from '../../support/silentLog.ts';
import { until } from '../../support/until.ts';

const service = JSON.parse(process.env['PATCH_STACKS_TEST_SERVICE'] ?? '{}') as {
  url: string;
  token: string;
  repository: string;
};

describe('help with the text of a section', function () {
  this.timeout(180_000);
  const { signal } = new AbortController();
  const greeting = path.join(service.repository, 'src/greet.ts');
  const template = path.join(service.repository, '.patch-stacks');
  let client: ApiClient;
  let model: Model;
  let ref: SectionRef & { sectionCode: string };
  let patch: Patch;

  // A text that VS Code saves by itself is sent.
  const saveByItself = (value: 'off' | undefined): Thenable<void> =>
    vscode.workspace.getConfiguration('files').update('autoSave', value, vscode.ConfigurationTarget.Global);

  before(async () => {
    await saveByItself('off');
    client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    model = new Model((operation) => operation(client));
    const [project] = (await model.projects()).value.items;
    const [stack] = (await model.stacks(project!.repositoryId, 'active')).value;
    const { changeId } = (
      await client.stacks.latestForBranch(project!.repositoryId, stack!.branchId ?? '')
    ).patches!.find(({ title }) => title === 'Greet people by name')!;
    const place = { projectId: project!.repositoryId, stackUuid: stack!.uuid, changeId };
    patch = (await model.patch(place)).value;
    const text = patch.sections!.find(({ sectionType }) => sectionType === 'text')!;
    ref = { ...place, branchId: stack!.branchId, serverUrl: service.url, sectionCode: text.code };
  });

  afterEach(async () => {
    await rm(template, { recursive: true, force: true });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await saveByItself(undefined);
    await client.close();
  });

  const writeTemplate = async (text: string): Promise<void> => {
    await mkdir(template);
    await writeFile(path.join(template, 'section.md'), text);
  };
  /** A commit with one file, which is on no branch. @returns its id. */
  const commitOf = (folder: string, name: string, content: string): string => {
    const git = (args: string[], input: string): string =>
      execFileSync('git', args, { cwd: service.repository, input, encoding: 'utf8' }).trim();
    const blob = git(['hash-object', '-w', '--stdin'], content);
    const inner = git(['mktree'], `100644 blob ${blob}\t${name}\n`);
    const tree = git(['mktree'], `040000 tree ${inner}\t${folder}\n`);
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    return git([...who, 'commit-tree', tree, '-m', 'Write a template'], '');
  };
  const problems = async (text: string) =>
    (await checkText(model, ref, text, signal)).map(({ message, start, end }) => [
      message,
      text.slice(start, end),
    ]);

  it('offers the files of the repository, the symbols of the patch, its neighbors and people', async () => {
    const names = await offeredNames(model, ref, signal);
    const has = (kind: string, name: string): boolean =>
      names.some((offered) => offered.kind === kind && offered.name === name);
    assert.deepEqual(names[0], { kind: 'file', name: 'src/greet.ts' }, 'those of the patch are first');
    assert.ok(has('file', 'src/names.ts'), 'as it is at this version, where nobody has renamed it yet');
    assert.ok(!has('file', 'src/people.ts'));
    assert.ok(has('symbol', 'greet'));
    assert.deepEqual(
      names.find(({ kind, name }) => kind === 'patch' && name === ref.changeId),
      { kind: 'patch', name: ref.changeId, detail: 'Greet people by name' },
    );
    assert.ok(names.some(({ kind }) => kind === 'person'));
    assert.equal(new Set(names.map(({ kind, name }) => `${kind} ${name}`)).size, names.length);
  });

  it('begins with the template of the project, else with the person’s own', async () => {
    const { commitSha = '' } = patch;
    assert.equal(await sectionTemplate({ commitSha } as Patch), '');
    const settings = vscode.workspace.getConfiguration('patchStacks');
    await settings.update('sectionTemplate', '# Mine\n', vscode.ConfigurationTarget.Global);
    try {
      assert.equal(await sectionTemplate({ commitSha } as Patch), '# Mine\n');
      await writeTemplate('# Ours\n');
      assert.equal(await sectionTemplate({ commitSha } as Patch), '# Ours\n');
      const theirs = commitOf('.patch-stacks', 'section.md', '# Theirs\n');
      assert.equal(await sectionTemplate({ commitSha: theirs } as Patch), '# Theirs\n');
    } finally {
      await settings.update('sectionTemplate', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('finds links to nothing, and only those', async () => {
    assert.deepEqual(
      await problems('See [it](gone.ts), [this](src/greet.ts), [that](src), ![x](./none.png).'),
      [
        ["The repository doesn't have gone.ts at this version.", 'gone.ts'],
        ["The repository doesn't have ./none.png at this version.", './none.png'],
      ],
    );
    assert.deepEqual(
      await problems('[Before](src/names.ts), [after](src/people.ts).'),
      [["The repository doesn't have src/people.ts at this version.", 'src/people.ts']],
      'a later patch renames it',
    );
    assert.deepEqual(await problems('[Here](), [there](https://example.org/), [above](#top).'), [
      ["This link doesn't lead anywhere.", ''],
    ]);
  });

  it('finds lines that are not there, of files that are and of others', async () => {
    const text =
      'In src/greet.ts:99, src/gone.ts:3 and example.org/gone:80.\n\n```text\nsrc/gone.ts:4\n```\n';
    assert.deepEqual(await problems(text), [
      ["The lines src/greet.ts:99 can't be found in this version.", 'src/greet.ts:99'],
      ["The repository doesn't have src/gone.ts at this version.", 'src/gone.ts:3'],
    ]);
  });

  it('leads to files at the top of the repository, and to those in folders, of whatever kind', async () => {
    const targets = async (text: string) =>
      (await proseLinks(model, ref, text, signal)).map(({ text: name, target }) => [name, target]);
    assert.deepEqual(await targets('See README.md, src, and none.md.'), [
      ['README.md', { kind: 'file', path: 'README.md' }],
    ]);
    const commitSha = commitOf('media', 'logo.png', '\u0089PNG\u0000\u0001');
    const at = { patchUnopened: async () => ({ ...patch, commitSha, sections: [] }) } as unknown as Model;
    const drawn = Object.assign(Object.create(model) as Model, at);
    assert.deepEqual(
      await proseLinks(drawn, ref, 'In media/logo.png, media/ and and/or; not in media/none.png.', signal),
      [{ text: 'media/logo.png', target: { kind: 'file', path: 'media/logo.png' } }],
    );
  });

  it('leads to the lines of the repository that define a symbol, whatever VS Code knows of its language', async () => {
    const targets = async (commitSha: string | undefined, text: string) => {
      const at = { patchUnopened: async () => ({ ...patch, commitSha }) } as unknown as Model;
      const found = await proseLinks(Object.assign(Object.create(model) as Model, at), ref, text, signal);
      return found.map(({ text: name, target }) => [name, target]);
    };
    const names = { kind: 'file', path: 'src/names.ts', start: 1, end: 1, lines: ['export const names = ['] };
    const text = 'As in `names`, `names[0]`, `names()`, not in names, nor `noNames`.';
    assert.deepEqual(await targets(patch.commitSha, text), [
      ['names', names],
      ['names()', names],
    ]);
    const code = ['pub(crate) fn find_it() {', '// The const other_it is not here', 'let other_it = 1;'].join(
      '\n',
    );
    const inRust = commitOf('src', 'lib.rs', code);
    assert.deepEqual(await targets(inRust, 'As in `find_it()`, `lib::other_it`, not in `Other::other_it`.'), [
      [
        'find_it()',
        { kind: 'file', path: 'src/lib.rs', start: 1, end: 1, lines: ['pub(crate) fn find_it() {'] },
      ],
      ['lib::other_it', { kind: 'file', path: 'src/lib.rs', start: 3, end: 3, lines: ['let other_it = 1;'] }],
    ]);
    const twice = commitOf(
      'src',
      'lib.rs',
      'fn find_it() {}\nmod other { fn find_it() {} }\nfn find_it() {}\n',
    );
    const place = (line: number) => ({
      ...{ kind: 'file', path: 'src/lib.rs', start: line, end: line, lines: ['fn find_it() {}'] },
    });
    assert.deepEqual(await targets(twice, 'As in `find_it()`.'), [
      ['find_it()', { kind: 'several', places: [place(1), place(3)], more: 0 }],
    ]);
    const said = '/*\nfn find_it() {\n*/\nlet it = "\nfn find_it() {\n";\nfn find_it() {}\n';
    assert.deepEqual(await targets(commitOf('src', 'lib.rs', said), 'As in `find_it()`.'), [
      ['find_it()', place(7)],
    ]);
    const inProse = commitOf('docs', 'a.md', 'function find_it\n');
    assert.deepEqual(await targets(inProse, 'As in `find_it`.'), []);
    assert.deepEqual(await targets('0'.repeat(40), 'As in `names`.'), []);
  });

  it('never leads out of the repository, whatever a patch says that its files are called', async () => {
    const diffPatch = '@@ -1 +1,2 @@\n one\n+two\n';
    const sections = ['../outside.md', 'src/../../other.md', '/etc/passwd', 'inside.md'].map(
      (newPath): PatchSection => ({
        ...{ sectionType: 'diff', code: newPath, identifier: newPath, newPath, diffPatch },
      }),
    );
    const evil = { patchUnopened: async () => ({ ...patch, sections }) } as unknown as Model;
    const names = sections.map(({ identifier }) => identifier);
    const text = `See ${[...names, 'outside.md', 'other.md', 'etc/passwd'].flatMap((name) => [name, `${name}:2`]).join(', ')}.`;
    assert.deepEqual(
      (await proseLinks(Object.assign(Object.create(model) as Model, evil), ref, text, signal)).map(
        (link) => link.text,
      ),
      ['inside.md', 'inside.md:2'],
    );
  });

  it('finds what is better said in another way, in the order of the text', async () => {
    assert.deepEqual(await problems('#\n\n```\ncode\n```\n\nSigned-off-by: A <a@example.org>'), [
      ["This heading doesn't have any words.", '#'],
      ["This code block doesn't say its language, so it isn't colored.", '```'],
      [
        'These lines belong to the message of the commit, not to a section.',
        'Signed-off-by: A <a@example.org>',
      ],
    ]);
    assert.deepEqual(await problems('As in src/greet.ts:2, so in `greet`.'), []);
  });

  it('makes links of commands of ours with what is named as data, and of nothing else', () => {
    const evil = '"]&command:workbench.action.terminal.new?';
    const said = (target: Parameters<typeof linkAddress>[0]): unknown => {
      const { scheme, path: name, query } = linkAddress(target, ref, 'abc');
      return [scheme, name, JSON.parse(query)];
    };
    const { projectId, branchId, serverUrl, stackUuid, changeId } = ref;
    const ofPatch = { projectId, branchId, serverUrl, stackUuid, changeId };
    assert.deepEqual(said({ kind: 'file', path: evil, start: 3, end: 4 }), [
      'command',
      'patchStacks.openFile',
      [{ commitSha: 'abc', path: evil, line: 3 }],
    ]);
    assert.deepEqual(said({ kind: 'lost', path: 'a.ts' }), [
      'command',
      'patchStacks.openFile',
      [{ commitSha: 'abc', path: 'a.ts' }],
    ]);
    assert.deepEqual(said({ kind: 'line', code: 'file', path: 'a.ts', line: 7, text: '' }), [
      'command',
      'patchStacks.openPatch',
      [{ ...ofPatch, sectionCode: 'file', line: { side: 'new', line: 7 } }],
    ]);
    assert.deepEqual(said({ kind: 'patch', changeId: 'I2', title: evil }), [
      'command',
      'patchStacks.openPatch',
      [{ ...ofPatch, changeId: 'I2' }],
    ]);
    assert.deepEqual(said({ kind: 'commit', sha: 'def', title: evil }), [
      'command',
      'patchStacks.openFile',
      [{ commitSha: 'def' }],
    ]);
    assert.deepEqual(said({ kind: 'person', login: evil }), ['command', 'patchStacks.showUser', [evil]]);
    const address = linkAddress({ kind: 'address', url: 'https://example.org/issues/1' }, ref, 'abc');
    assert.equal(address.toString(), 'https://example.org/issues/1');
  });

  it('opens a line where it is in the working tree now, else as the patch leaves it', async () => {
    const { commitSha } = patch;
    const written = await readFile(greeting, 'utf8');
    const place = (): string => {
      const { document, selection } = vscode.window.activeTextEditor ?? assert.fail('No editor is open.');
      return `${document.uri.scheme} ${document.lineAt(selection.active.line).text.trim()}`;
    };
    try {
      await writeFile(greeting, `// One\n// Two\n${written}`);
      await openFile({ commitSha, path: 'src/greet.ts', line: 2 });
      const line = place();
      assert.match(line, /return `Hello, \$\{name\}`;$/);
      assert.ok(!line.startsWith('git '), 'it is the file that can be changed');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await writeFile(greeting, 'nothing\nof\nit\n');
      await openFile({ commitSha, path: 'src/greet.ts', line: 2 });
      assert.match(place(), /^git return `Hello, \$\{name\}`;$/);
    } finally {
      await writeFile(greeting, written);
    }
    for (const outside of ['../origin/README.md', 'src/../../x', 'C:/x', '', 'gone.ts']) {
      await assert.rejects(openFile({ commitSha, path: outside }), /doesn't contain the file/);
    }
  });

  it('is there in a text editor: names, links, what leads where, and fixes', async () => {
    await writeTemplate('# Ours\n');
    await vscode.commands.executeCommand('patchStacks.editSectionInEditor', ref);
    await until(async () => vscode.window.activeTextEditor?.document.uri.scheme === 'patch-stacks');
    const { document } = vscode.window.activeTextEditor!;
    const write = async (text: string): Promise<void> => {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(
        document.uri,
        new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end),
        text,
      );
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    const ask = <T>(command: string, ...more: unknown[]): Thenable<T> =>
      vscode.commands.executeCommand<T>(`vscode.execute${command}`, document.uri, ...more);
    const offered = async (line: number, character: number): Promise<string[]> =>
      (
        await ask<vscode.CompletionList>('CompletionItemProvider', new vscode.Position(line, character))
      ).items.flatMap(({ label, insertText }) =>
        typeof label === 'string' && typeof insertText === 'string' ? insertText : [],
      );

    await write('');
    assert.ok((await offered(0, 0)).includes('# Ours\n'), 'a text that is empty begins with the template');

    await write('#\n\nIn src/greet.ts:2 and `gre');
    const symbols = await offered(2, 26);
    assert.ok(symbols.includes('greet') && !symbols.includes('# Ours\n'));
    await write('#\n\nIn src/greet.ts:2 and @');
    const people = await offered(2, 24);
    assert.ok(
      people.length > 0 && !people.some((name) => ['greet', '`greet`', 'src/greet.ts'].includes(name)),
    );
    await write('#\n\nIn src/greet.ts:2 and `gre');
    const links = await ask<vscode.DocumentLink[]>('LinkProvider');
    assert.deepEqual(
      links.map(({ range }) => document.getText(range)),
      ['src/greet.ts:2'],
    );
    const hovers = await ask<vscode.Hover[]>('HoverProvider', new vscode.Position(2, 8));
    const said = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]);
    assert.ok(said.some(({ value }) => value.includes('return `Hello')));

    await until(async () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .some(({ message }) => message === "This heading doesn't have any words."),
    );
    const [fix] = await ask<vscode.CodeAction[]>('CodeActionProvider', new vscode.Range(0, 0, 0, 1));
    assert.equal(fix?.title, 'Remove Heading');
    assert.ok(fix.edit && (await vscode.workspace.applyEdit(fix.edit)));
    assert.equal(document.getText(), '\nIn src/greet.ts:2 and `gre');
    await until(async () => vscode.languages.getDiagnostics(document.uri).length === 0);
  });

  it('shows an image of the patch that is pasted or dropped into a text editor, and no other', async () => {
    const images = new SectionImages({ uris: { find: () => ref }, model: async () => model });
    try {
      const document = await vscode.workspace.openTextDocument({ content: '' });
      const data = (...names: string[]): vscode.DataTransfer =>
        new Map(
          names.map((name) => [`image/${name}`, { asFile: () => ({ name }) }]),
        ) as unknown as vscode.DataTransfer;
      const at = new vscode.Position(0, 0);
      const [pasted] = await images.provideDocumentPasteEdits(document, [], data('greet.ts'));
      assert.equal(pasted?.insertText, '![greet.ts](src/greet.ts)');
      const [dropped] = await images.provideDocumentDropEdits(document, at, data('greet.ts'));
      assert.equal(dropped?.insertText, '![greet.ts](src/greet.ts)');
      assert.deepEqual(
        await images.provideDocumentPasteEdits(document, [], data('greet.ts', 'shot.png')),
        [],
      );
      assert.deepEqual(await images.provideDocumentDropEdits(document, at, data()), []);
    } finally {
      images.dispose();
    }
  });

  it('says in a text editor that the code is newer, until the text is written anew or said to be true', async () => {
    await vscode.commands.executeCommand('patchStacks.editSectionInEditor', ref);
    await until(async () => vscode.window.activeTextEditor?.document.uri.scheme === 'patch-stacks');
    const { document } = vscode.window.activeTextEditor!;
    const confirmed = new Emitter<SectionRef>();
    const trueNow = new Set<string>();
    const older = {
      ...patch,
      sections: patch.sections!.map((section) =>
        section.sectionType === 'diff'
          ? { ...section, diffPatch: (section.diffPatch ?? '').replaceAll('name', 'title') }
          : section,
      ),
    };
    const place = { projectId: ref.projectId, branchId: 'topic', stackUuid: 'v2', changeId: ref.changeId };
    const fake = {
      patch: async () => ({ value: patch }),
      located: () => place,
      stackOfPatch: async () => ({ stack: { uuid: 'v2', createdAt: '2' }, patches: [] }),
      stacks: async () => ({ value: [{ uuid: 'v1', branchId: 'topic', createdAt: '1' }] }),
      patchUnopened: async ({ stackUuid }: { stackUuid: string }) => (stackUuid === 'v1' ? older : patch),
      userNamed: async () => undefined,
    } as unknown as Model;
    const prose = new SectionProse({
      uris: { find: () => ref } as unknown as SectionUris,
      model: async () => fake,
      readings: async () =>
        ({ stillTrue: async () => ({ has: () => trueNow.size > 0 }) }) as unknown as Readings,
      onDidConfirm: confirmed.event,
      log: silentLog,
    });
    const isMarked = (): boolean =>
      vscode.languages
        .getDiagnostics(document.uri)
        .some(({ message }) => message.startsWith('The code changed after this was written: src/greet.ts'));
    const change = async (edit: (changes: vscode.WorkspaceEdit) => void): Promise<void> => {
      const changes = new vscode.WorkspaceEdit();
      edit(changes);
      assert.ok(await vscode.workspace.applyEdit(changes));
    };
    try {
      await until(async () => isMarked());
      const [action] = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        new vscode.Range(0, 0, 0, 1),
      );
      assert.equal(action?.title, 'Still True');
      await change((changes) => changes.insert(document.uri, new vscode.Position(0, 0), 'Now: '));
      await until(async () => !isMarked());
      await change((changes) => changes.delete(document.uri, new vscode.Range(0, 0, 0, 5)));
      await until(async () => isMarked());
      await vscode.commands.executeCommand('workbench.action.files.save');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until(async () => !isMarked());
      assert.ok(!document.isClosed, 'VS Code keeps it, but nobody sees it');
      await vscode.commands.executeCommand('patchStacks.editSectionInEditor', ref);
      await until(async () => isMarked());
      trueNow.add('all');
      confirmed.fire(ref);
      await until(async () => !isMarked());
    } finally {
      prose.dispose();
    }
  });

  it('keeps nothing of what was tried', async () => {
    const { sections = [] } = await client.patches.get(ref.stackUuid, ref.changeId);
    const textIn = (all: readonly PatchSection[]): unknown =>
      all.find(({ code }) => code === ref.sectionCode);
    assert.deepEqual(textIn(sections), textIn(patch.sections ?? []));
  });
});
