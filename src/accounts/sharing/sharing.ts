/** *Share Reviews…*: what the local service has is shared with everybody who can read a remote of the repository. */
import * as vscode from 'vscode';
import type {
  Remote,
  SharedProblem,
  SharingNews,
  SharingRequest,
  SharingTrouble,
} from '../../protocol/localService.ts';
import { readSetting } from '../../contributions.ts';
import { activeGit } from '../../git/gitExtension.ts';
import { choose } from '../../ui/choose.ts';
import { attempt, CancelledError, runCommand } from '../../ui/commands.ts';
import { escapeIcons } from '../../ui/icons.ts';
import type { Log } from '../../ui/log.ts';
import { showMessage } from '../../ui/notifications.ts';
import { leftOutSentence, troubleSentence, type ProjectSharing } from '../../ui/sharingTexts.ts';
import { LocalServiceError, type ServiceLink } from './serviceLink.ts';
import type { SharedRepositories } from './sharedRepositories.ts';
import type { SharingState } from './sharingState.ts';
import { inBackground } from '../../util/inBackground.ts';

interface SharingContext {
  state: SharingState;
  repositories: SharedRepositories;
  log: Log;
}

/** The local service that runs at the moment. */
interface Served {
  link: ServiceLink;
  serverUrl: string;
  /** The folder that it was started for. */
  folder: string;
  /** Undefined until the repository has been read. */
  projectId: string | undefined;
}

/** See the module. */
export class Sharing {
  readonly #context: SharingContext;
  #served: Served | undefined;
  #sharing: ProjectSharing = { remote: undefined, waiting: 0 };
  /** The trouble that the person was told of: it is told once. */
  #told: SharingTrouble | undefined;
  /** True while the person waits for it, who is told then, too, that the remote can't be reached. */
  #isAwaited = false;
  #problems = '';
  /** The devices that the person was asked about: once, as long as this window lives. */
  readonly #asked = new Set<string>();

  constructor(context: SharingContext) {
    this.#context = context;
  }

  /** The remote through which the person has said that a folder's repository is shared. */
  remoteOf(folder: string): string | undefined {
    return this.#context.repositories.remoteOf(folder);
  }

  /** Takes up a local service that answers, and has it share where the person has said so before. */
  async serve(served: Served): Promise<void> {
    this.#served = served;
    this.#show({ remote: undefined, waiting: 0 });
    const remote = this.#context.repositories.remoteOf(served.folder);
    if (remote !== undefined) {
      await attempt(vscode.l10n.t('share your reviews'), this.#context.log, () => this.#begin(remote));
    } else if (served.projectId !== undefined) {
      await this.#offer(served);
    }
  }

  /** Notes that all of the repository has been read, and which project it is. */
  noteProject(link: ServiceLink, projectId: string): void {
    if (this.#served?.link === link) {
      this.#served.projectId = projectId;
      this.#show(this.#sharing);
      inBackground(this.#offer(this.#served));
    }
  }

  /** Notes that a local service has ended. */
  leave(link: ServiceLink): void {
    link.end();
    if (this.#served?.link === link) {
      this.#served = undefined;
      this.#context.state.set(undefined);
    }
  }

  /** Takes in that the local service has shared, or tried to. */
  take(link: ServiceLink, news: SharingNews): void {
    const { remote, sharedAt } = this.#sharing;
    if (this.#served?.link !== link || remote === undefined) {
      return;
    }
    const { trouble, waiting, withheld } = news;
    const leftOut = this.#shownOf(news.problems);
    this.#show({
      remote,
      waiting,
      trouble,
      takenAt: takenAtOf(news),
      withheld,
      leftOut: leftOut.map(({ who }) => who),
      unfinished: news.unfinished?.map(({ who }) => who),
      sharedAt: trouble === undefined ? new Date(news.at) : sharedAt,
    });
    this.#tellTrouble(remote, news);
    this.#tellProblems(leftOut);
    for (const device of news.strangers ?? []) {
      inBackground(this.#askAbout(device));
    }
  }

  /** Says once of a repository that has a remote that its reviews can be shared. */
  async #offer({ folder }: Served): Promise<void> {
    const { repositories } = this.#context;
    if (this.#sharing.remote !== undefined || repositories.wasOffered(folder) || !(await hasRemote(folder))) {
      return;
    }
    await repositories.noteOffered(folder);
    const chosen = await showMessage<true>(
      vscode.l10n.t(
        'You can review these patch stacks with your team, without a server: through the Git remote that you all have.',
      ),
      { actions: [{ title: vscode.l10n.t('Share Reviews…'), value: true }] },
    );
    if (chosen === true) {
      await runCommand('shareReviews');
    }
  }

