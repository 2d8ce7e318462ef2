/**
 * Keys of a VS Code under test for commands that tests run again and again between what they are about: the palette takes a
 * second, and lists a thousand commands each time. That there is a way to a command without them is for other tests to show.
 */
interface CommandKey {
  /** The command as VS Code knows it. */
  readonly command: string;
  /** The key by the names that the browser gives it. */
  readonly code: string;
  readonly keyCode: number;
  readonly shiftKey: boolean;
}

/** As `commandsByTitle`: what VS Code runs for a row of the stacks view that it has selected for a click. */
export const tellOfClick = 'The click on a row';

/** Commands by their whole titles, in the order of their keys, the first of which is one that no keyboard of today has. */
const commandsByTitle = {
  [tellOfClick]: '_patchStacks.openClickedRow',
  'Developer: Reload Window': 'workbench.action.reloadWindow',
  'Notifications: Clear All Notifications': 'notifications.clearAll',
  'Patch Stacks: Add SSH Key': 'patchStacks.addSshKey',
  'Patch Stacks: Compare With…': 'patchStacks.compareVersions',
  'Patch Stacks: Create Project': 'patchStacks.createProject',
  'Patch Stacks: Create Release': 'patchStacks.createRelease',
  'Patch Stacks: Delete SSH Key': 'patchStacks.deleteSshKey',
  'Patch Stacks: Edit Profile': 'patchStacks.editProfile',
  'Patch Stacks: Filter by Status': 'patchStacks.filterStacks',
  'Patch Stacks: Manage SSH Keys': 'patchStacks.manageSshKeys',
  'Patch Stacks: Next Unread': 'patchStacks.nextUnread',
  'Patch Stacks: Refresh': 'patchStacks.refresh',
  'Patch Stacks: Resolve Conflict': 'patchStacks.resolveConflict',
  'Patch Stacks: Send Feedback': 'patchStacks.sendFeedback',
  'Patch Stacks: Share Now': 'patchStacks.shareNow',
  'Patch Stacks: Show Unsent Changes': 'patchStacks.showUnsentChanges',
  'Patch Stacks: Show User': 'patchStacks.showUser',
  'Patch Stacks: Sign In with Access Token': 'patchStacks.signInWithToken',
  'Patch Stacks: Sign Off Patch Anyway': 'patchStacks.signOffAnyway',
  'Patch Stacks: Sign Out': 'patchStacks.signOut',
  'View: Close All Editors': 'workbench.action.closeAllEditors',
  'View: Show Explorer': 'workbench.view.explorer',
  'View: Show Patch Stacks': 'workbench.view.extension.patchStacks',
};

const firstKey = 13;
/** After F24 they begin again, with Shift. */
const keyCount = 12;
/** The number of F1, by which the browser knows it. */
const keyCodeOfF1 = 112;

const keys: ReadonlyMap<string, CommandKey> = new Map(
  Object.entries(commandsByTitle).map(([title, command], index) => {
    const number = firstKey + (index % keyCount);
    const shiftKey = index >= keyCount;
    return [title, { command, code: `F${number}`, keyCode: keyCodeOfF1 + number - 1, shiftKey }];
  }),
);

/** The keys as VS Code's own file of them says it. */
export const commandKeys: readonly { readonly key: string; readonly command: string }[] = [
  ...keys.values(),
].map(({ command, code, shiftKey }) => ({
  key: `ctrl+alt+${shiftKey ? 'shift+' : ''}${code.toLowerCase()}`,
  command,
}));

/** The key of a command. */
export function commandKey(title: string): CommandKey | undefined {
  return keys.get(title);
}

/**
 * Runs in the window: gives VS Code a key, wherever the focus is, and returns true when it has taken it: it takes none before it has
 * read its keys.
 */
export function giveKey({ code, keyCode, shiftKey }: CommandKey): boolean {
  const event = new KeyboardEvent('keydown', {
    code,
    key: code,
    ctrlKey: true,
    altKey: true,
    shiftKey,
    bubbles: true,
    cancelable: true,
  });
  // VS Code goes by the number, which no one can give to an event in another way.
  Object.defineProperty(event, 'keyCode', { value: keyCode });
  return !document.body.dispatchEvent(event);
}
