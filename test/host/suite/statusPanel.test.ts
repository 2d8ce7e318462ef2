import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../src/api/client.ts';
import type { PatchStack } from '../../../src/api/types/stacks.ts';
import type { AskService } from '../../../src/model/askService.ts';
import { Model } from '../../../src/model/model.ts';
import type { Connection } from '../../../src/session/connection.ts';
import { StatusPanel } from '../../../src/stacks/statusPanel.ts';
import { PagePanel } from '../../../src/ui/pagePanel.ts';
import { silentLog } from '../../support/silentLog.ts';
import { TestedForm } from './testedForm.ts';

describe('the table of patch statuses', () => {
  const { extensionUri } = vscode.extensions.getExtension('patch-stacks.patch-stacks')!;
  const serverUrl = 'https://one.test/api';
  const stackOf = (branchId: string): PatchStack => ({
    uuid: `stack of ${branchId}`,
    branchId,
    title: branchId,
    contributors: [],
    patches: [{ changeId: `patch of ${branchId}`, title: branchId, contributors: [] }],
  });

  it('is of the branch that was asked for last, however late the answer about another comes', async () => {
    const answers = new Map<string, PromiseWithResolvers<PatchStack>>();
    const ask = ((operation: (client: ApiClient) => unknown) =>
      Promise.resolve(
        operation({
          news: { isOffered: false },
          stacks: {
            patchStatuses: (_project: string, branchId: string) => {
              const answer = Promise.withResolvers<PatchStack>();
              answers.set(branchId, answer);
              return answer.promise;
            },
          },
        } as unknown as ApiClient),
      )) as AskService;
    const model = new Model(ask);
    const statuses = new StatusPanel({
      extensionUri,
      connection: { activeServer: serverUrl, requireServer: () => serverUrl } as unknown as Connection,
      model,
      log: silentLog,
    });
    try {
      const page = Object.assign(new TestedForm(), { active: true, visible: true, reveal: () => undefined });
      const panel = new PagePanel(page as unknown as vscode.WebviewPanel);
      statuses.restore(panel, { serverUrl, projectId: 'project', branchId: 'first' });
      const load = page.ask('load', null);
      await statuses.show({ serverUrl, projectId: 'project', branchId: 'second' });
      assert.deepEqual(page.asked, ['reload']);
      answers.get('first')?.resolve(stackOf('first'));
      // It is asked for by then.
      await new Promise((resolve) => setImmediate(resolve));
      answers.get('second')?.resolve(stackOf('second'));
      assert.partialDeepStrictEqual(await load, {
        title: 'second',
        patches: [{ changeId: 'patch of second' }],
      });
    } finally {
      statuses.dispose();
      model.dispose();
    }
  });
});
