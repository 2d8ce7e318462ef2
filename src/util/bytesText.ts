/** Text as it was written, of text that has one character for each byte: so git's output is kept where its bytes count. */
export function asWritten(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
