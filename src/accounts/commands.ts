import * as vscode from 'vscode';
import type { CommandHandlers } from '../commandTable.ts';
import { profileViewType, stacksViewId, userCardViewType } from '../contributions.ts';
import { attempt } from '../ui/commands.ts';
import { stillInFront } from '../ui/inFront.ts';
import { restorePanels } from '../ui/pagePanel.ts';
import { showFailure } from '../ui/notifications.ts';
import { inBackground } from '../util/inBackground.ts';
import { lazy } from '../util/lazy.ts';
import type { WindowParts } from '../windowParts.ts';
import { Accounts, type AccountsContext } from './accounts.ts';
import { AuthenticationProvider } from './authenticationProvider.ts';
import type { StartupSignIn } from './signInFile.ts';
import { readStartupSignIn, signInAtStartup, waitForSignIn } from './startupSignIn.ts';
import type { LocalTrial } from './localTrial.ts';
import { LocalTrialFolders } from './localTrialFolders.ts';
import { LocalTrialGate } from './localTrialGate.ts';
import type { ProfilePanel } from './profile/profilePanel.ts';
import type { SshKeys } from './sshKeys/sshKeys.ts';
import { SharedRepositories } from './sharing/sharedRepositories.ts';
import type { Sharing } from './sharing/sharing.ts';
import { SharingState } from './sharing/sharingState.ts';
import { createStatusBar } from './statusBar.ts';
import type { UserCards } from './users/userCards.ts';

interface AccountsNeeds {
  forgetPending: AccountsContext['forgetPending'];
  /** Shows the stack to begin with, where there is one, and it is still wanted by then: of the branch that is checked out. */
  showFirstStack: (isWanted: () => boolean) => Promise<void>;
}

/** Accounts: signing in and out, the profile, users, SSH keys, and the trial on the open repository. */
export function registerAccounts(parts: WindowParts, { forgetPending, showFirstStack }: AccountsNeeds) {
  const { disposables, sessions, connection } = parts;
  const accounts = new Accounts({ ...parts, forgetPending });
  disposables.add(createStatusBar(connection));
  disposables.add(new AuthenticationProvider(sessions, accounts));

  const trialFolders = new LocalTrialFolders(parts.memory);
  const sharingState = disposables.add(new SharingState(connection));
  const gate = disposables.add(
    new LocalTrialGate({
      folders: trialFolders,
      start: async (folder) => (await localTrial()).start(folder),
      signIn: (server, token) => accounts.signInWithKnownToken(server, token),
      reachRunning: async (data) => (await import('../util/runningService.ts')).reachRunning(data),
      onLeft: () => resume(),
    }),
  );
  connection.guardWith(gate);
  const { localTrial, sharing, profilePanel, userCards, sshKeys } = whenFirstUsed(
    parts,
    accounts,
    { folders: trialFolders, gate },
    sharingState,
  );
  /** Finds or starts the local service again that the active account is of, where that is of this window. */
  const resume = async (): Promise<void> => {
    const session = await connection.session();
    if (session && trialFolders.openFolderOf(session.serverUrl) !== undefined) {
      await gate.admit(session);
      if (parts.model.created) {
        (await parts.model()).refresh();
      }
    }
  };
  disposables.add(
    restorePanels(profileViewType, async (panel) => (await profilePanel()).panel.restore(panel)),
  );
  disposables.add(
    restorePanels(userCardViewType, async (panel, state) => (await userCards()).restore(panel, state)),
  );
  return {
    accounts,
    sharing: sharingState,
    startup: startup(parts, accounts, gate, resume),
    commands: {
      signIn: async (serverUrl) => {
        await (serverUrl === undefined ? accounts.signIn('browser') : accounts.reach(serverUrl));
      },
      signInWithToken: async () => {
        await accounts.signIn('token');
      },
      signOut: () => accounts.signOut(),
      switchServer: () => accounts.switchServer(),
      tryLocally: async () => {
        const isStillInFront = stillInFront();
        await (await localTrial()).start();
        await showFirstStack(isStillInFront);
      },
      shareReviews: async () => (await sharing()).share(),
      stopSharing: async () => (await sharing()).stop(),
      shareNow: async () => (await sharing()).now(),
      showAccountMenu: async () => (await import('./menu.ts')).showAccountMenu(),
      editProfile: async () => (await profilePanel()).panel.open(),
      showUser: async (login) => (await userCards()).show(login),
      manageSshKeys: async () => (await sshKeys()).manage(),
      addSshKey: async () => (await sshKeys()).add(),
      deleteSshKey: async () => (await sshKeys()).delete(),
    } satisfies Partial<CommandHandlers>,
  };
}

