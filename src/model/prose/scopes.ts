/** The things that a line of code is in. */
import { definedAlone } from './definitionWords.ts';
import { startOf } from '../../util/budget.ts';

/** Characters of a line that are looked at. */
const longestLine = 1_000;

/** Lines above one that are looked at. */
const farthest = 5_000;

/**
 * The names of what a line is in, from the inside to the outside, as its indentation says.
 *
 * @param lines of one file, without comments and strings: all from its beginning, or some and the heading that a diff gives them.
 */
export function scopesOf(lines: readonly string[], index: number): string[] {
  const scopes: string[] = [];
  let indent = indentOf(lines[index] ?? '');
  for (let at = index - 1; at >= 0 && indent > 0 && index - at < farthest; at -= 1) {
    const line = startOf(lines[at] ?? '', longestLine);
    const its = indentOf(line);
    if (line.trim() === '' || its >= indent) {
      continue;
    }
    if (/^\s*[)\]}]+[;,]?$/.test(line)) {
      // It is in nothing that begins above.
      break;
    }
    const isEnd = /^\s*[)\]}]/.test(line);
    const name = isEnd ? undefined : (implemented.exec(line)?.[1] ?? definedAlone(line));
    scopes.push(...(name === undefined ? [] : [name]));
    // What has its end and its beginning in two lines begins further above.
    indent = isEnd ? its + 1 : its;
  }
  return scopes;
}

/** Rust's `impl Name`, `impl Trait for Name`. */
const implemented = /^\s{0,200}(?:unsafe )?impl(?:<[^>]{0,200}>)? (?:[^{]{0,200} for )?(\w{1,200})/;

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Returns true for a line that is in things of these names, from the outside to the inside: the outer ones may be its file and folders. */
export function isWithin(
  names: readonly string[],
  path: string,
  lines: readonly string[],
  index: number,
): boolean {
  const around =
    names.length === 0
      ? []
      : [
          ...scopesOf(lines, index),
          ...path
            .replace(/\.[^./]+$/, '')
            .split('/')
            .toReversed(),
        ];
  return names.toReversed().every((name, at) => around[at] === name);
}
