import assert from 'node:assert/strict';
import { ChosenFiles } from '../../../src/feedback/chosenFiles.ts';

describe('files that a page names', () => {
  it('go along when the person has chosen them, and not otherwise', () => {
    const chosen = new ChosenFiles();
    assert.deepEqual(chosen.among(['/etc/passwd', '/home/ada/.ssh/id_rsa']), []);
    chosen.add(['/home/ada/report.txt']);
    assert.deepEqual(chosen.among(['/etc/passwd', '/home/ada/report.txt', '/home/ada/report.txt2']), [
      '/home/ada/report.txt',
    ]);
    assert.deepEqual(chosen.among(['/a', '/b'], ['/b']), ['/b']);
  });
});
