import assert from 'node:assert/strict';
import { nameColor } from '../../../tools/pictures/drawingColors.ts';
import { colorNames } from '../../../tools/pictures/drawingTheme.ts';

describe('the colors of a drawing', () => {
  const rgbOf = (name: string): number[] => {
    const [hex = ''] = [...colorNames].find(([, one]) => one === name) ?? [];
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  };
  const front = rgbOf('--vscode-foreground');
  const behind = rgbOf('--vscode-editor-background');

  it('are those of the theme, also where they are transparent', () => {
    assert.deepEqual(nameColor(`rgb(${front.join(', ')})`), { color: 'var(--vscode-foreground)', alpha: 1 });
    const parts = behind.map((part) => part / 255).join(' ');
    assert.deepEqual(nameColor(`color(srgb ${parts} / 0.69)`), {
      color: 'var(--vscode-editor-background)',
      alpha: 0.69,
    });
  });

  it('are mixtures of two', () => {
    const mixed = front.map((part, index) => (part * 14 + (behind[index] ?? 0) * 86) / 100 / 255);
    assert.deepEqual(nameColor(`color(srgb ${mixed.join(' ')})`), {
      color: 'color-mix(in srgb,var(--vscode-editor-background) 86%,var(--vscode-foreground))',
      alpha: 1,
    });
  });

  it('are no others', () => {
    assert.throws(() => nameColor('rgb(200, 10, 90)'), /doesn't have rgb\(200, 10, 90\)/);
  });

  it('are each there once', () => {
    const colors = new Set(colorNames.values());
    for (const name of [
      '--vscode-foreground',
      '--vscode-editor-background',
      '--vscode-debugTokenExpression-string',
    ]) {
      assert.ok(colors.has(name), name);
    }
  });
});
