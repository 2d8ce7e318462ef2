/**
 * Writes src/util/secrets/secretRules.ts anew from the rules that gitleaks publishes:
 *
 *   node tools/secretRules.ts path/to/gitleaks/config/gitleaks.toml VERSION
 *
 * Syntax that only Go's expressions have is put into JavaScript's, and a rule that needs more than a few lines is left out. The
 * words of ownRules.ts are put among the others, since all are looked for at once.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { format } from 'prettier';
import { serviceRules } from '../src/util/secrets/ownRules.ts';

interface Rule {
  id: string;
  regex?: string;
  entropy?: number;
  keywords: string[];
  /** The number of the group that is the secret, where that isn't the first one. */
  secretGroup?: number;
}

/** Go over several lines, or are told better by findSecrets.ts itself. */
const leftOut = new Set([
  'curl-auth-header',
  'curl-auth-user',
  'generic-api-key',
  'kubernetes-secret-yaml',
  'private-key',
]);

/** The expression of a rule in JavaScript, without Go's own syntax. */
function inJavaScript({ regex = '', secretGroup = 1 }: Rule): string {
  let source = regex
    // A name may be long, and it makes no difference where it begins.
    .replaceAll(String.raw`[\w.-]{0,50}?`, '')
    .replaceAll(/\(\?-?[is]+\)/g, '')
    .replaceAll('(?s:.)', '[^]')
    .replaceAll(/\(\?(?:-?[is]+:|P<\w+>)/g, '(?:')
    .replaceAll('[:alnum:]', 'A-Za-z0-9')
    .replaceAll(String.raw`\z`, '$')
    .replaceAll(String.raw`\x60`, '`')
    .replaceAll(/(?<!\\)\//g, String.raw`\/`)
    .replaceAll(/\[[^\]]*\]/g, (one) => one.replaceAll(String.raw`\/`, '/').replaceAll(String.raw`\.`, '.'))
    // What is repeated is no secret, only a part of one.
    .replaceAll(/(?<!\\)\((?!\?)([^()]*)\)(?=[{+*])/g, '(?:$1)');
  for (let group = 1; group < secretGroup; group++) {
    source = source.replace(/(?<!\\)\((?!\?)/, '(?:');
  }
  return `/${new RegExp(source).source}/${regex.includes('(?i') ? 'i' : ''}`;
}

const [file = '', version = ''] = process.argv.slice(2);
const { rules } = parse(readFileSync(file, 'utf8')) as unknown as { rules: Rule[] };
const kept = rules.filter(({ id, regex }) => regex !== undefined && !leftOut.has(id));
// The longest first: a word is found at a place, and with it those that it begins with.
const ownWords = serviceRules.flatMap(([words]) => words.split(' '));
const words = [
  ...new Set([...kept.flatMap(({ keywords }) => keywords.map((word) => word.toLowerCase())), ...ownWords]),
]
  .toSorted((first, second) => second.length - first.length || (first < second ? -1 : 1))
  .map((word) => word.replaceAll(/[.?+*|()[\]{}\\/^$]/g, String.raw`\$&`));
const lines = kept.map((rule) => {
  const keywords = JSON.stringify(rule.keywords.map((keyword) => keyword.toLowerCase()).join(' '));
  return `  [${keywords}, within(1_000, ${inJavaScript(rule)}), ${rule.entropy ?? 0}], // ${rule.id}`;
});
const text = `/**
 * Written by tools/secretRules.ts, never by hand.
 *
 * The forms of secrets, from gitleaks ${version} (https://github.com/gitleaks/gitleaks), which are:
 * MIT License, Copyright (c) 2019 Zachary Rice.
 */
import { within, type BoundedPattern } from '../budget.ts';

/** A form: words of which one is near to it, in lower case; what it matches, a group being the secret; bits for a character. */
export type SecretRule = readonly [words: string, pattern: BoundedPattern, entropy: number];

/** The words of all these forms: the longest one at each place of a text. */
// prettier-ignore
export const secretWords = /(?=(${words.join('|')}))/g;

// prettier-ignore
export const secretRules: readonly SecretRule[] = [
${lines.join('\n')}
];
`;
const target = path.resolve(import.meta.dirname, '../src/util/secrets/secretRules.ts');
writeFileSync(target, await format(text, { parser: 'typescript', singleQuote: true, printWidth: 110 }));
console.log(`${lines.length} of ${rules.length} rules`);
