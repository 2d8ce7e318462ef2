/** Says the code of a sign-in in the browser, for the terminal in which the service was started. */
export function describeCode(code: string, name: string): string {
  return `Sign-in code for ${name}: ${code} (its page asks for it; ignore it if your editor doesn't show a sign-in of this name)`;
}
