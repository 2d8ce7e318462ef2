/** Tells which color of VS Code a color is that is seen in the theme of drawings. */
import { colorNames } from './drawingTheme.ts';

type Rgb = readonly [red: number, green: number, blue: number];

const named = [...colorNames].map(([hex, name]) => ({
  name: `var(${name})`,
  rgb: [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb,
}));

/**
 * Names a color as a style sheet does: one of VS Code's, or a mixture of two.
 *
 * @param computed as browsers say what a color has come to.
 * @throws when it is neither.
 */
export function nameColor(computed: string): { color: string; alpha: number } {
  const { rgb, alpha } = parsed(computed);
  const exact = named.find((one) => distance(one.rgb, rgb) < 0.5);
  if (exact) {
    return { color: exact.name, alpha };
  }
  for (const one of named) {
    for (const other of named) {
      const share = shareOf(one.rgb, other.rgb, rgb);
      if (share !== undefined) {
        return { color: `color-mix(in srgb,${one.name} ${share}%,${other.name})`, alpha };
      }
    }
  }
  throw new Error(`The theme of drawings doesn't have ${computed}.`);
}

function parsed(computed: string): { rgb: Rgb; alpha: number } {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (computed.match(/-?[\d.]+(?:e-\d+)?/g) ?? []).map(Number);
  const most = computed.startsWith('color(') ? 255 : 1;
  return { rgb: [red * most, green * most, blue * most], alpha };
}

function distance(one: Rgb, other: Rgb): number {
  return Math.max(...one.map((value, index) => Math.abs(value - (other[index] ?? 0))));
}

/** In percent, whole: how much of one color is in a mixture with another, if it is one. */
function shareOf(one: Rgb, other: Rgb, mixed: Rgb): number | undefined {
  const [from, to, is] = [other[1], one[1], mixed[1]];
  const share = from === to ? 0 : Math.round(((is - from) / (to - from)) * 100);
  if (share <= 0 || share >= 100) {
    return undefined;
  }
  const expected = one.map((value, index) => (value * share + (other[index] ?? 0) * (100 - share)) / 100);
  return distance(expected as unknown as Rgb, mixed) < 0.001 ? share : undefined;
}
