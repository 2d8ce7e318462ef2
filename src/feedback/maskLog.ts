/** Takes secrets out of a text that is about to be shown or sent. They are never written to the log: this is the second lock. */
import { maskSecrets } from '../api/logger.ts';

/** What looks like a secret; the group that is named is what is masked. */
const secrets: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?<secret>[\s\S]*?)(?:-----END|$)/g,
  /\b(?:authorization|proxy-authorization|x-auth-token|cookie|set-cookie)["']?\s*[:=]\s*["']?(?<secret>[^\r\n"']+)/gi,
  /\b(?:bearer|basic)\s+(?<secret>[\w.~+/-]{6,}=*)/gi,
  /\b(?:access[_-]?token|refresh[_-]?token|token|api[_-]?key|secret|password|passwd|pwd)["']?\s*[:=]\s*["']?(?<secret>[^\s"',;&]+)/gi,
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/(?<secret>[^\s/@]+)@/gi,
  // Tokens that can be told by their form: of code hosts, clouds and chats, and JSON web tokens.
  /\b(?<secret>gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abposr]-[\w-]{10,}|npm_\w{20,}|A[KS]IA[A-Z0-9]{16})\b/g,
  /(?<![\w-])(?<secret>eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g,
];

/**
 * Masks what is known to be secret, and what looks like it.
 *
 * @param known access tokens and the like.
 * @param home the person's own folder, which tells their name; it becomes `~`.
 */
export function maskLog(text: string, known: readonly string[], home: string): string {
  let masked = maskSecrets(text, known);
  for (const pattern of secrets) {
    masked = masked.replaceAll(pattern, (...found: unknown[]) => {
      const whole = String(found[0]);
      const { secret = '' } = found.at(-1) as { secret?: string };
      return whole.replace(secret, () => '***');
    });
  }
  return home.length > 1 ? masked.replaceAll(home, '~') : masked;
}
