/**
 * Every command, and all that is said of it: package.json, its texts and docs/commands.md are made from this table by
 * `npm run manifest`, and each command needs a handler in the `commands.ts` of its feature to compile.
 *
 * Only the tools read `commands` itself: what runs in VS Code takes its types from it, and so the build leaves it out.
 */
import type { CommandRow, FilePlace, ProjectRow, StackRow, TreeRow } from './contributions.ts';
import type { SectionRef } from './util/patchRef.ts';

/** A menu with what it needs to be there at all; an entry may need more. */
export const menus = {
  'view/title': 'view == patchStacks.stacks && patchStacks.signedIn',
  'view/item/context': 'view == patchStacks.stacks',
  'editor/title': '',
  'webview/context': "webviewId == 'patchStacks.patchDocument'",
} as const;

/** Keys that run a command where they are pressed. */
interface Keys {
  key: string;
  /** Others on macOS. */
  mac?: string;
  when: string;
}

/** A command, as package.json and docs/commands.md describe it. */
export interface Command {
  title: string;
  /** The title in German. */
  german: string;
  /** The effect, in the words of docs/commands.md. */
  does: string;
  /** One of VS Code's icons. */
  icon?: string;
  /** When it is in the command palette: always, unless this says otherwise. */
  palette?: string;
  /** The menus that show it: the place in each, and the condition beside what the menu needs. */
  menus?: readonly (readonly [menu: keyof typeof menus, group: string, when?: string])[];
  keys?: readonly Keys[];
}

/** The file of an editor, as VS Code hands it to a button above the editor. */
export interface EditorFile {
  readonly scheme: string;
  readonly path: string;
}

/** The keys of rows act where the view has the focus: VS Code hands over the row that has it. */
export const viewFocus = 'focusedView == patchStacks.stacks && listFocus && !inputFocus';

// Calls and no templates: the build knows that it may leave them out.
/* @__NO_SIDE_EFFECTS__ */
function and(...conditions: string[]): string {
  return conditions.join(' && ');
}

/* @__NO_SIDE_EFFECTS__ */
function or(...conditions: string[]): string {
  return conditions.join(' || ');
}

const never = 'false';
const signedIn = 'patchStacks.signedIn';
const inDocument = "activeWebviewPanelId == 'patchStacks.patchDocument'";
const documentFocus = and(inDocument, 'patchStacks.documentFocus');
const notTyping = and(documentFocus, '!patchStacks.typingFocus');
/** The texts that Escape closes, while it has nothing else to end. */
const textFocus = and(
  "resourceScheme == 'patch-stacks-text'",
  'editorTextFocus',
  '!isInDiffEditor',
  '!editorHasSelection',
  '!findWidgetVisible',
);
const sectionFocus = and(inDocument, 'patchStacks.sectionFocus');
const anythingAtHand = or(and(signedIn, 'patchStacks.atHand'), inDocument);
const onPatch = and(signedIn, 'patchStacks.atHand =~ /^(patch|section)$/');
const stackAtHand = or(
  and(signedIn, 'patchStacks.atHand =~ /^(stack|patch|section)$/'),
  and(signedIn, inDocument),
);
const patchAtHand = or(onPatch, inDocument);
const patchSignedIn = or(onPatch, and(signedIn, inDocument));

/** A command with what it takes when a row, a link or another command runs it; from the palette it gets nothing. */
type Taking<Arguments> = Command & { takes?: Arguments };

/* @__NO_SIDE_EFFECTS__ */
function command<Arguments extends readonly unknown[] = []>(row: Taking<Arguments>): Taking<Arguments> {
  return row;
}

