/** A patch stack as its markdown file has it: what is written of it, with the places of its diffs. Runs without VS Code. */

/** See the module. All of it can be written to disk as JSON. */
export interface StackText {
  title: string;
  /** Markdown. */
  description: string;
  /** Base to tip. */
  patches: PatchText[];
}

export interface PatchText {
  changeId: string;
  title: string;
  sections: (WrittenText | FixedPart)[];
}

/** A text section. */
export interface WrittenText {
  kind: 'text';
  /** The code of the section; of one that the service doesn't have yet, the key of its pending change. */
  code: string;
  /** As `section_order` takes it. */
  identifier: string;
  text: string;
  /** True when the service doesn't have it yet. */
  isNew?: boolean;
}

/** A diff, or whatever else nobody writes: it stays as it is, and can be moved within its patch. */
export interface FixedPart {
  kind: 'fixed';
  code: string;
  identifier: string;
  /** The number of lines that show it. */
  lineCount: number;
  /** Tells those lines from others. */
  print: string;
}
