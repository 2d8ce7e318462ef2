import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { stackPageViewType, type StackRow } from '../contributions.ts';
import type { CompareStacks } from '../git/versionComparison.ts';
import type { Colors } from '../colors/colors.ts';
import type { AtHand } from '../model/atHand.ts';
import type { Patch } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { unsentReviews } from '../model/pending/unsentReviews.ts';
import { PendingStack } from '../model/pending/pendingStack.ts';
import type { Explained } from '../model/prose/stackCoverage.ts';
import { watchPlace, type Watching } from '../model/freshness.ts';
import { concerns, type Model, type ModelChange } from '../model/model.ts';
import type { Readings } from '../model/reading/readings.ts';
import type { StackReading } from '../model/reading/stackReading.ts';
import type { StackVersionSources } from '../model/reading/stackVersions.ts';
import { keptState } from '../protocol/checked.ts';
import type { NotUpdated, PanelSettings, RestoreOutcome } from '../protocol/panel.ts';
import { stackPageSchemas, stackPageState as keptStackPage } from '../protocol/schemas/stackPage.ts';
import type {
  LostTextAction,
  PrerenderStack,
  StackAction,
  StackPageHost,
  StackPagePage,
  StackPageState,
  StackPageView,
} from '../protocol/stackPage.ts';
import type { Connection } from '../session/connection.ts';
import type { PagePanel } from '../ui/pagePanel.ts';
import { Beginnings } from '../ui/beginnings.ts';
import { runCommand } from '../ui/commands.ts';
import { stackLabel } from '../ui/labels.ts';
import type { Log } from '../ui/log.ts';
import { emojiByName } from '../ui/emoji.ts';
import { describeChangeFailure, remedyOf } from '../ui/failures.ts';
import { notUpdated } from '../ui/notUpdated.ts';
import { panelSettings } from '../ui/panelHost.ts';
import type { RecentChanges } from '../ui/recentChanges.ts';
import { SinglePanel } from '../ui/singlePanel.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';
import type { Review } from '../util/review.ts';
import { lazy } from '../util/lazy.ts';
import { Soon } from '../util/soon.ts';
import { TextsWithoutPatch } from './textsWithoutPatch.ts';
import { stackPageState } from './stackPageState.ts';
import { changesView, versionsView } from './stackChangesView.ts';
import { stackPageView } from './stackPageView.ts';
import { stackToShow } from '../ui/stackToShow.ts';
import type { TellOutcome } from './tellOutcome.ts';

interface StackPanelContext {
  extensionUri: vscode.Uri;
  connection: Connection;
  model: Model;
  reading: StackReading;
  /** The readings of the account that is signed in; undefined when none is. */
  readings: () => Promise<Readings | undefined>;
  compareStacks: CompareStacks;
  pendingChanges: () => Promise<PendingChanges>;
  tellOutcome: TellOutcome;
  changes: RecentChanges;
  /** Is told when the person looks at the page: commands are for its stack then. */
  atHand: AtHand;
  colors: () => Promise<Colors>;
  log: Log;
}

/** A stack, and the patches of it. */
interface FoundStack {
  ref: StackPageState;
  stack: PatchStack;
  patches: readonly Patch[];
  /** Set when nothing newer is to be had at the moment. */
  notUpdated?: NotUpdated;
}

/** Milliseconds until the page is shown what changed: several changes mostly come together. */
const patienceMs = 100;

/** The page of a patch stack: one panel, which shows the stack that was asked for last, and its newest version. */
export class StackPanel implements Disposable {
  readonly #context: StackPanelContext;
  readonly #panel: SinglePanel<StackPageHost, StackPagePage>;
  readonly #watching: Watching;
  readonly #texts: TextsWithoutPatch;
  readonly #editing: () => Promise<PendingStack>;
  readonly #disposables = new DisposableStore();
  #ref: StackPageState | undefined;
  /** The stack that is shown, in the form that commands take. */
  #row: StackRow | undefined;
  readonly #showingSoon = this.#disposables.add(new Soon(patienceMs, () => inBackground(this.#showNow())));
  readonly #beginnings: Beginnings<Parameters<PrerenderStack>>;
  /** The reviews on the page that the service doesn't have yet. */
  #unsent: ReadonlyMap<string, Review> = new Map();
  #coverage: { stackUuid: string; of: ReadonlyMap<string, Explained> } | undefined;

