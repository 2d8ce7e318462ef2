/** Where the client reports what it does. Lines hold no secret and no filled-in path. */
export interface ApiLogger {
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/** Replaces every secret in a text, also where it stands percent-encoded or in Base64. */
export function maskSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  let masked = text;
  for (const secret of secrets) {
    // One or two characters would mask half of any text and protect nothing.
    if (secret === undefined || secret.length < 3) continue;
    const forms = [secret, encodeURIComponent(secret.toWellFormed()), Buffer.from(secret).toString('base64')];
    for (const form of forms) masked = masked.replaceAll(form, '***');
  }
  return masked;
}
