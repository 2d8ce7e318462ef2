/** A process that writes so many marks into the records of the folder it is given, and into its snapshots. */
import { ReadingRecords } from '../../src/model/reading/readingRecords.ts';

const [, , folder = '', name = '', count = '0'] = process.argv;
const records = new ReadingRecords(folder, (error) => {
  throw error;
});
for (let index = 0; index < Number(count); index += 1) {
  await records.update({ projectId: '1', branchId: 'topic' }, ({ patches, elsewhere }) => ({
    elsewhere,
    patches: [
      ...patches,
      {
        changeId: `${name} ${index}`,
        fingerprint: '',
        wording: '',
        content: '',
        hunks: [],
        isPending: false,
        readAt: index,
      },
    ],
  }));
}
