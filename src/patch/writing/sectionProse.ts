/**
 * Help with the text of a section in VS Code's own editor: what it names, what may be better said, what a section begins with, and
 * whether its code has changed since.
 */
import * as vscode from 'vscode';
import { commandId } from '../../commandTable.ts';
import { sectionScheme } from '../../contributions.ts';
import type { Model } from '../../model/model.ts';
import type { Readings } from '../../model/reading/readings.ts';
import type { Log } from '../../ui/log.ts';
import { DisposableStore, type Disposable } from '../../util/disposable.ts';
import { listedLines, ProseLinks, startOfLines, type LinkTarget } from '../../util/proseLink.ts';
import { namedPlaces } from '../../util/proseNames.ts';
import type { Event } from '../../util/event.ts';
import type { OfferedName, ProseProblem } from '../../util/proseProblem.ts';
import type { SectionRef } from '../../util/patchRef.ts';
import { plainText } from '../../util/visibleText.ts';
import { checkText } from '../proseChecks.ts';
import { proseLinks } from '../proseLinks.ts';
import { offeredNames } from '../offeredNames.ts';
import { sectionTemplate } from '../sectionTemplate.ts';
import { findStale, type FoundStale } from '../staleTexts.ts';
import { linkAddress } from './linkCommand.ts';
import { SectionImages } from './sectionImages.ts';
import type { FileSection, SectionUris } from './sectionUris.ts';

interface SectionProseContext {
  uris: SectionUris;
  model: () => Promise<Model>;
  readings: () => Promise<Readings | undefined>;
  /** Fires when a text was said to be still true. */
  onDidConfirm: Event<SectionRef>;
  log: Log;
}

/** Milliseconds after the last key before a text is checked. */
const restMs = 600;

/** Files that have changed which are named. */
const mostNamed = 5;

/** Characters of a commit's SHA that are shown. */
const shortSha = 10;

const selector: vscode.DocumentSelector = { scheme: sectionScheme };

const kinds: Record<OfferedName['kind'], vscode.CompletionItemKind> = {
  file: vscode.CompletionItemKind.File,
  symbol: vscode.CompletionItemKind.Function,
  patch: vscode.CompletionItemKind.Reference,
  person: vscode.CompletionItemKind.User,
};

