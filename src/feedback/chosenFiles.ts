/** The files that a person has chosen in a dialog. A page can name any file: what it names goes along only if it is one of these. */
export class ChosenFiles {
  readonly #locations = new Set<string>();

  add(locations: Iterable<string>): void {
    for (const location of locations) {
      this.#locations.add(location);
    }
  }

  /** Those of the files that were chosen, now or for what is kept. @param kept what the extension host has kept itself. */
  among(locations: readonly string[], kept: readonly string[] = []): string[] {
    return locations.filter((location) => this.#locations.has(location) || kept.includes(location));
  }
}
