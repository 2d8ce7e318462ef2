import assert from 'node:assert/strict';
import { keyLabel } from '../../../src/util/keyLabel.ts';

describe('the label of keys', () => {
  it('names each as a person says it, chord after chord', () => {
    assert.equal(keyLabel('f7'), 'F7');
    assert.equal(keyLabel('ctrl+shift+down'), 'Ctrl+Shift+Down');
    assert.equal(keyLabel('ctrl+k enter'), 'Ctrl+K Enter');
    assert.equal(keyLabel('shift+alt+pageup'), 'Shift+Alt+PageUp');
    assert.equal(keyLabel('ctrl+cmd+up'), 'Ctrl+Command+Up');
  });
});
