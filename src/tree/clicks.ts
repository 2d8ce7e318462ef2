/** What a click on a row opens, once it is known which row that is: that may take seconds, in which the person may go on. */

/** What a click needs to know, and what it comes to. */
export interface ClickParts<Row> {
  /** Waits until VS Code knows the row; undefined where it doesn't in the end. */
  find: () => Promise<Row | undefined>;
  /** The tab in which the person is. */
  activeTab: () => unknown;
  /** Does what the row is for, or says that nobody knows which one it is. */
  open: (row: Row | undefined) => Promise<void>;
}

/** See the module. */
export class Clicks<Row> {
  readonly #parts: ClickParts<Row>;
  /** What the last click has come to: the second one of a double click may still wait then. */
  #opened: { tab: unknown } | undefined;
  #underWay = 0;

  constructor(parts: ClickParts<Row>) {
    this.#parts = parts;
  }

  /** True while something was clicked that isn't open yet. */
  get isOpening(): boolean {
    return this.#underWay > 0;
  }

  /** Opens what was clicked, unless the person has gone to another tab meanwhile. */
  async click(): Promise<void> {
    this.#underWay += 1;
    try {
      await this.#click();
    } finally {
      this.#underWay -= 1;
    }
  }

  async #click(): Promise<void> {
    const { find, activeTab, open } = this.#parts;
    const before = activeTab();
    const openedBefore = this.#opened;
    const row = await find();
    const now = activeTab();
    const isOfOtherClick = this.#opened !== openedBefore && now === this.#opened?.tab;
    if (now === before || isOfOtherClick) {
      await open(row);
      this.#opened = { tab: activeTab() };
    }
  }
}
