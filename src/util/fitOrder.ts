/**
 * An order as it is wanted, for the sections that there are now: those that are gone are left out, and those that came
 * since stand after the section that they follow now.
 */
export function fitOrder(wanted: readonly string[], present: readonly string[]): string[] {
  const known = new Set(wanted);
  const existing = new Set(present);
  const fitted = wanted.filter((code) => existing.has(code));
  present.forEach((code, index) => {
    if (!known.has(code)) {
      const previous = index === 0 ? undefined : present[index - 1];
      const place = previous === undefined ? -1 : fitted.indexOf(previous);
      fitted.splice(place + 1, 0, code);
    }
  });
  return fitted;
}
