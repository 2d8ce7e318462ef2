/**
 * The tabs that VS Code has kept over a reload of the window, and fills again once somebody looks at them. Until then it tells an
 * extension no more of one than its kind and its label, and lets nobody bring it to the front but by its place.
 */
import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import { pause } from '../util/pause.ts';
import { isTabOf, type PagePanel } from './pagePanel.ts';

/** Milliseconds that VS Code has to fill a tab which it was told to show, until it is done without. */
const filledInMs = 1_000;

/** How VS Code's commands name groups of editors, in the order of their columns; more than these hardly anybody has. */
const groupNames = ['First', 'Second', 'Third', 'Fourth'];

/** Those of a kind of page of which there are several. */
export class UnfilledTabs implements Disposable {
  readonly #viewType: string;
  readonly #others: () => readonly Pick<PagePanel, 'title'>[];
  readonly #filled = new Emitter<null>();

  /** @param others the tabs of this kind that are filled. */
  constructor(viewType: string, others: () => readonly Pick<PagePanel, 'title'>[]) {
    this.#viewType = viewType;
    this.#others = others;
  }

  /** Notes that a tab was filled. */
  noteFilled(): void {
    this.#filled.fire(null);
  }

  /** Has VS Code show and fill the tabs that may be the one which is wanted, one after another, until that is there. */
  async fill(label: string, isThere: () => boolean): Promise<void> {
    for (const tab of isThere() ? [] : this.#called(label)) {
      const shown = new AbortController();
      const subscription = this.#filled.event(() => isThere() && shown.abort());
      try {
        await show(tab);
        await pause(filledInMs, shown.signal);
      } finally {
        subscription.dispose();
      }
      if (isThere()) {
        return;
      }
    }
  }

  dispose(): void {
    this.#filled.dispose();
  }

  /** The tabs of a label, if they are more than those that are filled. */
  #called(label: string): vscode.Tab[] {
    const [tabs, others] = [tabsOf(this.#viewType), this.#others()];
    const called = tabs.filter((tab) => tab.label === label);
    // VS Code tells of a new label a moment later: a filled tab may still have its old one, but there are no more tabs for that.
    const isUnfilled =
      tabs.length > others.length && called.length > others.filter(({ title }) => title === label).length;
    return isUnfilled ? called : [];
  }
}

/** Closes a tab of something that is open in another one by now. @param reveal shows that, where the person has just looked at this one. */
export function giveWay(panel: PagePanel, reveal: () => void): void {
  if (panel.active) {
    reveal();
  }
  panel.dispose();
}

/** Closes those of a page of which there is one: where another one takes its place, nobody has looked at them. */
export async function closeUnfilled(viewType: string): Promise<void> {
  // One that is looked at is about to be filled.
  const tabs = tabsOf(viewType).filter(({ isActive }) => !isActive);
  if (tabs.length > 0) {
    await vscode.window.tabGroups.close(tabs, true);
  }
}

function tabsOf(viewType: string): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => isTabOf(viewType, tab)));
}

async function show(tab: vscode.Tab): Promise<void> {
  const { group } = tab;
  const name = groupNames[group.viewColumn - 1];
  if (name !== undefined) {
    await vscode.commands.executeCommand(`workbench.action.focus${name}EditorGroup`);
    await vscode.commands.executeCommand('workbench.action.openEditorAtIndex', group.tabs.indexOf(tab));
  }
}
