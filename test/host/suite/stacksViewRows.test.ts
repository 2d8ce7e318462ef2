import assert from 'node:assert/strict';
import { DataTransfer, DataTransferItem, CancellationTokenSource } from 'vscode';
import { isLost, rowOfMenuOrKey } from '../../../src/tree/commandRow.ts';
import type { PatchNode, SectionNode } from '../../../src/tree/nodes.ts';
import { sectionDragAndDrop } from '../../../src/tree/sectionDragAndDrop.ts';
import { CancelledError } from '../../../src/ui/commands.ts';
import type { SectionRef } from '../../../src/util/patchRef.ts';

describe('the row of a command', () => {
  const row = { id: 'project:1' };
  const nobody = async (): Promise<never> => {
    throw new Error('The focus was asked for.');
  };

  it('is the one that VS Code hands over, and none from the palette', async () => {
    assert.equal(await rowOfMenuOrKey([row], nobody), row);
    assert.equal(await rowOfMenuOrKey<typeof row>([], nobody), undefined);
  });

  it('is the one with the focus, when VS Code does not know the row of a menu or of a key', async () => {
    for (const lost of [undefined, null]) {
      assert.equal(await rowOfMenuOrKey([lost], async () => row), row);
      await assert.rejects(
        rowOfMenuOrKey([lost], async () => undefined),
        CancelledError,
      );
    }
    // As VS Code calls it: with the other selected rows behind it.
    assert.ok(isLost([undefined, undefined]));
    assert.ok(!isLost([row]));
    assert.ok(!isLost([]));
  });
});

describe('dragging a section', () => {
  const token = new CancellationTokenSource().token;
  const patch = {
    kind: 'patch',
    id: 'p',
    parent: undefined,
    serverUrl: 'https://x',
    stackUuid: 's',
    changeId: 'I1',
    patch: { changeId: 'I1', contributors: [] },
  } as PatchNode;
  const section = (code: string): SectionNode => ({
    ...patch,
    kind: 'section',
    id: `p/section:${code}`,
    parent: patch,
    sectionCode: code,
    section: { sectionType: 'text', code, identifier: code },
  });
  const [first, second] = [section('a'), section('b')];
  patch.children = [first, second];
  let told: string[];
  let ordered: [SectionRef, readonly string[]][];
  const controller = sectionDragAndDrop(
    { holdStill: () => told.push('still'), release: () => told.push('released') },
    async (...order) => {
      told.push('reordered');
      ordered.push(order);
    },
  );

  beforeEach(() => {
    told = [];
    ordered = [];
  });

  it('keeps the rows still until it is dropped, and then gives the sections their order', async () => {
    const transfer = new DataTransfer();
    await controller.handleDrag?.([first], transfer, token);
    assert.deepEqual(told, ['still']);
    await controller.handleDrop?.(second, transfer, token);
    assert.deepEqual(told, ['still', 'released', 'reordered']);
    assert.deepEqual(ordered, [[patch, ['b', 'a']]]);
  });

  it('lets the rows go on when it is dropped where it cannot be', async () => {
    const transfer = new DataTransfer();
    await controller.handleDrag?.([first], transfer, token);
    await controller.handleDrop?.(undefined, transfer, token);
    assert.deepEqual(told, ['still', 'released']);
  });

  it('is not begun by rows of other kinds, and takes nothing that comes from elsewhere', async () => {
    const transfer = new DataTransfer();
    await controller.handleDrag?.([patch], transfer, token);
    assert.deepEqual(told, []);
    for (const text of ['', '{"id":1}', '[1]', '["other"]']) {
      const [type] = controller.dropMimeTypes;
      transfer.set(type ?? '', new DataTransferItem(text));
      await controller.handleDrop?.(second, transfer, token);
    }
    assert.deepEqual(ordered, []);
  });
});
