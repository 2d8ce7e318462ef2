import assert from 'node:assert/strict';
import { AtHand } from '../../../src/model/atHand.ts';
import { FollowDocument } from '../../../src/tree/followDocument.ts';
import type { Node, PatchNode, SectionNode } from '../../../src/tree/nodes.ts';
import { silentLog } from '../../support/silentLog.ts';

const serverUrl = 'https://one.example/api/';
const place = (changeId: string) => ({ serverUrl, projectId: 'P', stackUuid: 'S', changeId });
const rowOf = (changeId: string): PatchNode => ({
  kind: 'patch',
  id: `patch:${changeId}`,
  parent: undefined,
  patch: { changeId, contributors: [] },
  ...place(changeId),
});

describe('the row of the document', () => {
  let atHand: AtHand;
  let asked: string[];
  let revealed: [string, unknown][];
  let selection: Node[];
  let visible: boolean;
  let isOn: boolean;
  let listed: boolean;
  /** Rows of whose selection VS Code tells before it selects that of the document. */
  let clicked: Node[];
  let failure: Error | undefined;
  let refusal: Error | undefined;
  /** What the person does before VS Code selects a row. */
  let meanwhile: (() => Promise<void>) | undefined;
  let following: FollowDocument;

  beforeEach(() => {
    atHand = new AtHand();
    asked = [];
    revealed = [];
    selection = [];
    visible = true;
    isOn = true;
    listed = true;
    [clicked, failure, refusal, meanwhile] = [[], undefined, undefined, undefined];
    following = new FollowDocument(
      {
        get visible() {
          return visible;
        },
        get selection() {
          return selection;
        },
        reveal: async (row, options) => {
          revealed.push([row.id, options]);
          await meanwhile?.();
          if (refusal) {
            throw refusal;
          }
          [...clicked, row].forEach((one) => following.noteSelected(one));
          selection = [row];
        },
      },
      {
        patchRow: async ({ changeId }) => {
          asked.push(changeId);
          if (failure) {
            throw failure;
          }
          return listed ? rowOf(changeId) : undefined;
        },
      },
      atHand,
      () => isOn,
      silentLog,
    );
  });

  it('is selected, without the focus', async () => {
    atHand.show(place('A'));
    await following.follow();
    assert.deepEqual(revealed, [['patch:A', { select: true, focus: false, expand: false }]]);
    assert.ok(following.hasSelected(rowOf('A')));
    assert.ok(!following.hasSelected(rowOf('B')));
    following.noteSelected(rowOf('A'));
    assert.ok(!following.hasSelected(rowOf('A')), 'the next time it is the person');
  });

  it('is known to be selected for the document also where a click is told in between', async () => {
    clicked = [rowOf('B')];
    atHand.show(place('A'));
    await following.follow();
    assert.ok(following.hasSelected(rowOf('A')));
    following.noteSelected(undefined);
    assert.ok(!following.hasSelected(rowOf('A')));
  });

  for (const fails of [false, true]) {
    it(`is selected again where the person has clicked it before VS Code ${fails ? 'fails to select' : 'selects'} that of the document before`, async () => {
      meanwhile = async () => {
        meanwhile = undefined;
        selection = [rowOf('B')];
        following.noteSelected(rowOf('B'));
        atHand.select(place('B'));
        await following.follow();
        atHand.show(place('B'));
        await following.follow();
        if (fails) {
          // What is drawn again may have lost its selection.
          selection = [];
          throw new Error('drawn again');
        }
      };
      atHand.show(place('A'));
      await following.follow();
      assert.deepEqual(
        revealed.map(([id]) => id),
        ['patch:A', 'patch:B'],
      );
      assert.ok(following.hasSelected(rowOf('B')));
    });
  }

  it('is left unselected where the person has selected another row, and opened nothing, meanwhile', async () => {
    meanwhile = async () => {
      meanwhile = undefined;
      atHand.select(place('B'));
      await following.follow();
    };
    atHand.show(place('A'));
    await following.follow();
    assert.equal(revealed.length, 1);
  });

  it('is selected as soon as VS Code knows it again', async () => {
    refusal = new Error('drawn again');
    let refusals = 0;
    meanwhile = async () => {
      refusals += 1;
      if (refusals === 3) {
        refusal = undefined;
      }
    };
    atHand.show(place('A'));
    await following.follow();
    assert.deepEqual([asked, refusals], [['A', 'A', 'A'], 3]);
    assert.ok(following.hasSelected(rowOf('A')));
  });

  it('is left unselected where the person has turned to something else, or hidden the view, before VS Code knows it again', async () => {
    for (const turn of [() => atHand.select(place('B')), () => (visible = false)]) {
      refusal = new Error('drawn again');
      meanwhile = async () => {
        turn();
        await following.follow();
      };
      atHand.show(place('A'));
      await following.follow();
      assert.deepEqual(revealed.splice(0).length, 1);
    }
  });

  it('is asked for once where that fails', async () => {
    failure = new Error('offline');
    atHand.show(place('A'));
    await following.follow();
    assert.deepEqual([asked, revealed], [['A'], []]);
  });

  it('is selected by the person where VS Code could not select it', async () => {
    clicked = [rowOf('B')];
    refusal = new Error('drawn again');
    meanwhile = async () => {
      visible = false;
    };
    atHand.show(place('A'));
    await following.follow();
    following.noteSelected(rowOf('A'));
    assert.ok(!following.hasSelected(rowOf('A')));
  });

  it('is not asked for while the view is hidden, and selected when it is shown', async () => {
    visible = false;
    atHand.show(place('A'));
    await following.follow();
    atHand.show(place('B'));
    await following.follow();
    assert.deepEqual([asked, revealed], [[], []]);
    visible = true;
    await following.follow();
    assert.deepEqual(
      revealed.map(([id]) => id),
      ['patch:B'],
    );
  });

  it('does not show a view that is hidden while the row is looked for', async () => {
    atHand.show(place('A'));
    const followed = following.follow();
    visible = false;
    await followed;
    assert.deepEqual(revealed, []);
  });

  it('is selected once for each time that the person turns to the document', async () => {
    atHand.show(place('A'));
    await following.follow();
    selection = [];
    atHand.show(place('A'));
    await following.follow();
    assert.equal(revealed.length, 1, 'a refresh brings nothing back into view');
    atHand.select(place('B'));
    await following.follow();
    atHand.show(place('A'));
    await following.follow();
    assert.equal(revealed.length, 2);
  });

  it('stays unselected while one of its sections is', async () => {
    const section = {
      ...rowOf('A'),
      kind: 'section',
      id: 'section:1',
      sectionCode: '1',
    } as unknown as SectionNode;
    selection = [section];
    atHand.show(place('A'));
    await following.follow();
    assert.deepEqual(revealed, []);
  });

  it('is left alone when the setting is off, or the row is not listed', async () => {
    isOn = false;
    atHand.show(place('A'));
    await following.follow();
    assert.deepEqual(asked, []);
    isOn = true;
    listed = false;
    await following.follow();
    assert.deepEqual([asked, revealed], [['A'], []]);
  });

  it('is that of the document which the person has turned to meanwhile', async () => {
    atHand.show(place('A'));
    const first = following.follow();
    atHand.show(place('B'));
    await Promise.all([first, following.follow()]);
    assert.deepEqual(
      revealed.map(([id]) => id),
      ['patch:B'],
    );
  });
});