function whenFirstUsed(
  { context, memory, disposables, log, connection, pendingChanges, changes }: WindowParts,
  accounts: Accounts,
  trials: { folders: LocalTrialFolders; gate: LocalTrialGate },
  state: SharingState,
) {
  const { extensionUri, globalStorageUri: storage } = context;
  const sharing = lazy(async (): Promise<Sharing> => {
    const { Sharing } = await import('./sharing/sharing.ts');
    return new Sharing({ state, repositories: new SharedRepositories(memory), log });
  });
  return {
    sharing,
    localTrial: lazy(async (): Promise<LocalTrial> => {
      const { LocalTrial } = await import('./localTrial.ts');
      const shared = await sharing();
      return disposables.add(
        new LocalTrial({ accounts, connection, ...trials, sharing: shared, extensionUri, storage, log }),
      );
    }),
    profilePanel: lazy(async (): Promise<ProfilePanel> => {
      const { ProfilePanel } = await import('./profile/profilePanel.ts');
      return disposables.add(
        new ProfilePanel({
          extensionUri,
          connection,
          pendingChanges: await pendingChanges(),
          changes,
          log,
        }),
      );
    }),
    userCards: lazy(async (): Promise<UserCards> => {
      const { UserCards } = await import('./users/userCards.ts');
      return disposables.add(new UserCards(extensionUri, connection, log));
    }),
    sshKeys: lazy(async (): Promise<SshKeys> => {
      const { SshKeys } = await import('./sshKeys/sshKeys.ts');
      return new SshKeys(connection, changes);
    }),
  };
}

function startup(
  { connection, sessions, log }: WindowParts,
  accounts: Accounts,
  gate: LocalTrialGate,
  resumeTrial: () => Promise<void>,
) {
  let signingIn: ReturnType<typeof signInAtStartup> | undefined;
  /** Signs in with the file that whoever started the editor has left, if any, and returns what that holds. A failure is told. */
  const signIn = async (file: string | undefined): ReturnType<typeof signInAtStartup> => {
    if (file === undefined) {
      return undefined;
    }
    // Once: a second try finds no file any more.
    const reading = readStartupSignIn(file);
    await attempt(vscode.l10n.t('sign in'), log, async () => {
      signingIn = signInAtStartup(accounts, gate, reading);
      if (await signingIn) {
        await vscode.commands.executeCommand(`${stacksViewId}.focus`);
      }
    });
    return signingIn?.catch(() => undefined);
  };
  return {
    /** Ends when it is known who is signed in, however that went: a failure is told. @returns what the window is to begin with. */
    begin: async (file: string | undefined): Promise<Pick<StartupSignIn, 'showsStack' | 'branch'>> => {
      let signedIn: StartupSignIn | undefined;
      try {
        // When it is refused the window still has to learn who is signed in.
        signedIn = await signIn(file);
        await connection.refresh();
        await sessions.watch();
        await resumeTrial();
      } catch (error) {
        inBackground(showFailure(vscode.l10n.t('start Patch Stacks'), error, log));
      }
      return signedIn ?? {};
    },
    /** Waits until the sign-in at startup has come to its end, but not for long. */
    untilSignedIn: () => waitForSignIn(signingIn),
  };
}
