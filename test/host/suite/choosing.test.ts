/** Lists to choose from that take a while to load. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { asking } from '../../../src/ui/asking.ts';
import { choose } from '../../../src/ui/choose.ts';
import { chooseSeveral } from '../../../src/ui/chooseSeveral.ts';
import { until } from '../../support/until.ts';

describe('a list that is still loading', () => {
  const escape = (): Thenable<unknown> => vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  const question = { title: 'Title', placeholder: 'Select something', empty: 'Nothing' };
  const row = { label: 'Row', choice: { value: 1 } };

  for (const [name, ask] of [
    ['of which one is chosen', (load: () => Promise<(typeof row)[]>) => choose({ ...question, load })],
    ['of which several are', (load: () => Promise<(typeof row)[]>) => chooseSeveral({ ...question, load })],
  ] as const) {
    it(`is given up with Escape, and does not come back: one ${name}`, async () => {
      const rows = Promise.withResolvers<(typeof row)[]>();
      const chosen = assert.rejects(
        ask(() => rows.promise),
        { name: 'CancelledError' },
      );
      // VS Code has shown it when it has answered something that was asked after it.
      await vscode.commands.executeCommand('setContext', 'patchStacks.test', 1);
      await escape();
      await chosen;
      rows.resolve([row]);
    });

    it(`waits for what else the person is asked meanwhile: one ${name}`, async () => {
      const rows = Promise.withResolvers<(typeof row)[]>();
      const hidden = Promise.withResolvers<null>();
      const chosen = ask(async () => {
        await asking(async () => {
          const box = vscode.window.createInputBox();
          box.onDidHide(() => hidden.resolve(null));
          box.show();
          await hidden.promise;
          box.dispose();
        });
        return rows.promise;
      });
      await vscode.commands.executeCommand('setContext', 'patchStacks.test', 2);
      await escape();
      await hidden.promise;
      rows.resolve([row]);
      const accepted: unknown[] = [];
      void chosen.then((value) => accepted.push(value));
      // It is there once VS Code takes an Enter for it.
      await until(async () => {
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return accepted.length > 0;
      });
      assert.deepEqual(accepted.flat(), [1]);
    });
  }
});