  constructor(context: StackPanelContext) {
    this.#context = context;
    this.#texts = new TextsWithoutPatch(context);
    this.#beginnings = this.#disposables.add(new Beginnings(context.extensionUri, 'stackPage'));
    this.#editing = lazy(async () => {
      const pendingChanges = await context.pendingChanges();
      const editing = this.#disposables.add(new PendingStack(pendingChanges));
      this.#disposables.add(editing.onDidChange(() => this.#showSoon()));
      this.#disposables.add(pendingChanges.onDidChange(() => this.#followReviews(pendingChanges)));
      return editing;
    });
    this.#panel = this.#disposables.add(
      new SinglePanel<StackPageHost, StackPagePage>(context.extensionUri, {
        viewType: stackPageViewType,
        page: 'stackPage',
        title: () => (this.#row ? stackLabel(this.#row.stack) : vscode.l10n.t('Patch Stack')),
        icon: 'patch',
        schemas: stackPageSchemas,
        handlers: {
          settings: () => this.#settings(),
          colors: async (code, signal) => (await context.colors()).color(code, signal),
          formulas: async ({ formulas }) => (await context.colors()).formulas(formulas),
          emoji: emojiByName,
          load: async () => {
            const view = await this.#load('upToDate');
            this.#beginnings.prepareSoon(async () => [view, await panelSettings()]);
            return view;
          },
          refresh: () => this.#refresh(),
          changes: async (wanted, signal) => {
            const { ref, stack, patches } = await this.#find('atOnce');
            const shown = { ...stack, patches: [...patches] };
            return changesView({ ...this.#context, ...(await this.#sources()) }, ref, shown, wanted, signal);
          },
          openVersion: ({ stackUuid }) => this.#openVersion(stackUuid),
          openPatch: ({ changeId }) => this.#runFor('openPatch', changeId),
          openInVersion: ({ changeId, stackUuid }) => this.#runFor('openPatch', changeId, stackUuid),
          review: ({ changeId, review }) =>
            this.#runFor(review === 'signedOff' ? 'signOffPatch' : 'requestChanges', changeId),
          lostText: ({ action, changeId, code }) => this.#handleText(action, changeId, code),
          run: ({ action }) => this.#run(action),
          saveFieldsLocally: async ({ fields, page, edition }) =>
            (await this.#editing()).save(fields, { page, edition }),
          restoreFields: (typed) => this.#restoreFields(typed),
          discardFields: async ({ page, edition }) => {
            await (await this.#editing()).discard({ page, edition });
            return null;
          },
          saveFields: () => this.#saveFields(),
          endEditing: async () => {
            await (await this.#editing()).close();
            this.#showSoon();
            return null;
          },
        },
        log: context.log,
        options: { enableFindWidget: true },
        beginning: () => (this.#beginnings.isPrepared ? this.#beginning() : undefined),
        onActive: () => this.#noteAtHand(),
        onDidChangeVisibility: () => this.#watching.note(),
        onClose: () => {
          this.#showingSoon.dispose();
          this.#noteGone();
        },
      }),
    );
    this.#watching = this.#disposables.add(
      watchPlace(context.model.freshness, context.connection, () =>
        this.#panel.isVisible ? this.#ref : undefined,
      ),
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

  /** Shows the page of a stack, with its title and its description to be edited. */
  async edit(row: StackRow): Promise<void> {
    (await this.#editing()).open({ ...row, title: stackLabel(row.stack) });
    if (row.stack.uuid === this.#ref?.stackUuid && this.#panel.page) {
      await this.#panel.open();
      inBackground(this.#showNow());
    } else {
      await this.show(row);
    }
  }

  /** Shows the page of a stack. */
  async show(row: StackRow): Promise<void> {
    const { projectId, stack } = row;
    this.#row = row;
    this.#ref = stackPageState(this.#context.connection.requireServer(), projectId, stack);
    await this.#panel.openAnew();
    this.#noteAtHand();
  }

  /** Fills a panel that VS Code kept over a reload of the window, if it still knows what it showed. */
  restore(panel: PagePanel, state: unknown): void {
    const kept = keptState(keptStackPage, state);
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

  async #settings(): Promise<PanelSettings> {
    const pendingChanges = await this.#context.pendingChanges();
    return { ...(await panelSettings()), forgotten: await pendingChanges.forgotten() };
  }

  async #restoreFields(typed: Parameters<StackPageHost['restoreFields']>[0]): Promise<RestoreOutcome> {
    const { account, fields, after, page, edition } = typed;
    const pendingChanges = await this.#context.pendingChanges();
    return account === pendingChanges.account
      ? (await this.#editing()).restore(fields, after, { page, edition })
      : 'waits';
  }

  async #saveFields(): Promise<ReturnType<StackPageHost['saveFields']>> {
    const sent = await (await this.#editing()).send();
    this.#showSoon();
    if (sent?.outcome.kind === 'failed') {
      return { kind: 'failed', reason: describeChangeFailure(sent.outcome.failure) };
    }
    if (sent) {
      // Not awaited: a question about it stays for as long as the person wants.
      inBackground(this.#context.tellOutcome(sent.pending, sent.outcome));
    }
    return sent?.outcome.kind === 'conflict'
      ? {
          kind: 'failed',
          reason: vscode.l10n.t(
            'Someone else has changed the same words. Resolve the conflict to save yours.',
          ),
        }
      : { kind: 'saved' };
  }

  async #load(freshness: 'upToDate' | 'atOnce'): Promise<StackPageView> {
    const found = await this.#find(freshness);
    const { ref, stack, patches } = found;
    this.#ref = ref;
    if (this.#panel.isActive) {
      this.#noteAtHand();
    }
    this.#row = { projectId: ref.projectId, stack };
    this.#panel.setTitle(stackLabel(stack));
    this.#context.reading.show(ref.projectId, stack, patches);
    // The page is there before it is known.
    inBackground(this.#reckonCoverage(stack.uuid, patches));
    return this.#viewOf(found);
  }

  /** The page as it begins: with what is known, and without a form, whose editor only the page can make. */
  async #beginning(): Promise<string | undefined> {
    const view = await this.#viewOf(await this.#find('atOnce'));
    return view.form ? undefined : this.#beginnings.draw(view, await panelSettings());
  }

  /** The stack to show, and its patches. */
  async #find(freshness: 'upToDate' | 'atOnce'): Promise<FoundStack> {
    const { connection, model } = this.#context;
    const ref = this.#ref;
    if (!ref) {
      throw new Error(vscode.l10n.t('Select a patch stack.'));
    }
    connection.requireServer(ref.serverUrl);
    const wasNewest = this.#row === undefined || this.#row.stack.status !== 'inactive';
    const known = await stackToShow(model, ref, { freshness, wasNewest });
    const stack = known.value;
    const patches = await model.patchesOfStack(ref.projectId, stack, freshness);
    const old = notUpdated(known) ?? notUpdated(patches);
    if (ref !== this.#ref) {
      // Another stack was asked for meanwhile: that one is what the page waits for.
      return this.#find(freshness);
    }
    return {
      ref: stack.uuid === ref.stackUuid ? ref : { ...ref, stackUuid: stack.uuid },
      stack,
      patches: patches.value,
      ...(old && { notUpdated: old }),
    };
  }

  async #viewOf({ ref, stack, patches, notUpdated: old }: FoundStack): Promise<StackPageView> {
    const { model, reading } = this.#context;
    const editing = (await this.#editing()).editing({
      projectId: ref.projectId,
      stack,
      title: stackLabel(stack),
    });
    const pendingChanges = await this.#context.pendingChanges();
    this.#unsent = unsentReviews(pendingChanges, stack.uuid);
    return stackPageView(ref, stack, patches, {
      versions: await this.#versions(ref, stack, patches),
      notUpdated: old,
      me: model.me,
      account: pendingChanges.account,
      editing,
      stateOf: (changeId) => reading.stateOf({ stackUuid: stack.uuid, changeId }),
      coverage: this.#coverage?.stackUuid === stack.uuid ? this.#coverage.of : undefined,
      unsent: this.#unsent,
    });
  }

  /** The versions before this one; none where they can't be had: what is there now can be read without them. */
  async #versions(
    ref: StackPageState,
    stack: PatchStack,
    patches: readonly Patch[],
  ): ReturnType<typeof versionsView> {
    try {
      return await versionsView(await this.#sources(), ref, stack, patches);
    } catch (error) {
      this.#context.log.debug(`The versions of a stack could not be read: ${String(error)}`);
      return undefined;
    }
  }

  async #sources(): Promise<StackVersionSources> {
    return { model: this.#context.model, readings: await this.#context.readings() };
  }

  async #openVersion(stackUuid: string): Promise<null> {
    const { projectId } = this.#ref ?? {};
    const stack =
      projectId === undefined ? undefined : await this.#context.model.findStack(projectId, stackUuid);
    if (projectId !== undefined && stack) {
      await runCommand('openStack', { projectId, stack });
    }
    return null;
  }

  /** Shows what the person says of a patch before the service has it, and no other of all the changes they make. */
  #followReviews(pendingChanges: PendingChanges): void {
    const { stackUuid } = this.#ref ?? {};
    if (
      stackUuid !== undefined &&
      !isDeepStrictEqual(unsentReviews(pendingChanges, stackUuid), this.#unsent)
    ) {
      this.#showSoon();
    }
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
  async #runFor(
    command: 'openPatch' | 'signOffPatch' | 'requestChanges',
    changeId: string,
    stackUuid = this.#ref?.stackUuid,
  ): Promise<null> {
    if (this.#ref && stackUuid !== undefined) {
      await runCommand(command, { ...this.#ref, stackUuid, changeId });
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
      inBackground(this.#texts.run(action, { ...row, text }));
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
    if (this.#ref && concerns(change, this.#ref)) {
      this.#showSoon();
    }
  }

  #showSoon(): void {
    if (this.#panel.page) {
      this.#showingSoon.ask();
    }
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