  /** Asks whether to share, and through which remote, and begins. */
  async share(): Promise<void> {
    const served = this.#required();
    const { remotes = [] } = await said(served.link.ask({ kind: 'remotes' }));
    const remote = await chooseRemote(remotes);
    const yes = await showMessage(vscode.l10n.t('Share reviews through "{0}"?', remote.name), {
      modal: true,
      detail: [
        vscode.l10n.t(
          'Of all branches that the remote has, your texts and their order, titles, descriptions, sign-offs, and requested changes are pushed, with your name, email address, and SSH keys.',
        ),
        vscode.l10n.t("What you say about commits that it doesn't have stays here until you push them."),
        vscode.l10n.t(
          'They go to {0}, beside the branches (refs/patch-stacks), or among them (patch-stacks/*) if the host takes only branches.',
          remote.address,
        ),
        vscode.l10n.t(
          "Everyone who can read the remote can read them, and its host keeps what was pushed. Everyone who can push to it can write there in your name, or in anyone else's.",
        ),
      ].join(' '),
      actions: [{ title: vscode.l10n.t('Share'), value: true }],
    });
    if (yes !== true) {
      throw new CancelledError();
    }
    await this.#begin(remote.name);
    await this.#context.repositories.remember(served.folder, remote.name);
    await this.#context.repositories.noteOffered(served.folder);
  }

  /** Stops sharing, and keeps everything. */
  async stop(): Promise<void> {
    const { link, folder } = this.#required();
    const { remote } = this.#sharing;
    // First: whatever happens next, the next start shares nothing.
    await this.#context.repositories.remember(folder, undefined);
    await said(link.ask({ kind: 'stopSharing' }));
    this.#show({ remote: undefined, waiting: 0 });
    if (remote !== undefined) {
      inBackground(
        showMessage(
          vscode.l10n.t(
            'Stopped sharing reviews. Everything stays here and in "{0}", and nothing more is pushed.',
            remote,
          ),
        ),
      );
    }
  }

  /** Pushes and fetches at once, and shows what has come. */
  async now(): Promise<void> {
    await this.#share({ kind: 'shareNow' });
  }

  async #share(request: SharingRequest): Promise<void> {
    const { link } = this.#required();
    this.#told = undefined;
    this.#isAwaited = true;
    try {
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Sharing reviews') },
        async () => said(link.ask(request)),
      );
      // Also where the push was refused: something of others may have come before that.
      await runCommand('refresh');
    } finally {
      this.#isAwaited = false;
    }
  }

  async #begin(remote: string): Promise<void> {
    const { link } = this.#required();
    this.#told = undefined;
    this.#problems = '';
    // Before it begins: its news may come before its answer.
    this.#show({ remote, waiting: 0 });
    try {
      const { news } = await said(link.ask({ kind: 'share', remote, asBranch: sharesAsBranch() }));
      if (news) {
        this.take(link, news);
      }
    } catch (error) {
      this.#show({ remote: undefined, waiting: 0 });
      throw error;
    }
  }

  #required(): Served {
    if (this.#context.state.isElsewhere) {
      throw new Error(
        vscode.l10n.t(
          'This window didn\'t start the local server. To share reviews, start the server again with "--share origin".',
        ),
      );
    }
    if (!this.#served) {
      throw new Error(
        vscode.l10n.t('The local server isn\'t running. Run "Try It on This Repository" first.'),
      );
    }
    return this.#served;
  }

  #show(sharing: ProjectSharing): void {
    this.#sharing = sharing;
    const { serverUrl, projectId } = this.#served ?? {};
    this.#context.state.set(
      serverUrl === undefined || projectId === undefined ? undefined : { serverUrl, projectId, sharing },
    );
  }

  #tellTrouble(remote: string, news: SharingNews): void {
    const { trouble, reason } = news;
    if (trouble === this.#told) {
      return;
    }
    this.#told = trouble;
    if (trouble === undefined) {
      return;
    }
    const sentence = troubleSentence(remote, trouble, takenAtOf(news));
    this.#context.log.warn(reason === undefined ? sentence : `${sentence} ${reason}`);
    if (trouble !== 'offline' || this.#isAwaited) {
      inBackground(this.#offerMore(sentence, trouble));
    }
  }

  async #offerMore(sentence: string, trouble: SharingTrouble): Promise<void> {
    const chosen = await showMessage<'now' | 'again' | 'log'>(sentence, {
      severity: 'warning',
      actions: [
        trouble === 'vanished'
          ? { title: vscode.l10n.t('Push Again'), value: 'again' }
          : { title: vscode.l10n.t('Share Now'), value: 'now' },
        { title: vscode.l10n.t('Show Log'), value: 'log' },
      ],
    });
    if (chosen === 'now') {
      await runCommand('shareNow');
    } else if (chosen === 'again') {
      await attempt(vscode.l10n.t('share your reviews'), this.#context.log, async () =>
        this.#share({ kind: 'pushAgain' }),
      );
    } else if (chosen === 'log') {
      await this.#context.log.show();
    }
  }

  /** The problems that the person has not hidden. */
  #shownOf(problems: readonly SharedProblem[]): SharedProblem[] {
    const hidden = this.#served ? this.#context.repositories.hiddenIn(this.#served.folder) : [];
    return problems.filter(({ what }) => !hidden.includes(what));
  }

  #tellProblems(problems: readonly SharedProblem[]): void {
    const all = problems.map(({ what }) => what).join('\n');
    if (all === this.#problems) {
      return;
    }
    this.#problems = all;
    problems.forEach(({ what }) => this.#context.log.warn(`Left something out that is shared: ${what}`));
    if (problems.length > 0) {
      inBackground(this.#offerToHide(problems));
    }
  }

  /** Asks once whether a device that shares in the person's name is theirs. */
  async #askAbout(device: string): Promise<void> {
    const { repositories, log } = this.#context;
    const { folder } = this.#required();
    if (this.#asked.has(device) || repositories.hiddenIn(folder).includes(device)) {
      return;
    }
    this.#asked.add(device);
    const chosen = await showMessage<'mine' | 'hide'>(
      vscode.l10n.t(
        "Another device shares reviews in your name ({0}). Nothing of it is shown here unless you say that it's yours.",
        device,
      ),
      {
        severity: 'warning',
        actions: [
          { title: vscode.l10n.t('This Is Mine'), value: 'mine' },
          { title: vscode.l10n.t("Don't Show Again"), value: 'hide' },
        ],
      },
    );
    if (chosen === 'mine') {
      await attempt(vscode.l10n.t('share your reviews'), log, async () =>
        this.#share({ kind: 'addDevice', device }),
      );
    } else if (chosen === 'hide') {
      await this.#hide(folder, [device]);
    }
  }

  async #offerToHide(problems: readonly SharedProblem[]): Promise<void> {
    const chosen = await showMessage<'hide' | 'log'>(leftOutSentence(problems.map(({ who }) => who)), {
      severity: 'warning',
      actions: [
        { title: vscode.l10n.t("Don't Show Again"), value: 'hide' },
        { title: vscode.l10n.t('Show Log'), value: 'log' },
      ],
    });
    if (chosen === 'log') {
      await this.#context.log.show();
    } else if (chosen === 'hide' && this.#served) {
      await this.#hide(
        this.#served.folder,
        problems.map(({ what }) => what),
      );
      this.#show({ ...this.#sharing, leftOut: [] });
    }
  }

  /** Has the person not be told again of something. */
  async #hide(folder: string, what: readonly string[]): Promise<void> {
    const { repositories } = this.#context;
    const all = new Set([...repositories.hiddenIn(folder), ...what]);
    await repositories.hide(folder, [...all].slice(-mostHidden));
  }
}

