import assert from 'node:assert/strict';
import { Database } from '../../../src/service/storage/database.ts';
import { copyPatches, insertPatch } from '../../../src/service/storage/patches.ts';
import { createProject } from '../../../src/service/storage/projects.ts';
import { storeDiff } from '../../../src/service/storage/sections.ts';
import { createStack } from '../../../src/service/storage/stacks.ts';
import { createUser } from '../../../src/service/storage/users.ts';

/** The columns that say which row a copy is, and of which it is one. */
const ofTheCopy = new Set(['id', 'patch_id', 'stack_uuid', 'updated_at']);

describe('a copy of the patches of a stack', () => {
  for (const table of ['patches', 'sections', 'patch_marks', 'patch_contributors']) {
    it(`has all that the rows of ${table} have`, () => {
      const database = new Database(':memory:');
      const { id: userId } = createUser(database, { name: 'Ada', email: 'ada@example.com' });
      const projectId = createProject(database, { owner: 'ada', slug: 'p', name: 'p' }, [userId]).id;
      const [from = '', to = ''] = [1, 2].map(() => {
        const stack = { projectId, branchId: 'feature', oplogSha: 'f'.repeat(40), title: 'feature' };
        return createStack(database, { ...stack, status: 'active' }).uuid;
      });
      const patchId = insertPatch(database, {
        stackUuid: from,
        changeId: 'I1',
        commitSha: 'c'.repeat(40),
        patchSha: 'p',
        title: 'Patch',
        messageBody: 'Why.',
        completeness: 'incomplete',
        authorKey: 'a',
        position: 0,
        createdAt: 1,
        fileCount: 2,
        lines: 3,
        deletions: 4,
        contributors: [],
      });
      const columns = database
        .query<{ name: string; type: string }>(`SELECT name, type FROM pragma_table_info('${table}')`)
        .all();
      if (table !== 'patches') {
        const own = new Map<string, string | number>([
          ['patch_id', patchId],
          ['user_id', userId],
          ['section_type', 'text'],
          ['diff_sha', 'd'],
        ]);
        storeDiff(database, 'd', '+x\n');
        // Each column has something, and no two the same.
        const values = columns.map(
          ({ name, type }, index) => own.get(name) ?? (type === 'INTEGER' ? 100 + index : `${name}.`),
        );
        const places = columns.map(() => '?').join();
        database.run(
          `INSERT INTO ${table} (${columns.map(({ name }) => name).join()}) VALUES (${places})`,
          ...values,
        );
      }
      copyPatches(database, from, to);
      const rows = database.query<Record<string, unknown>>(`SELECT * FROM ${table}`).all();
      const [row, copy] = rows.map((one) =>
        Object.fromEntries(Object.entries(one).filter(([name]) => !ofTheCopy.has(name))),
      );
      assert.equal(rows.length, 2);
      assert.deepEqual(copy, row);
      assert.ok(Object.keys(row ?? {}).length > 2);
    });
  }
});
