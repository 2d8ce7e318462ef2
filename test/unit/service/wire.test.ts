import assert from 'node:assert/strict';
import { sectionRecord, type View } from '../../../src/service/wire.ts';
import { Database } from '../../../src/service/storage/database.ts';
import type { OtherVersions, SectionRow } from '../../../src/service/storage/sections.ts';
import { createUser } from '../../../src/service/storage/users.ts';

describe('a section as it goes over the wire', () => {
  it('says whose the text is with which others conflict, as far as they are known, and to whom it is their own', () => {
    const database = new Database(':memory:');
    const ada = createUser(database, { name: 'Ada', email: 'ada@example.com' });
    const bob = createUser(database, { name: '', email: 'bob@example.com' });
    const other = { id: 'one', text: 'Other.', before: 'Before.', heads: ['head'], at: 0 };
    const seenBy = (user: View['user'], versions: OtherVersions | null) => {
      const section = {
        section_type: 'text',
        text: 'Shown.',
        versions: versions && JSON.stringify(versions),
      };
      const record = sectionRecord({ database, origin: '', user }, section as SectionRow);
      return 'versions' in record ? record.versions : undefined;
    };
    const served = { id: 'one', data: 'Other.', before: 'Before.', written_at: '1970-01-01T00:00:00.000Z' };
    const versions: OtherVersions = { by: ada.id, others: [{ ...other, by: bob.id }], decided: ['head'] };
    const others = [{ ...served, by: 'bob@example.com' }];
    assert.deepEqual(seenBy(ada, versions), { is_own: true, by: 'Ada', others });
    assert.deepEqual(seenBy(bob, versions), { is_own: false, by: 'Ada', others });
    const unknown: OtherVersions = { by: null, others: [{ ...other, by: null }], decided: [] };
    assert.deepEqual(seenBy(ada, unknown), { is_own: false, others: [served] });
    assert.equal(seenBy(ada, { ...versions, others: [] }), undefined);
    assert.equal(seenBy(ada, null), undefined);
  });
});
