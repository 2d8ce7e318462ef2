/** A process that holds drafts of the folder it is given: types what it is told to, and answers with all that it knows of. */
import { Drafts } from '../../src/model/pending/pendingChanges.ts';
import { Model } from '../../src/model/model.ts';

const [, , folder] = process.argv;
const ask = async (): Promise<never> => {
  throw new Error('nobody asks the service here');
};
const drafts = new Drafts({ ask, model: new Model(ask), lookInterval: 50 });

process.on('message', (message: { type: string }) => {
  void (async () => {
    await drafts.activate(folder);
    const subject = {
      kind: 'sectionText' as const,
      patch: { stackUuid: 'stack', changeId: 'change' },
      code: 'a',
    };
    drafts.put(subject, { base: '', text: message.type }, 'A section');
    await drafts.flush();
    await drafts.reload();
    await drafts.flush();
    process.send?.(
      drafts.list().map(({ content, heldBy }) => `${(content as { text: string }).text} ${heldBy}`),
    );
  })();
});