export const commands = {
  /** To a server that is known already, or to one that is asked for. */
  signIn: command<[serverUrl?: string]>({
    title: 'Sign In',
    german: 'Anmelden',
    does: "opens your server's sign-in page in the browser, and waits for you to confirm",
    icon: 'sign-in',
  }),
  signInWithToken: command({
    title: 'Sign In with Access Token',
    german: 'Mit Zugriffstoken anmelden',
    does: 'uses an access token you already have',
  }),
  signOut: command({
    title: 'Sign Out',
    german: 'Abmelden',
    does: 'deletes the token from this computer, and your local data if you like',
    icon: 'sign-out',
    palette: signedIn,
    menus: [['view/title', '9_account@2']],
  }),
  switchServer: command({
    title: 'Switch Server',
    german: 'Server wechseln',
    does: 'switches to another account or server, or adds one',
    icon: 'arrow-swap',
    palette: 'patchStacks.signedIn || patchStacks.signedInElsewhere',
    menus: [['view/title', '9_account@1']],
  }),
  tryLocally: command({
    title: 'Try It on This Repository',
    german: 'Mit diesem Repository ausprobieren',
    does: "shows the open folder's branches as patch stacks, with a local server that stops with the window",
    icon: 'beaker',
  }),
  shareReviews: command({
    title: 'Share Reviews…',
    german: 'Reviews teilen …',
    does: "shares what your local server has with everyone who can read the repository's remote, after it has said what and where to",
    icon: 'cloud-upload',
    palette: and(signedIn, 'patchStacks.sharing =~ /^(off|elsewhere)$/'),
    menus: [['view/item/context', '4_share@1', 'viewItem =~ /^project.*\\.unshared$/']],
  }),
  stopSharing: command({
    title: 'Stop Sharing Reviews',
    german: 'Reviews nicht mehr teilen',
    does: 'keeps everything, and pushes nothing more',
    palette: and(signedIn, "patchStacks.sharing == 'on'"),
    menus: [['view/item/context', '4_share@2', 'viewItem =~ /^project.*\\.shared$/']],
  }),
  shareNow: command({
    title: 'Share Now',
    german: 'Jetzt teilen',
    does: 'pushes and fetches reviews at once',
    icon: 'sync',
    palette: and(signedIn, "patchStacks.sharing == 'on'"),
    menus: [['view/item/context', '4_share@1', 'viewItem =~ /^project.*\\.shared$/']],
  }),
  showAccountMenu: command({
    title: 'Show Account Menu',
    german: 'Kontomenü anzeigen',
    does: 'the menu behind your name in the status bar',
    palette: signedIn,
  }),
  editProfile: command({
    title: 'Edit Profile',
    german: 'Profil bearbeiten',
    does: 'your name, language, and profile picture',
    icon: 'account',
    palette: signedIn,
    menus: [['view/title', '8_account@1']],
  }),
  showUser: command<[login?: string]>({
    title: 'Show User',
    german: 'Profil einer Person anzeigen',
    does: "someone's public profile and SSH keys",
    icon: 'person',
    palette: signedIn,
    menus: [['view/title', '8_account@3']],
  }),
  manageSshKeys: command({
    title: 'Manage SSH Keys',
    german: 'SSH-Schlüssel verwalten',
    does: 'lists your keys on the server; add, delete, or copy them',
    icon: 'key',
    palette: signedIn,
    menus: [['view/title', '8_account@2']],
  }),
  addSshKey: command({
    title: 'Add SSH Key',
    german: 'SSH-Schlüssel hinzufügen',
    does: 'from `~/.ssh`, the SSH agent, a file, or the clipboard',
    icon: 'add',
    palette: signedIn,
  }),
  deleteSshKey: command({
    title: 'Delete SSH Key',
    german: 'SSH-Schlüssel löschen',
    does: 'asks first, and can be undone',
    icon: 'trash',
    palette: signedIn,
  }),
  createProject: command({
    title: 'Create Project',
    german: 'Projekt erstellen',
    does: 'asks for a name, a description, and a slug',
    icon: 'add',
    palette: signedIn,
    menus: [['view/title', '1_projects@1']],
  }),
  editProject: command<[row?: ProjectRow]>({
    title: 'Edit Project',
    german: 'Projekt bearbeiten',
    does: 'changes the name, description, slug, and who can read it',
    icon: 'edit',
    palette: signedIn,
    menus: [['view/item/context', '3_project@1', 'viewItem =~ /^project\\b/']],
  }),
  deleteProject: command<[row?: ProjectRow]>({
    title: 'Delete Project',
    german: 'Projekt löschen',
    does: 'asks you to confirm by entering the slug',
    icon: 'trash',
    palette: signedIn,
    menus: [['view/item/context', '9_delete@1', 'viewItem =~ /^project\\b/']],
  }),
  openProject: command({
    title: 'Open Project by Owner and Slug',
    german: 'Projekt nach Besitzer und Kurznamen öffnen',
    does: 'shows any project you have access to, also by its URL',
    icon: 'search',
    palette: signedIn,
    menus: [['view/title', '1_projects@2']],
  }),
  connectProject: command<[row?: ProjectRow]>({
    title: 'Connect Project to Organization',
    german: 'Projekt mit Organisation verbinden',
    does: "connects to one of the organization's projects, or a new one",
    icon: 'link',
    palette: signedIn,
    menus: [['view/item/context', '3_project@2', 'viewItem =~ /^project\\b/']],
  }),
  disconnectProject: command<[row?: ProjectRow]>({
    title: 'Disconnect Project from Organization',
    german: 'Projekt von Organisation trennen',
    does: 'at once, and can be undone',
    palette: signedIn,
    menus: [['view/item/context', '3_project@3', 'viewItem =~ /^project\\.connected/']],
  }),
  createStack: command<[row?: ProjectRow]>({
    title: 'Create Patch Stack',
    german: 'Patch-Stapel erstellen',
    does: 'publishes a branch at its newest commit, or an earlier one',
    icon: 'add',
    palette: signedIn,
    menus: [
      ['view/title', '2_stacks@1'],
      ['view/item/context', '2_stacks@1', 'viewItem =~ /^project\\b/'],
      ['view/item/context', 'inline@2', 'viewItem =~ /^project\\b/'],
    ],
  }),
  editStack: command<[row?: StackRow | ProjectRow]>({
    title: 'Edit Patch Stack',
    german: 'Patch-Stapel bearbeiten',
    does: 'changes the title and description, on its page',
    icon: 'edit',
    palette: signedIn,
    menus: [['view/item/context', '3_stack@1', 'viewItem =~ /^stack\\./']],
  }),
  closeStack: command<[row?: StackRow | ProjectRow]>({
    title: 'Close Patch Stack',
    german: 'Patch-Stapel schließen',
    does: 'at once, and can be undone',
    icon: 'git-pull-request-closed',
    palette: signedIn,
    menus: [
      ['view/item/context', '3_stack@2', 'viewItem =~ /^stack\\.(active|unknown)$/'],
      ['view/item/context', 'inline@2', 'viewItem == stack.active'],
    ],
  }),
  reopenStack: command<[row?: StackRow | ProjectRow]>({
    title: 'Reopen Patch Stack',
    german: 'Patch-Stapel wieder öffnen',
    does: 'at once, and can be undone',
    icon: 'git-pull-request',
    palette: signedIn,
    menus: [
      ['view/item/context', '3_stack@3', 'viewItem =~ /^stack\\.(closed|unknown)$/'],
      ['view/item/context', 'inline@2', 'viewItem == stack.closed'],
    ],
  }),
  openBranchStack: command<[row?: ProjectRow]>({
    title: 'Open Latest Stack for a Branch',
    german: 'Neuesten Stapel eines Branches öffnen',
    does: 'shows it in the view; the checked-out branch comes first',
    icon: 'git-branch',
    palette: signedIn,
    menus: [
      ['view/title', '2_stacks@2'],
      ['view/item/context', '1_open@1', 'viewItem =~ /^project\\b/'],
      ['view/item/context', 'inline@1', 'viewItem =~ /^project\\b/'],
    ],
  }),
  openStack: command<[row?: StackRow | ProjectRow]>({
    title: 'Open Patch Stack',
    german: 'Patch-Stapel öffnen',
    does: 'shows a patch stack as a page, as does a click in the view: what is left to read, and who says what',
    icon: 'open-preview',
    palette: signedIn,
    menus: [
      ['view/item/context', '1_open@0', 'viewItem =~ /^stack\\./'],
      ['view/item/context', 'inline@0', 'viewItem =~ /^stack\\./'],
    ],
  }),
  signOffUnchanged: command<[row?: StackRow | ProjectRow]>({
    title: 'Sign Off Unchanged Patches Again',
    german: 'Unveränderte Patches erneut abzeichnen',
    does: 'signs off on the patches of a stack that you signed off before and that are unchanged or only rebased since, after a list of them',
    icon: 'pass',
    palette: signedIn,
    menus: [['view/item/context', '3_stack@4', 'viewItem =~ /^stack\\.(active|unknown)$/']],
  }),
  openStackAsDocument: command<[row?: StackRow | ProjectRow]>({
    title: 'Open Patch Stack as One Document',
    german: 'Patch-Stapel als ein Dokument öffnen',
    does: 'opens all patches of a stack as one document, to be read, edited, and signed off one after another',
    icon: 'book',
    palette: signedIn,
    menus: [['view/item/context', '1_open@2', 'viewItem =~ /^stack\\./']],
  }),
  openStackAsMarkdown: command<[row?: StackRow | ProjectRow]>({
    title: 'Open Patch Stack as Markdown',
    german: 'Patch-Stapel als Markdown öffnen',
    does: 'opens a whole patch stack as one Markdown document; saving it sends the texts, titles, and order that you changed',
    icon: 'markdown',
    palette: signedIn,
    menus: [['view/item/context', '1_open@3', 'viewItem =~ /^stack\\./']],
  }),
  exportStack: command<[row?: StackRow | ProjectRow]>({
    title: 'Export Patch Stack…',
    german: 'Patch-Stapel exportieren …',
    does: 'writes a patch stack into a file: a page of HTML that stands alone, Markdown, or mails for `git am`',
    icon: 'export',
    palette: signedIn,
    menus: [['view/item/context', '8_copy@3', 'viewItem =~ /^stack\\./']],
  }),
  showPatchStatuses: command<[row?: StackRow | ProjectRow]>({
    title: 'Show Patch Statuses',
    german: 'Patch-Status anzeigen',
    does: 'who has opened each patch of a stack, signed off on it, or requested changes, as a table',
    icon: 'checklist',
    palette: signedIn,
    menus: [
      ['view/item/context', '1_open@1', 'viewItem =~ /^stack\\.(active|closed|unknown)$/'],
      ['view/item/context', 'inline@1', 'viewItem =~ /^stack\\.(active|closed|unknown)$/'],
    ],
  }),
  openPatch: command<[patch?: SectionRef]>({
    title: 'Open Patch',
    german: 'Patch öffnen',
    does: 'opens a patch as a document, as does a click in the view',
    icon: 'open-preview',
    palette: never,
    menus: [['view/item/context', '1_open', 'viewItem =~ /^patch\\./']],
  }),
  /** Keeps the patch document open that the next click on a row would reuse. */
  keepOpen: command({
    title: 'Keep Open',
    german: 'Geöffnet lassen',
    does: 'keeps the tab, which the next click on a row would reuse; a double-click on the row and editing do the same',
    icon: 'pin',
    palette: and(inDocument, 'patchStacks.documentIsPreview'),
    menus: [['editor/title', '3_open@1', and(inDocument, 'patchStacks.documentIsPreview')]],
    keys: [
      { key: 'ctrl+k enter', mac: 'cmd+k enter', when: and(documentFocus, 'patchStacks.documentIsPreview') },
    ],
  }),
  nextPatch: command({
    title: 'Next Patch',
    german: 'Nächster Patch',
    does: 'goes to the next patch, in the same tab unless you keep it open',
    icon: 'arrow-down',
    palette: inDocument,
    menus: [['editor/title', 'navigation@2', inDocument]],
    keys: [{ key: 'alt+pagedown', when: documentFocus }],
  }),
  previousPatch: command({
    title: 'Previous Patch',
    german: 'Vorheriger Patch',
    does: 'goes to the previous patch, in the same tab unless you keep it open',
    icon: 'arrow-up',
    palette: inDocument,
    menus: [['editor/title', 'navigation@1', inDocument]],
    keys: [{ key: 'alt+pageup', when: documentFocus }],
  }),
  /** From change to change, through the whole stack of the row or of the document that was looked at last. */
  nextUnread: command<[row?: CommandRow]>({
    title: 'Next Unread',
    german: 'Nächste ungelesene Änderung',
    does: "goes to the next change you haven't read, through the whole patch stack",
    icon: 'arrow-circle-down',
    palette: stackAtHand,
    menus: [['view/item/context', '1_open@3', 'viewItem =~ /^(stack|patch)\\./']],
    keys: [{ key: 'shift+alt+pagedown', when: documentFocus }],
  }),
  previousUnread: command<[row?: CommandRow]>({
    title: 'Previous Unread',
    german: 'Vorherige ungelesene Änderung',
    does: "goes to the previous change you haven't read",
    icon: 'arrow-circle-up',
    palette: stackAtHand,
    keys: [{ key: 'shift+alt+pageup', when: documentFocus }],
  }),
  /** From hunk to hunk, through the whole stack of the row or of the document that was looked at last. */
  nextUnexplained: command<[row?: CommandRow]>({
    title: 'Next Unexplained Hunk',
    german: 'Nächste unerklärte Änderung',
    does: 'goes to the next change that no text explains, through the whole patch stack',
    palette: stackAtHand,
    keys: [{ key: 'shift+alt+n', when: notTyping }],
  }),
  /** In the patch document that was looked at last, from where the person is in it. */
  nextChange: command({
    title: 'Next Change',
    german: 'Nächste Änderung',
    does: 'goes to the next change, through all expanded files; in the document also with `N`',
    palette: inDocument,
    // Letters are the page's own: see `followLetters` in src/webview/patchDocument/focus.ts.
    keys: [{ key: 'f7', when: documentFocus }],
  }),
  previousChange: command({
    title: 'Previous Change',
    german: 'Vorherige Änderung',
    does: 'goes to the previous change, through all expanded files; in the document also with `P`',
    palette: inDocument,
    keys: [{ key: 'shift+f7', when: documentFocus }],
  }),
  nextFile: command({
    title: 'Next File',
    german: 'Nächste Datei',
    does: 'goes to the next file',
    palette: inDocument,
    keys: [{ key: 'ctrl+shift+down', mac: 'ctrl+shift+cmd+down', when: notTyping }],
  }),
  previousFile: command({
    title: 'Previous File',
    german: 'Vorherige Datei',
    does: 'goes to the previous file',
    palette: inDocument,
    keys: [{ key: 'ctrl+shift+up', mac: 'ctrl+shift+cmd+up', when: notTyping }],
  }),
  nextSection: command({
    title: 'Next Section',
    german: 'Nächster Abschnitt',
    does: 'goes to the next section',
    palette: inDocument,
    keys: [{ key: 'ctrl+down', mac: 'ctrl+cmd+down', when: notTyping }],
  }),
  previousSection: command({
    title: 'Previous Section',
    german: 'Vorheriger Abschnitt',
    does: 'goes to the previous section',
    palette: inDocument,
    keys: [{ key: 'ctrl+up', mac: 'ctrl+cmd+up', when: notTyping }],
  }),
  /** The patch document that was looked at last, as text to be heard. */
  showAccessibleView: command({
    title: 'Open Accessible View',
    german: 'Barrierefreie Ansicht öffnen',
    does: 'the whole patch as plain text, with the cursor where you are in the document',
    palette: inDocument,
    keys: [
      { key: 'alt+f2', when: documentFocus },
      { key: 'shift+alt+f2', when: documentFocus },
    ],
  }),
  showAccessibilityHelp: command({
    title: 'Open Accessibility Help',
    german: 'Hilfe zur Barrierefreiheit öffnen',
    does: 'the keys of the patch document',
    palette: inDocument,
    keys: [
      { key: 'alt+f1', when: documentFocus },
      { key: 'shift+alt+f1', when: documentFocus },
    ],
  }),
  closeAccessibleView: command({
    title: 'Close Accessible View',
    german: 'Barrierefreie Ansicht schließen',
    does: 'closes the accessible view or help, and returns to where you were in the document',
    palette: never,
    keys: [{ key: 'escape', when: textFocus }],
  }),
  openChanges: command<[patch?: SectionRef]>({
    title: 'Open Changes',
    german: 'Änderungen öffnen',
    does: "shows the changes of a patch or file in VS Code's diff editor, or of all files at once",
    icon: 'diff',
    palette: patchAtHand,
    menus: [
      ['view/item/context', '1_open@2', 'viewItem =~ /^(patch|section)\\b/'],
      ['editor/title', 'navigation@3', inDocument],
    ],
  }),
  /** Of the row, else in the patch document that was looked at last. */
  compareVersions: command<[patch?: Partial<SectionRef>]>({
    title: 'Compare With…',
    german: 'Vergleichen mit …',
    does: 'shows only what changed in a patch since you read it or signed it off, or since an older version',
    icon: 'compare-changes',
    palette: patchAtHand,
    menus: [
      ['view/item/context', '1_open@4', 'viewItem =~ /^patch\\./'],
      ['editor/title', '3_open@2', inDocument],
    ],
  }),
  openCommit: command<[patch?: SectionRef]>({
    title: 'Open Commit',
    german: 'Commit öffnen',
    does: "opens the patch's commit from the workspace's Git repository",
    icon: 'git-commit',
    palette: patchAtHand,
  }),
  openFile: command<[file?: FilePlace]>({
    title: 'Open File',
    german: 'Datei öffnen',
    does: 'opens the file of a diff from your working tree',
    icon: 'go-to-file',
    palette: never,
  }),
  findInPatch: command({
    title: 'Find in Patch',
    german: 'Im Patch suchen',
    does: 'searches the whole patch, collapsed parts included',
    icon: 'search',
    palette: inDocument,
    keys: [{ key: 'ctrl+f', mac: 'cmd+f', when: documentFocus }],
  }),
  signOffPatch: command<[patch?: Partial<SectionRef>]>({
    title: 'Sign Off Patch',
    german: 'Patch abzeichnen',
    does: "signs off on a patch, or goes to what you haven't read of it; you have five seconds to undo it",
    icon: 'pass',
    palette: patchSignedIn,
    menus: [
      ['view/item/context', 'inline@1', 'viewItem =~ /^patch\\.(unreviewed|changesRequested)$/'],
      ['view/item/context', '3_patch@1', 'viewItem =~ /^patch\\.(unreviewed|changesRequested)$/'],
      ['editor/title', '1_patch@1', inDocument],
    ],
  }),
  signOffAndNext: command<[patch?: Partial<SectionRef>]>({
    title: 'Sign Off Patch and Go to Next',
    german: 'Patch abzeichnen und zum nächsten gehen',
    does: 'signs off on a patch and goes on with the next one; you have five seconds to undo it there',
    palette: patchSignedIn,
    keys: [{ key: 'shift+alt+enter', when: notTyping }],
  }),
  signOffAnyway: command<[patch?: Partial<SectionRef>]>({
    title: 'Sign Off Patch Anyway',
    german: 'Patch trotzdem abzeichnen',
    does: 'signs off on a patch, also with unread sections; you have five seconds to undo it',
    palette: patchSignedIn,
  }),
  requestChanges: command<[patch?: Partial<SectionRef>]>({
    title: 'Request Changes',
    german: 'Änderungen anfordern',
    does: 'says that a patch needs work, and replaces a sign-off; you have five seconds to undo it',
    icon: 'request-changes',
    palette: patchSignedIn,
    menus: [
      ['view/item/context', '3_patch@2', 'viewItem =~ /^patch\\.(unreviewed|signedOff)$/'],
      ['editor/title', '1_patch@2', inDocument],
    ],
  }),
  /** For the file that is named and those after it, else for the first that no text explains. */
  draftSection: command<[patch?: Partial<SectionRef>]>({
    title: 'Draft Section with Language Model',
    german: 'Abschnitt mit Sprachmodell entwerfen',
    does: 'has your language model write a section for changes that no text explains, after it has shown what is sent; you save it or not',
    icon: 'sparkle',
    palette: patchSignedIn,
    menus: [['webview/context', '2_add@2', 'patchStacksSection']],
  }),
  /** Lets programs in that agents run in terminals, in each window from now on. */
  connectAgent: command({
    title: 'Connect Agent',
    german: 'Agenten verbinden',
    does: 'lets agents outside of VS Code read patch stacks and propose texts while a window is open, and copies the MCP configuration for them',
    palette: signedIn,
  }),
  disconnectAgents: command({
    title: 'Disconnect Agents',
    german: 'Agenten trennen',
    does: 'stops letting in agents from outside of VS Code',
    palette: signedIn,
  }),
  addSection: command<[section?: Partial<SectionRef>]>({
    title: 'Add Section',
    german: 'Abschnitt hinzufügen',
    does: 'inserts a text section where the focus is, or at the end of a patch',
    icon: 'add',
    palette: patchSignedIn,
    menus: [
      ['view/item/context', '4_section@1', 'viewItem =~ /^(patch|section)\\b/'],
      ['editor/title', '1_patch@3', inDocument],
      ['webview/context', '2_add@1', 'patchStacksSection'],
    ],
  }),
  /** Before the section that is named, else the one that has the focus. */
  addSectionHere: command<[section?: Partial<SectionRef>]>({
    title: 'Add Section Here',
    german: 'Abschnitt hier hinzufügen',
    does: 'inserts a text section before the file or section where the focus is, to explain what follows it',
    palette: and(signedIn, inDocument),
    menus: [['webview/context', '2_add@0', 'patchStacksSection']],
    keys: [{ key: 'shift+alt+a', when: notTyping }],
  }),
  editSection: command<[section?: Partial<SectionRef>]>({
    title: 'Edit Section',
    german: 'Abschnitt bearbeiten',
    does: 'edits a text section in place, with a preview, as do a double-click and `Enter`',
    icon: 'edit',
    palette: patchSignedIn,
    menus: [
      ['view/item/context', '4_section@2', 'viewItem == section.text'],
      ['view/item/context', 'inline@1', 'viewItem == section.text'],
      ['webview/context', '1_section@1', "patchStacksSection == 'text'"],
    ],
  }),
  editSectionInEditor: command<[section?: Partial<SectionRef>]>({
    title: 'Edit Section in Text Editor',
    german: 'Abschnitt im Texteditor bearbeiten',
    does: 'opens a text section as a separate Markdown document',
    icon: 'go-to-file',
    palette: patchSignedIn,
    menus: [
      ['view/item/context', '4_section@3', 'viewItem == section.text'],
      ['webview/context', '1_section@2', "patchStacksSection == 'text'"],
    ],
  }),
  confirmText: command<[section?: Partial<SectionRef>]>({
    title: 'Mark Section as Still True',
    german: 'Abschnitt als weiterhin zutreffend markieren',
    does: 'takes the mark away that a text is older than its code',
    palette: patchSignedIn,
  }),
  deleteSection: command<[section?: Partial<SectionRef>]>({
    title: 'Delete Section',
    german: 'Abschnitt löschen',
    does: 'at once, and can be undone',
    icon: 'trash',
    palette: patchSignedIn,
    menus: [
      ['view/item/context', '9_delete@1', 'viewItem == section.text'],
      ['webview/context', '9_delete@1', "patchStacksSection == 'text'"],
    ],
  }),
  moveSectionUp: command<[section?: Partial<SectionRef>]>({
    title: 'Move Section Up',
    german: 'Abschnitt nach oben',
    does: 'moves the section, or all selected sections, up',
    icon: 'arrow-up',
    palette: patchSignedIn,
    menus: [
      ['view/item/context', '5_move@1', 'viewItem =~ /^section\\b/'],
      ['webview/context', '3_move@1', 'patchStacksSection'],
    ],
    keys: [
      { key: 'alt+up', when: sectionFocus },
      { key: 'alt+up', when: viewFocus },
    ],
  }),
  moveSectionDown: command<[section?: Partial<SectionRef>]>({
    title: 'Move Section Down',
    german: 'Abschnitt nach unten',
    does: 'moves the section, or all selected sections, down',
    icon: 'arrow-down',
    palette: patchSignedIn,
    menus: [
      ['view/item/context', '5_move@2', 'viewItem =~ /^section\\b/'],
      ['webview/context', '3_move@2', 'patchStacksSection'],
    ],
    keys: [
      { key: 'alt+down', when: sectionFocus },
      { key: 'alt+down', when: viewFocus },
    ],
  }),
  moveSectionTo: command<[section?: Partial<SectionRef>]>({
    title: 'Move Section To…',
    german: 'Abschnitt verschieben nach …',
    does: 'moves to a position you select from a list',
    palette: patchSignedIn,
    menus: [
      ['view/item/context', '5_move@3', 'viewItem =~ /^section\\b/'],
      ['webview/context', '3_move@3', 'patchStacksSection'],
    ],
  }),
  copyId: command<[row?: ProjectRow | StackRow | SectionRef]>({
    title: 'Copy ID',
    german: 'ID kopieren',
    does: 'copies the ID of a project, patch stack, patch, or section',
    icon: 'copy',
    palette: anythingAtHand,
    menus: [['view/item/context', '8_copy@1', 'viewItem =~ /^(project|stack|patch|section)\\b/']],
  }),
  createRelease: command({
    title: 'Create Release',
    german: 'Release erstellen',
    does: 'creates a release build; suggests and checks the version and the commit',
    icon: 'tag',
    palette: signedIn,
    menus: [['view/title', '3_service@1']],
  }),
  sendFeedback: command({
    title: 'Send Feedback',
    german: 'Feedback senden',
    does: 'sends a message to the operators of the server, with the log, a repository, or files if you attach them',
    icon: 'feedback',
    palette: signedIn,
    menus: [['view/title', '3_service@2']],
  }),
  collapseAll: command({
    title: 'Collapse All',
    german: 'Alle zuklappen',
    does: 'collapses all rows of the view',
    icon: 'collapse-all',
    palette: signedIn,
    menus: [['view/title', 'navigation@3']],
  }),
  filterStacks: command({
    title: 'Filter by Status',
    german: 'Nach Status filtern',
    does: 'shows patch stacks of a status or branch, yours, those waiting for your review, or projects with open reviews',
    icon: 'filter',
    palette: signedIn,
    menus: [['view/title', 'navigation@1']],
  }),
  /** Only what is below the row, or everything: the title of the view hands over the row that has the focus. */
  refresh: command<[row?: TreeRow, what?: 'below']>({
    title: 'Refresh',
    german: 'Aktualisieren',
    does: 'reloads what is shown',
    icon: 'refresh',
    palette: signedIn,
    menus: [['view/title', 'navigation@2']],
  }),
  loadMore: command({
    title: 'Load More',
    german: 'Weitere laden',
    does: 'loads more projects',
    palette: 'patchStacks.hasMoreProjects',
  }),
  showUnsentChanges: command<[pendingId?: string]>({
    title: 'Show Unsent Changes',
    german: 'Nicht gesendete Änderungen anzeigen',
    does: "lists what the server doesn't have yet, and why: open, send, compare, take over, resolve, or discard",
    icon: 'cloud-upload',
    palette: signedIn,
  }),
  resolveConflict: command<[file?: EditorFile]>({
    title: 'Resolve Conflict',
    german: 'Konflikt lösen',
    does: "resolves a conflict in VS Code's merge editor",
    icon: 'git-merge',
    palette: signedIn,
    menus: [['editor/title', 'navigation@1', "resourceScheme == 'patch-stacks-conflict'"]],
  }),
  showRecentChanges: command({
    title: 'Show Recent Changes',
    german: 'Kürzliche Änderungen anzeigen',
    does: 'the last hundred changes of this window, with before and after, to undo',
    icon: 'history',
  }),
  showLog: command({
    title: 'Show Log',
    german: 'Protokoll anzeigen',
    does: 'requests and responses, without secrets',
  }),
  copyLink: command<[row?: ProjectRow | StackRow | SectionRef]>({
    title: 'Copy Link',
    german: 'Link kopieren',
    does: "copies a link that opens the row, patch, section, or line in anyone's VS Code",
    icon: 'link',
    palette: anythingAtHand,
    menus: [
      ['view/item/context', '8_copy@2', 'viewItem =~ /^(project|stack|patch|section)\\b/'],
      ['webview/context', '5_copy@1', 'patchStacksPart'],
    ],
    keys: [
      { key: 'shift+alt+c', when: viewFocus },
      { key: 'shift+alt+c', when: notTyping },
    ],
  }),
  openInBrowser: command<[row?: ProjectRow]>({
    title: 'Open in Browser',
    german: 'Im Browser öffnen',
    does: "opens the row's web page, if the server has one",
    icon: 'link-external',
    palette: never,
    menus: [['view/item/context', '1_open@2', 'viewItem =~ /^project.*\\.web/']],
  }),
  editRow: command<[row?: TreeRow | null]>({
    title: 'Edit',
    german: 'Bearbeiten',
    does: 'edits the selected row of the view',
    palette: never,
    keys: [{ key: 'f2', when: viewFocus }],
  }),
  deleteRow: command<[row?: TreeRow | null]>({
    title: 'Delete',
    german: 'Löschen',
    does: 'deletes what the selected row of the view stands for',
    palette: never,
    keys: [{ key: 'delete', mac: 'cmd+backspace', when: viewFocus }],
  }),
};

