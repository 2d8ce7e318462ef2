/** Keeps colors readable on the backgrounds that they stand on. */

/** Red, green and blue up to 255, and the opacity up to 1. */
type Color = readonly [number, number, number, number];

/** The contrast that text needs to be read by nearly everybody, by WCAG 2.2 (AA). */
const enough = 4.5;

/** Steps from a color to black or white. */
const steps = 20;

/** A color as style sheets and themes write it; undefined for one in another way. */
export function readColor(text: string): Color | undefined {
  const [, hex] = /^\s*#([0-9a-f]{3,8})\s*$/i.exec(text) ?? [];
  if (hex !== undefined) {
    const long = hex.length <= 4 ? hex.replaceAll(/./g, '$&$&') : hex;
    const parts = [0, 2, 4, 6].map((at) => Number.parseInt(long.slice(at, at + 2) || 'ff', 16));
    const [red = 0, green = 0, blue = 0, alpha = 255] = parts;
    return long.length === 6 || long.length === 8 ? [red, green, blue, alpha / 255] : undefined;
  }
  const [, numbers] = /^\s*rgba?\(([\d., ]{1,60})\)\s*$/.exec(text) ?? [];
  const parts = numbers?.split(',').map(Number) ?? [];
  const [red, green, blue, alpha = 1] = parts;
  return red === undefined || green === undefined || blue === undefined || parts.some(Number.isNaN)
    ? undefined
    : [red, green, blue, alpha];
}

/** A color that can be seen through, on another one. */
export function over([red, green, blue, alpha]: Color, below: Color): Color {
  const mix = (upper: number, lower: number): number => upper * alpha + lower * (1 - alpha);
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1];
}

/** The same color, or one nearer to black or white that can be read on each of these backgrounds. */
export function readableOn(color: Color, backgrounds: readonly Color[]): Color {
  const isReadable = (one: Color): boolean =>
    backgrounds.every((background) => contrast(over(one, background), background) >= enough);
  if (isReadable(color)) {
    return color;
  }
  const [background = color] = backgrounds;
  const end = luminance(background) < 0.18 ? 255 : 0;
  for (let step = 1; step < steps; step++) {
    const part = step / steps;
    const nearer = color.slice(0, 3).map((value) => value + (end - value) * part);
    const [red = end, green = end, blue = end] = nearer;
    if (isReadable([red, green, blue, 1])) {
      return [red, green, blue, 1];
    }
  }
  return [end, end, end, 1];
}

function contrast(one: Color, other: Color): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance([red, green, blue]: Color): number {
  const linear = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
