import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Colors } from '../colors/colors.ts';
import { stackPageViewType, type StackRow } from '../contributions.ts';
import type { AtHand } from '../model/atHand.ts';
import type { Patch } from '../api/types/patches.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import type { Explained } from '../model/prose/stackCoverage.ts';
import type { Model, ModelChange } from '../model/model.ts';
import type { StackReading } from '../model/reading/stackReading.ts';
import { keptState } from '../protocol/checked.ts';
import { stackPageSchemas, stackPageState } from '../protocol/schemas/stackPage.ts';
import type {
  LostTextAction,
  StackAction,
  StackPageHost,
  StackPagePage,
  StackPageState,
  StackPageView,
} from '../protocol/stackPage.ts';
import type { Connection } from '../session/connection.ts';
import type { PagePanel } from '../ui/pagePanel.ts';
import { emojiByName } from '../ui/emoji.ts';
import { runCommand } from '../ui/commands.ts';
import { stackLabel } from '../ui/labels.ts';
import type { Log } from '../ui/log.ts';
import { remedyOf } from '../ui/failures.ts';
import { panelSettings } from '../ui/panelHost.ts';
import { SinglePanel } from '../ui/singlePanel.ts';
import { stackToShow } from '../ui/stackToShow.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { TextsWithoutPatch } from './textsWithoutPatch.ts';
import { stackPageView } from './stackPageView.ts';

interface StackPanelContext {
  extensionUri: vscode.Uri;
  colors: () => Promise<Colors>;
  connection: Connection;
  model: Model;
  reading: StackReading;
  pendingChanges: () => Promise<PendingChanges>;
  /** Is told when the person looks at the page: commands are for its stack then. */
  atHand: AtHand;
  log: Log;
}

/** Milliseconds until the page is shown what changed: several changes mostly come together. */
const patienceMs = 100;

/** The page of a patch stack: one panel, which shows the stack that was asked for last, and its newest version. */
export class StackPanel implements Disposable {
  readonly #context: StackPanelContext;
  readonly #panel: SinglePanel<StackPageHost, StackPagePage>;
  readonly #texts: TextsWithoutPatch;
  readonly #disposables = new DisposableStore();
  #ref: StackPageState | undefined;
  /** The stack that is shown, in the form that commands take. */
  #row: StackRow | undefined;
  #timer: NodeJS.Timeout | undefined;
  #coverage: { stackUuid: string; of: ReadonlyMap<string, Explained> } | undefined;

  constructor(context: StackPanelContext) {
    this.#context = context;
    this.#texts = new TextsWithoutPatch(context);
    this.#panel = this.#disposables.add(
      new SinglePanel<StackPageHost, StackPagePage>(context.extensionUri, {
        viewType: stackPageViewType,
        page: 'stackPage',
        title: () => (this.#row ? stackLabel(this.#row.stack) : vscode.l10n.t('Patch Stack')),
        icon: 'patch',
        schemas: stackPageSchemas,
        handlers: {
          settings: () => panelSettings(),
          colors: async (code, signal) => (await context.colors()).color(code, signal),
          formulas: async ({ formulas }) => (await context.colors()).formulas(formulas),
          emoji: emojiByName,
          load: () => this.#load('upToDate'),
          refresh: () => this.#refresh(),
          openPatch: ({ changeId }) => this.#runFor('openPatch', changeId),
          review: ({ changeId, review }) =>
            this.#runFor(review === 'signedOff' ? 'signOffPatch' : 'requestChanges', changeId),
          lostText: ({ action, changeId, code }) => this.#handleText(action, changeId, code),
          run: ({ action }) => this.#run(action),
        },
        log: context.log,
        options: { enableFindWidget: true },
        onActive: () => this.#noteAtHand(),
        onClose: () => {
          clearTimeout(this.#timer);
          this.#noteGone();
        },
      }),
    );
    this.#disposables.add(context.model.onDidChange((change) => this.#follow(change)));
    this.#disposables.add(
      context.reading.onDidChange((uuid) => {
        if (uuid === this.#ref?.stackUuid) {
          this.#showSoon();
        }
      }),
    );
  }