/** The name of a command, without the prefix. */
export type CommandName = keyof typeof commands;

/** The arguments of each command, by its name, as `runCommand` holds its callers to them. */
export type CommandArguments = { [K in CommandName]: NonNullable<(typeof commands)[K]['takes']> };

/** A function for every command: TypeScript refuses a table with one missing. */
export type CommandHandlers = { [K in CommandName]: (...args: CommandArguments[K]) => Promise<void> };

/** The id under which VS Code knows a command. */
export function commandId(name: CommandName): string {
  return `patchStacks.${name}`;
}

/** The name of a command whose id package.json contributes. */
export function commandName(id: string): CommandName {
  return id.slice('patchStacks.'.length) as CommandName;
}

/** The commands that are for something of the service. */
export type SubjectCommand = {
  [K in CommandName]: CommandArguments[K] extends readonly []
    ? never
    : CommandRow extends Required<CommandArguments[K]>[0]
      ? K
      : Required<CommandArguments[K]>[0] extends CommandRow
        ? K
        : never;
}[CommandName];

/** The subject of a command, with its places outside of the menus of rows. */
export interface Subject {
  kind: 'project' | 'stack' | 'patch' | 'section' | 'any';
  /** A button of a row: the row need not be the one that is selected, and nothing is done when VS Code has lost it. */
  hasButton?: true;
  /** The title of the view, which hands over whatever row has the focus, if any. */
  inTitle?: true;
}

