/**
 * A process that holds pending changes of the folder it is given: types what it is told to, and answers with all that it knows
 * of.
 */
import { PendingChanges } from '../../src/model/pending/pendingChanges.ts';
import { Model } from '../../src/model/model.ts';

const [, , folder] = process.argv;
const ask = async (): Promise<never> => {
  throw new Error('nobody asks the service here');
};
const pendingChanges = new PendingChanges({ ask, model: new Model(ask), lookIntervalMs: 50 });

process.on('message', (message: { type: string }) => {
  void (async () => {
    await pendingChanges.activate(folder);
    const subject = {
      kind: 'sectionText' as const,
      patch: { stackUuid: 'stack', changeId: 'change' },
      code: 'a',
    };
    pendingChanges.put(subject, { base: '', text: message.type }, 'A section');
    await pendingChanges.flush();
    await pendingChanges.reload();
    await pendingChanges.flush();
    process.send?.(
      pendingChanges.list().map(({ content, heldBy }) => `${(content as { text: string }).text} ${heldBy}`),
    );
  })();
});