/** See the module. */
export class SectionProse
  implements
    Disposable,
    vscode.CodeActionProvider,
    vscode.CompletionItemProvider,
    vscode.DocumentLinkProvider,
    vscode.HoverProvider
{
  readonly #context: SectionProseContext;
  readonly #disposables = new DisposableStore();
  readonly #diagnostics = this.#disposables.add(vscode.languages.createDiagnosticCollection('patchStacks'));
  readonly #problems = new Map<string, readonly ProseProblem[]>();
  readonly #stale = new Map<string, FoundStale>();
  readonly #checks = new Map<string, { timer: NodeJS.Timeout; controller: AbortController }>();

  constructor(context: SectionProseContext) {
    this.#context = context;
    this.#disposables.add(new SectionImages(context));
    const { languages, workspace } = vscode;
    for (const disposable of [
      languages.registerCodeActionsProvider(selector, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
      languages.registerCompletionItemProvider(selector, this, '@', '`', '/'),
      languages.registerDocumentLinkProvider(selector, this),
      languages.registerHoverProvider(selector, this),
      workspace.onDidOpenTextDocument((document) => this.#checkSoon(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.#checkSoon(document)),
      workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        closed.forEach((tab) => this.#followTab(tab));
        opened.forEach((tab) => this.#followTab(tab));
      }),
      context.onDidConfirm(() => workspace.textDocuments.forEach((document) => this.#checkSoon(document))),
    ]) {
      this.#disposables.add(disposable);
    }
    workspace.textDocuments.forEach((document) => this.#checkSoon(document));
  }

  dispose(): void {
    for (const { timer, controller } of this.#checks.values()) {
      clearTimeout(timer);
      controller.abort();
    }
    this.#disposables.dispose();
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionItem[]> {
    const section = this.#context.uris.find(document.uri);
    if (!section) {
      return [];
    }
    const model = await this.#context.model();
    const before = document.lineAt(position).text.slice(0, position.character);
    const mark = /[@`][\p{L}\p{N}_.$/+-]*$/u.exec(before)?.[0].charAt(0);
    const range = document.getWordRangeAtPosition(position, /[\p{L}\p{N}_.$/+-]+/u);
    const names = await offeredNames(model, section, signalOf(token));
    const items = names.flatMap(({ kind, name, detail }) => {
      if ((mark === '@') !== (kind === 'person') && mark !== undefined) {
        return [];
      }
      const item = new vscode.CompletionItem(name, kinds[kind]);
      item.insertText = insertedText(kind, name, mark);
      if (detail !== undefined) {
        item.detail = detail;
      }
      if (range) {
        item.range = range;
      }
      return item;
    });
    const template = document.getText().trim() === '' ? await templateItem(model, section) : undefined;
    return template ? [template, ...items] : items;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const links = await this.#linksIn(document, token);
    const link = links.find(({ range }) => range.contains(position));
    return link && new vscode.Hover(hoverOf(link.target), link.range);
  }

  async provideDocumentLinks(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentLink[]> {
    const section = this.#context.uris.find(document.uri);
    if (!section) {
      return [];
    }
    const links = await this.#linksIn(document, token);
    const { commitSha } = (await (await this.#context.model()).patch(section)).value;
    return links.flatMap(({ range, target }) => {
      // Which of several is meant is for the person to see, in what the mouse shows.
      if (target.kind === 'several') {
        return [];
      }
      const link = new vscode.DocumentLink(range, linkAddress(target, section, commitSha));
      link.tooltip = vscode.l10n.t('Open');
      return link;
    });
  }

  /** The places of a text that lead somewhere. */
  async #linksIn(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<{ range: vscode.Range; target: LinkTarget }[]> {
    const section = this.#context.uris.find(document.uri);
    const text = document.getText();
    if (!section) {
      return [];
    }
    const found = await proseLinks(await this.#context.model(), section, text, signalOf(token));
    const targets = new ProseLinks(found);
    return namedPlaces(text, targets).flatMap(({ index, text: name }) => {
      const [start, end] = [document.positionAt(index), document.positionAt(index + name.length)];
      const target = targets.at(name, start.line);
      return target ? { range: new vscode.Range(start, end), target } : [];
    });
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    return [...this.#fixes(document, range), ...this.#staleActions(document, range)];
  }

  #staleActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const section = this.#context.uris.find(document.uri);
    const stale = this.#stale.get(document.uri.toString());
    const diagnostic = stale && staleDiagnostic(document, stale);
    if (!section || !diagnostic?.range.intersection(range)) {
      return [];
    }
    return (
      [
        [vscode.l10n.t('Still True'), 'confirmText'],
        [vscode.l10n.t('Show What Changed'), 'openPatch'],
      ] as const
    ).map(([title, name]) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.command = { title, command: commandId(name), arguments: [section] };
      action.diagnostics = [diagnostic];
      return action;
    });
  }

  #fixes(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const problems = this.#problems.get(document.uri.toString()) ?? [];
    return problems.flatMap((problem) => {
      const { fix } = problem;
      const diagnostic = diagnosticOf(document, problem);
      if (!fix || !diagnostic.range.intersection(range)) {
        return [];
      }
      const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(
        document.uri,
        new vscode.Range(document.positionAt(fix.start), document.positionAt(fix.end)),
        fix.insert,
      );
      action.diagnostics = [diagnostic];
      action.isPreferred = true;
      return action;
    });
  }

  /** VS Code keeps a document for minutes after its last tab was closed: nobody wants to be told of it by then. */
  #followTab({ input }: vscode.Tab): void {
    const uri = input instanceof vscode.TabInputText ? input.uri : undefined;
    if (uri?.scheme === sectionScheme) {
      const document = isInTab(uri)
        ? vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString())
        : undefined;
      if (document) {
        this.#checkSoon(document);
      } else {
        this.#forget(uri);
      }
    }
  }

  #checkSoon(document: vscode.TextDocument): void {
    const section = document.uri.scheme === sectionScheme ? this.#context.uris.find(document.uri) : undefined;
    if (section) {
      const key = document.uri.toString();
      this.#stop(key);
      const controller = new AbortController();
      const timer = setTimeout(() => {
        this.#check(document, section, controller.signal).catch((error: unknown) => {
          if (!controller.signal.aborted) {
            this.#context.log.warn(`A text could not be checked: ${String(error)}`);
          }
        });
      }, restMs);
      this.#checks.set(key, { timer, controller });
    }
  }

  async #check(document: vscode.TextDocument, section: FileSection, signal: AbortSignal): Promise<void> {
    const model = await this.#context.model();
    const text = document.getText();
    const [problems, stale] = await Promise.all([
      checkText(model, section, text, signal),
      this.#findStale(model, section, text),
    ]);
    if (!signal.aborted && !document.isClosed) {
      const key = document.uri.toString();
      this.#problems.set(key, problems);
      if (stale) {
        this.#stale.set(key, stale);
      } else {
        this.#stale.delete(key);
      }
      this.#diagnostics.set(document.uri, [
        ...(stale ? [staleDiagnostic(document, stale)] : []),
        ...problems.map((problem) => diagnosticOf(document, problem)),
      ]);
    }
  }

  /** Says whether the text is older than its code: not any more when it is written anew. */
  async #findStale(model: Model, section: FileSection, text: string): Promise<FoundStale | undefined> {
    const { value } = await model.patch(section);
    const sections = (value.sections ?? []).map((one) =>
      one.sectionType === 'text' && one.code === section.sectionCode ? { ...one, text } : one,
    );
    const context = { model, readings: this.#context.readings };
    const [stale] = await findStale(context, section, { ...value, sections }, [], section.sectionCode);
    return stale;
  }

  #forget(uri: vscode.Uri): void {
    this.#stop(uri.toString());
    this.#problems.delete(uri.toString());
    this.#stale.delete(uri.toString());
    this.#diagnostics.delete(uri);
  }

  #stop(key: string): void {
    const { timer, controller } = this.#checks.get(key) ?? {};
    clearTimeout(timer);
    controller?.abort();
    this.#checks.delete(key);
  }
}

function isInTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}

function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

function insertedText(kind: OfferedName['kind'], name: string, mark: string | undefined): string {
  if (mark !== undefined) {
    return name;
  }
  return kind === 'symbol' ? `\`${name}\`` : kind === 'person' ? `@${name}` : name;
}

async function templateItem(model: Model, section: FileSection): Promise<vscode.CompletionItem | undefined> {
  const template = await sectionTemplate((await model.patch(section)).value);
  if (template.trim() === '') {
    return undefined;
  }
  const item = new vscode.CompletionItem(vscode.l10n.t('Insert Template'), vscode.CompletionItemKind.Snippet);
  item.insertText = template;
  item.documentation = template;
  // First of all: there is nothing else in the text.
  item.sortText = ' ';
  return item;
}

function diagnosticOf(
  document: vscode.TextDocument,
  { start, end, message }: ProseProblem,
): vscode.Diagnostic {
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Information);
  diagnostic.source = 'Patch Stacks';
  return diagnostic;
}

/** Says at the beginning of a text that it is older than its code. */
function staleDiagnostic(document: vscode.TextDocument, { files }: FoundStale): vscode.Diagnostic {
  const paths = files.slice(0, mostNamed).map(({ path }) => plainText(path));
  const more = files.length > mostNamed ? ' …' : '';
  // A mark at all of a long line would be in the way of whoever reads it.
  const range = document.getWordRangeAtPosition(new vscode.Position(0, 0), /\S+/) ?? document.lineAt(0).range;
  const diagnostic = new vscode.Diagnostic(
    range,
    vscode.l10n.t('The code changed after this was written: {0}', paths.join(', ') + more),
    vscode.DiagnosticSeverity.Information,
  );
  diagnostic.source = 'Patch Stacks';
  return diagnostic;
}

/** Strangers' words are code in it, never links. */
function hoverOf(target: LinkTarget): vscode.MarkdownString {
  const hover = new vscode.MarkdownString();
  switch (target.kind) {
    case 'file': {
      const { path, start, end = start, lines = [] } = target;
      hover.appendText(start === undefined ? path : `${path}:${start}${end === start ? '' : `-${end}`}`);
      return lines.length > 0 ? hover.appendCodeblock(startOfLines(target)) : hover;
    }
    case 'lost':
      return hover.appendText(
        vscode.l10n.t("These lines are gone, or they changed so much that they can't be found again."),
      );
    case 'several':
      hover.appendText(vscode.l10n.t('Several lines may be meant:'));
      for (const { path, line, text } of listedLines(target)) {
        hover.appendText(`\n\n${plainText(path)}:${line}`).appendCodeblock(plainText(text));
      }
      return target.more > 0 ? hover.appendText(vscode.l10n.t('{0} more', target.more)) : hover;
    case 'line':
      return hover.appendCodeblock(target.text);
    case 'patch':
      return hover.appendText(target.title === '' ? target.changeId : target.title);
    case 'commit':
      return hover.appendText(`${target.sha.slice(0, shortSha)} ${target.title}`);
    case 'person':
      return hover.appendText(target.login);
    case 'address':
      return hover.appendText(target.url);
  }
}
