import assert from 'node:assert/strict';
import { stackPageState } from '../../../src/stacks/stackPageState.ts';

describe('a stack as its pages keep it', () => {
  const kept = { serverUrl: 'https://one.example/api/', projectId: 'P' };
  const state = (branchId?: string) =>
    stackPageState(kept.serverUrl, kept.projectId, {
      uuid: 'S',
      title: 'Feature',
      contributors: [],
      ...(branchId !== undefined && { branchId }),
    });

  it('is known by its branch, where the service tells that, and by its version', () => {
    assert.deepEqual(state('feature'), { ...kept, branchId: 'feature', stackUuid: 'S' });
    assert.deepEqual(state(), { ...kept, stackUuid: 'S' });
  });
});