/** Problems that are hidden: those that were hidden first are over by then. */
const mostHidden = 100;

function takenAtOf({ takenAt }: SharingNews): Date | undefined {
  return takenAt === undefined ? undefined : new Date(takenAt);
}

/** True when the person wants their log among the branches of the remote, whatever its host takes. */
export function sharesAsBranch(): boolean {
  return readSetting('shareAsBranch');
}

/** True when the repository of a folder has a remote, as VS Code's own Git knows it: no process runs for that. */
async function hasRemote(folder: string): Promise<boolean> {
  const git = await activeGit();
  const repository = git?.repositories.find(({ rootUri }) => rootUri.fsPath === folder);
  return (repository?.state.remotes.length ?? 0) > 0;
}

/** The only remote, or the one that the person chooses. @throws {CancelledError} when they give up; an error when there is none. */
async function chooseRemote(remotes: readonly Remote[]): Promise<Remote> {
  const [first, ...others] = remotes;
  if (!first) {
    throw new Error(
      vscode.l10n.t('The repository doesn\'t have a remote. Run "git remote add origin URL" first.'),
    );
  }
  if (others.length === 0) {
    return first;
  }
  return choose<Remote>({
    title: vscode.l10n.t('Share Reviews'),
    placeholder: vscode.l10n.t('Select the remote that your team reads'),
    load: async () =>
      remotes.map((remote) => ({
        label: `$(remote) ${escapeIcons(remote.name)}`,
        description: escapeIcons(remote.address),
        choice: { value: remote },
      })),
    isActive: ({ name }) => name === 'origin',
  });
}

/** An answer, or a failure in words for the person. */
async function said<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const text = error instanceof LocalServiceError ? describe(error.code) : undefined;
    throw text === undefined ? error : new Error(text, { cause: error });
  }
}

function describe(code: string): string | undefined {
  switch (code) {
    case 'no_remote':
      return vscode.l10n.t("Couldn't find the remote, or its address. Share through another one.");
    case 'remote_inside':
      return vscode.l10n.t(
        "The remote is a folder in the repository itself, which could run anything when it's pushed to. Share through another one.",
      );
    case 'no_identity':
      return vscode.l10n.t(
        'Git doesn\'t know your email address. Run "git config --global user.email you@example.com", and share again.',
      );
    case 'git_missing':
      return vscode.l10n.t("Git wasn't found. Install Git or add it to your PATH.");
    case 'stopped':
      return vscode.l10n.t('The local server has stopped. Run "Try It on This Repository" again.');
    default:
      return undefined;
  }
}
