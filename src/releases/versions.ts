/** The versions that a release could have, by the project's own files and tags. */
import clean from 'semver/functions/clean.js';
import rcompare from 'semver/functions/rcompare.js';
import { parse as parseToml } from 'smol-toml';
import type { VersionSuggestion } from '../protocol/release.ts';
import { isObject } from '../util/isObject.ts';

/** The files that say a project's version, the likeliest first. */
export const manifestNames = ['package.json', 'Cargo.toml', 'pyproject.toml'] as const;

/**
 * The version that a project's file says.
 *
 * @returns undefined when it says none, or cannot be read.
 */
export function versionInManifest(name: (typeof manifestNames)[number], text: string): string | undefined {
  let content: unknown;
  try {
    content = name === 'package.json' ? JSON.parse(text) : parseToml(text);
  } catch {
    return undefined;
  }
  switch (name) {
    case 'package.json':
      return textAt(content, 'version');
    case 'Cargo.toml':
      // The packages of a workspace can take their version from it: then theirs is no text.
      return textAt(content, 'package', 'version') ?? textAt(content, 'workspace', 'package', 'version');
    case 'pyproject.toml':
      return textAt(content, 'project', 'version') ?? textAt(content, 'tool', 'poetry', 'version');
  }
}

/** The version of the tag that stands for the highest one, if any tag stands for a version. */
export function versionOfTags(tags: readonly string[]): VersionSuggestion | undefined {
  const versions = tags.flatMap((tag) => {
    const version = clean(tag.slice(tag.lastIndexOf('/') + 1).replace(/^[^\d]*?(?=v?\d)/, ''));
    return version === null ? [] : [{ version, source: tag }];
  });
  return versions.sort((one, other) => rcompare(one.version, other.version))[0];
}

function textAt(content: unknown, ...path: string[]): string | undefined {
  let value = content;
  for (const key of path) {
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return typeof value === 'string' && value !== '' ? value : undefined;
}