/** The subject of each command that takes a row: the menus it stands in say how it gets one. */
export const subjects: Readonly<Record<SubjectCommand, Subject>> = {
  editProject: { kind: 'project' },
  deleteProject: { kind: 'project' },
  connectProject: { kind: 'project' },
  disconnectProject: { kind: 'project' },
  createStack: { kind: 'project', hasButton: true, inTitle: true },
  openBranchStack: { kind: 'project', hasButton: true, inTitle: true },
  openInBrowser: { kind: 'project' },
  editStack: { kind: 'stack' },
  closeStack: { kind: 'stack', hasButton: true },
  reopenStack: { kind: 'stack', hasButton: true },
  openStack: { kind: 'stack', hasButton: true },
  signOffUnchanged: { kind: 'stack' },
  openStackAsDocument: { kind: 'stack' },
  openStackAsMarkdown: { kind: 'stack' },
  exportStack: { kind: 'stack' },
  showPatchStatuses: { kind: 'stack', hasButton: true },
  openPatch: { kind: 'patch' },
  openChanges: { kind: 'patch' },
  compareVersions: { kind: 'patch' },
  openCommit: { kind: 'patch' },
  signOffPatch: { kind: 'patch', hasButton: true },
  signOffAndNext: { kind: 'patch' },
  signOffAnyway: { kind: 'patch' },
  requestChanges: { kind: 'patch' },
  draftSection: { kind: 'patch' },
  addSection: { kind: 'section' },
  addSectionHere: { kind: 'section' },
  editSection: { kind: 'section', hasButton: true },
  editSectionInEditor: { kind: 'section' },
  confirmText: { kind: 'section' },
  deleteSection: { kind: 'section' },
  moveSectionUp: { kind: 'section' },
  moveSectionDown: { kind: 'section' },
  moveSectionTo: { kind: 'section' },
  copyId: { kind: 'any' },
  nextUnread: { kind: 'any' },
  previousUnread: { kind: 'any' },
  nextUnexplained: { kind: 'any' },
  copyLink: { kind: 'any' },
};
