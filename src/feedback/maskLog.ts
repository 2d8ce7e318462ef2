/** Takes secrets out of a text that is about to be shown or sent. They are never written to the log: this is the second lock. */
import { within } from '../util/budget.ts';
import { decodings } from '../util/secrets/decoded.ts';
import { findSecrets } from '../util/secrets/findSecrets.ts';
import { maskSecrets, withoutRanges, type Range } from '../util/secrets/maskSecrets.ts';
import type { SecretRule } from '../util/secrets/secretRules.ts';

/**
 * Secrets of a log, beside those of any text: any value with such a name, however it looks. A file with a name for a value in it is
 * no secret yet; in a log, a line is understood without the value.
 */
const logRules: readonly SecretRule[] = [
  // Headers: as lines, as members, and as one after the other in an array.
  ['authorization cookie x-auth x-api x-access x-session', within(1_000, /(?:authorization|cookie|x-(?:auth|api|access|session)[\w-]{0,30})["']?\s{0,3}(?:=>|[:=])[\s"'[]{0,5}([^\r\n"'\]]{3,800})/i), 0],
  ['authorization cookie x-auth x-api x-access x-session token', within(1_000, /(?:authorization|cookie|x-(?:auth|api|access|session)[\w-]{0,30}|token)["']\s{0,3},\s{0,3}["']([^\r\n"']{3,800})/i), 0],
  ['bearer basic', within(1_000, /\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC)[\s,]{1,3}((?=[\w.~+/-]{0,300}(?:[\d=]|[a-z][A-Z]))[\w.~+/-]{6,500}=*|[\w~+/-]{20,500})/), 0],
  // Names and values.
  ['token tkn key secret passw pass pwd credential signature', within(1_000, /(?:token|tkn|api[_-]?key|access[_-]?key|private[_-]?key|secret|passw(?:or)?d|passphrase|pwd|credentials?|signature)["']?\s{0,3}(?:=>|[:=])\s{0,3}["']?((?![{<$*])[^\s"',;&<>]{1,500})/i), 0],
  ['=', within(1_000, /[?&#;](?:[\w.-]{0,40}(?:key|token|tkn|sig|signature|secret|passw(?:or)?d|pwd|auth|code|session|sid|credential|jwt|assertion|ticket|otp|pin|hmac|nonce|state|challenge|verifier))=((?![{<$*])[^\s"'&#<>]{1,800})/i), 0],
  // Addresses that are secrets.
  ['://', within(1_000, /[a-z][a-z0-9+.-]{0,20}:\/\/([^\s/@"'<>]{1,300})@/i), 0],
  ['/login /sign /reset /password /invit /verify /confirm /activate /magic /token /hook /webhook', within(1_000, /\/(?:login|sign-?in|(?:password-)?reset|invite|invitation|verify|confirm|activate|magic|tokens?|(?:web)?hooks?)\/((?=[\w.~%+-]{0,200}\d)[\w.~%+-]{8,300}|[\w.~%+-]{20,300})/i), 0],
  // Beginnings that say what a text is, also where it is shorter than it should be.
  ['gh gl do npm_ xox xapp- sk- k_ whsec_ aiza ya29. hf_ akia asia shp atatt hvs. hvb. dckr_pat_ sg. eyj', within(1_000, /(?<![\w-])((?:gh[pousr]_|github_pat_|gl(?:pat|dt|ptt|ft|imt|agent|rt|cbt|soat|oas|ffct)-|do[opr]_v1_|npm_|xox[a-z]-|xapp-|sk-(?!ssh-|ecdsa-)|[sprw]k_(?:live|test|prod)_|whsec_|AIza|ya29\.|hf_|A[KS]IA|shp(?:at|ca|pa|ss)_|ATATT|hv[sb]\.|dckr_pat_|SG\.)(?=[\w.+/-]{0,60}\d)[\w.+/-]{8,500}|eyJ[\w-]{8,500}(?:\.[\w-]{1,500}){1,3})/), 0],
  // A line of a key whose beginning and end are not there.
  ['', within(1_000, /^((?=[^\n]{0,76}\d)(?=[^\n]{0,76}[A-Z])[A-Za-z0-9+/]{60,76}={0,2})$/m), 4.3],
]; // prettier-ignore

/**
 * Masks what is known to be secret, and what looks like it.
 *
 * @param known access tokens and the like.
 * @param home the person's own folder, which tells their name; it becomes `~`.
 */
export function maskLog(text: string, known: readonly string[], home: string): string {
  const masked = maskSecrets(text, known);
  const ranges: Range[] = [];
  for (const { text: decoded, placeOf } of decodings(masked)) {
    for (const { start, end } of findSecrets(decoded, logRules)) {
      ranges.push({ start: placeOf(start), end: placeOf(end) });
    }
  }
  return withoutHome(withoutRanges(masked, ranges), home);
}

/** Characters with which the name of a folder goes on: then it is another one. */
const nameGoesOn = /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}_])/u;

/** A text in which the person's own folder is `~`, however it is written; folders whose names only begin like it are not. */
function withoutHome(text: string, home: string): string {
  if (home.length < 2) {
    return text;
  }
  let masked = text;
  for (const form of formsOfPath(home)) {
    masked = masked
      .split(form)
      .reduce((before, after) => `${before}${nameGoesOn.test(after.slice(0, 4)) ? form : '~'}${after}`);
  }
  return masked;
}

/**
 * The ways a path is written: with either separator, as text of a program, and in addresses; VS Code writes drives in small
 * letters.
 */
function formsOfPath(path: string): Set<string> {
  const written = /^[a-z]:/i.test(path)
    ? [path, path.charAt(0).toLowerCase() + path.slice(1), path.charAt(0).toUpperCase() + path.slice(1)]
    : [path];
  const plain = written.flatMap((form) => [
    form,
    form.replaceAll('\\', '/'),
    JSON.stringify(form).slice(1, -1),
  ]);
  const encoded = plain
    .map((form) => form.toWellFormed())
    .flatMap((form) => [encodeURI(form), encodeURI(form).replaceAll(':', '%3A'), encodeURIComponent(form)])
    .flatMap((form) => [form, form.replaceAll(/%../g, (escape) => escape.toLowerCase())]);
  return new Set([...plain, ...encoded].toSorted((first, second) => second.length - first.length));
}
