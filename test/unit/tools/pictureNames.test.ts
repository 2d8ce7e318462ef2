import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  keyOfPicture,
  namesAmong,
  productTexts,
  readPictureNames,
} from '../../../tools/pictures/pictureNames.ts';
import { root } from '../../../tools/provision.ts';

describe('the pictures of the README and the walkthrough', () => {
  const names = readPictureNames();

  it('have each the names noted that they show', () => {
    const pictures = globSync('{screenshots,walkthrough}/*.{webp,svg}', { cwd: path.join(root, 'media') });
    assert.ok(pictures.length > 20);
    assert.deepEqual(Object.keys(names).sort(), [...new Set(pictures.map(keyOfPicture))].sort());
    // Of the editor there is nothing but icons in one, and in its drawing.
    assert.ok(Object.values(names).filter((shown) => shown.length === 0).length <= 2);
    assert.ok(names['screenshots/changed']?.includes('Show Whole Patch'));
  });

  it('show no name that the product does not have: npm run screenshots', () => {
    const texts = productTexts();
    const gone = Object.entries(names).flatMap(([picture, shown]) =>
      shown.filter((name) => !texts.has(name)).map((name) => `${picture}: ${name}`),
    );
    assert.deepEqual(gone, []);
  });
});

describe('the drawings of the walkthrough', () => {
  const folder = path.join(root, 'media/walkthrough');
  const drawings = globSync('*.svg', { cwd: folder });

  it('have the colors and fonts of the theme that they are seen in, and no others', () => {
    assert.equal(drawings.length, 6);
    for (const name of drawings) {
      const drawing = readFileSync(path.join(folder, name), 'utf8');
      const looks = [...drawing.matchAll(/ (?:fill|stroke|font-family)="([^"]*)"/g)].map(
        ([, look = '']) => look,
      );
      assert.ok(looks.length > 20, name);
      const own = looks.filter(
        (look) => !/^(?:none|var\(--vscode-.*\)|color-mix\(.*\bvar\(.*\))$/.test(look),
      );
      assert.deepEqual(own, [], name);
      // VS Code's page lets them have none of these.
      assert.doesNotMatch(drawing, /<style|<image|<script| style=/, name);
    }
  });
});

describe('the names in a picture', () => {
  const texts = new Set([
    'Sign Off',
    '{0} of {1} read',
    '{0} read',
    '{0}',
    'unread',
    'checked out',
    'Sign In',
    'Outline',
  ]);

  it('are the texts of the product that were on screen, also with values and among others', () => {
    const seen = [
      'Sign Off',
      '2 of 5 read',
      'checked out · unread · v1',
      'Patch Stacks: Sign In',
      'Sections: 2 read',
    ];
    assert.deepEqual(
      namesAmong(seen, texts),
      ['Sign Off', '{0} of {1} read', '{0} read', 'checked out', 'Sign In', 'unread'].sort(),
    );
  });

  it('are none of what others wrote', () => {
    assert.deepEqual(namesAmong(['src/client.ts', 'Outlines', 'Sign Off tomorrow'], texts), []);
  });
});