  /** Shows the page of a stack. */
  show(row: StackRow): void {
    const { projectId, stack } = row;
    this.#row = row;
    this.#ref = {
      serverUrl: this.#context.connection.requireServer(),
      projectId,
      ...(stack.branchId !== undefined && { branchId: stack.branchId }),
      stackUuid: stack.uuid,
    };
    this.#panel.openAnew();
    this.#noteAtHand();
  }

  /** Fills a panel that VS Code kept over a reload of the window, if it still knows what it showed. */
  restore(panel: PagePanel, state: unknown): void {
    const kept = keptState(stackPageState, state);
    if (!kept || this.#panel.page) {
      panel.dispose();
      return;
    }
    this.#ref = kept;
    this.#panel.restore(panel);
    if (panel.active) {
      this.#noteAtHand();
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#disposables.dispose();
  }

  #refresh(): null {
    const { model } = this.#context;
    if (this.#ref) {
      model.refreshStacks(this.#ref.projectId);
      model.refreshPatchesOfStack(this.#ref.stackUuid);
    }
    return null;
  }

  async #load(freshness: 'upToDate' | 'atOnce'): Promise<StackPageView> {
    const { connection, model, reading } = this.#context;
    const ref = this.#ref;
    if (!ref) {
      throw new Error(vscode.l10n.t('Select a patch stack.'));
    }
    connection.requireServer(ref.serverUrl);
    const wasNewest = this.#row === undefined || this.#row.stack.status !== 'inactive';
    const { value: stack } = await stackToShow(model, ref, { freshness, wasNewest });
    const { value: patches } = await model.patchesOfStack(ref.projectId, stack, freshness);
    if (ref !== this.#ref) {
      // Another stack was asked for meanwhile: that one is what the page waits for.
      return this.#load(freshness);
    }
    const shown = stack.uuid === ref.stackUuid ? ref : { ...ref, stackUuid: stack.uuid };
    this.#ref = shown;
    if (this.#panel.isActive) {
      this.#noteAtHand();
    }
    this.#row = { projectId: ref.projectId, stack };
    this.#panel.setTitle(stackLabel(stack));
    reading.show(ref.projectId, stack, patches);
    // The page is there before it is known.
    void this.#reckonCoverage(stack.uuid, patches);
    return stackPageView(shown, stack, patches, {
      me: model.me,
      stateOf: (changeId) => reading.stateOf({ stackUuid: stack.uuid, changeId }),
      coverage: this.#coverage?.stackUuid === stack.uuid ? this.#coverage.of : undefined,
    });
  }

  async #reckonCoverage(stackUuid: string, patches: readonly Patch[]): Promise<void> {
    try {
      const { stackCoverage } = await import('../model/prose/stackCoverage.ts');
      const changes = (await this.#context.pendingChanges()).shown();
      const { model } = this.#context;
      const of = await stackCoverage(model, { ...this.#ref, stackUuid }, patches, changes);
      const before = this.#coverage;
      if (
        stackUuid === this.#ref?.stackUuid &&
        !isDeepStrictEqual(of, before?.stackUuid === stackUuid ? before.of : undefined)
      ) {
        this.#coverage = { stackUuid, of };
        this.#showSoon();
      }
    } catch (error) {
      // An extra: the page is worth reading without it.
      this.#context.log.debug(`It could not be told what the texts explain: ${String(error)}`);
    }
  }

  /** Through commands, which tell the person what went wrong. */
  async #runFor(command: 'openPatch' | 'signOffPatch' | 'requestChanges', changeId: string): Promise<null> {
    if (this.#ref) {
      await runCommand(command, { ...this.#ref, changeId });
    }
    return null;
  }

  async #run(action: StackAction): Promise<null> {
    if (this.#row) {
      await runCommand(action, this.#row);
    }
    return null;
  }

  async #handleText(action: LostTextAction, changeId: string, code: string): Promise<null> {
    const row = this.#row;
    const text = row?.stack.textsWithoutPatch?.find((one) => one.changeId === changeId && one.code === code);
    if (row && text) {
      // Not awaited: the message that offers to take it back stays as long as the person wants.
      void this.#texts.run(action, { ...row, text });
    }
    return null;
  }

  #noteAtHand(): void {
    const { atHand } = this.#context;
    if (!this.#isAtHand()) {
      atHand.show(this.#ref);
    }
  }

  #noteGone(): void {
    if (this.#isAtHand()) {
      this.#context.atHand.show(undefined);
    }
  }

  /** True while it is the document that the person turned to last; another one is noted by whoever shows that. */
  #isAtHand(): boolean {
    return this.#context.atHand.places[0]?.place === this.#ref;
  }

  #follow(change: ModelChange): void {
    const ref = this.#ref;
    const isShown =
      change.kind === 'all' ||
      (change.kind === 'stacks' && change.projectId === ref?.projectId) ||
      (change.kind === 'stackPatches' && change.stackUuid === ref?.stackUuid) ||
      (change.kind === 'patch' && change.patch.stackUuid === ref?.stackUuid);
    if (isShown) {
      this.#showSoon();
    }
  }

  #showSoon(): void {
    if (!this.#panel.page) {
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#showNow();
    }, patienceMs);
  }

  async #showNow(): Promise<void> {
    try {
      const view = await this.#load('atOnce');
      await this.#panel.page?.request('show', view);
    } catch (error) {
      if (remedyOf(error)) {
        // Nobody is signed in there any more: the page says so, with the button that leads there.
        this.#panel.reload();
        return;
      }
      // The page has what it had, and *Refresh*. One that is hidden does not answer, and asks when it is shown.
      this.#context.log.debug(`The page of a patch stack could not be brought up to date: ${String(error)}`);
    }
  }
}
