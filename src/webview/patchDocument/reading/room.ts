/** Pixels of the page from which two sides of a file have room beside each other. */
export const roomForTwo = 800;

/**
 * Pixels from which the outline has room beside the document. Two sides of a file need more: 45 columns each in the editor's usual font,
 * also on a screen of 1,440 pixels with VS Code's side bar.
 */
export const roomForOutline = { unified: 1000, sideBySide: 1260 } as const;
