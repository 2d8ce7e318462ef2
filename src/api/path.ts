/** A path ready to be sent, and the same path with the names of its parameters, for logs and errors. */
export interface Path {
  readonly path: string;
  readonly template: string;
}

/** Thrown for a parameter that cannot be a path segment; the request layer turns it into an `InvalidError`. */
export class PathParameterError extends Error {
  readonly parameter: string;
  readonly template: string;

  constructor(parameter: string, reason: string, template: string) {
    super(`${parameter} ${reason}`);
    this.parameter = parameter;
    this.template = template;
  }
}

/**
 * Builds a path from a literal whose parameters are one-key objects, so that path and template cannot drift apart:
 *
 *     path`/user/${{ login }}/keys`
 *
 * Each parameter is percent-encoded once, whatever it holds: a `/` in it stays inside its segment. `.`, `..` and
 * the empty string are refused, because servers and proxies resolve them to another path.
 */
export function path(
  literals: TemplateStringsArray,
  ...parameters: Readonly<Record<string, string>>[]
): Path {
  let filled = literals[0] ?? '';
  let template = filled;
  let refused: readonly [name: string, reason: string] | undefined;
  for (const [index, parameter] of parameters.entries()) {
    const [name, value] = Object.entries(parameter)[0] ?? ['', ''];
    const literal = literals[index + 1] ?? '';
    const reason = refusal(value);
    if (reason !== undefined) {
      refused ??= [name, reason];
    } else {
      filled += encodeURIComponent(value) + literal;
    }
    template += `{${name}}${literal}`;
  }
  if (refused) {
    throw new PathParameterError(...refused, template);
  }
  return { path: filled, template };
}

function refusal(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') {
    return 'is empty';
  }
  if (value === '.' || value === '..') {
    return 'must not be "." or ".."';
  }
  return value.isWellFormed() ? undefined : 'is not well-formed Unicode';
}

/** A query string with its `?`, or an empty string; parameters without a value are left out. */
export function query(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(parameters)
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
