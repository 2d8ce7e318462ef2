/** What the person has in front of them, for pages that come by themselves: these cover nothing that was opened meanwhile. */
import * as vscode from 'vscode';

/** The tab in which the person is. */
export function tabInFront(): vscode.Tab | undefined {
  return vscode.window.tabGroups.activeTabGroup.activeTab;
}

/** True when no editor is open but the one that VS Code welcomes people with. */
export function isNothingOpen(): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.every(({ input }) => input === undefined);
}

/** Notes where the person is. @returns what tells, whenever it is asked, whether they are still there, or nothing is open. */
export function stillInFront(): () => boolean {
  const before = tabInFront();
  return () => tabInFront() === before || isNothingOpen();
}
