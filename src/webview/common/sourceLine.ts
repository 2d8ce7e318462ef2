/** The attribute of rendered markdown that names the line of the source, counted from 0, at which a block begins. */
export const sourceLineAttribute = 'data-source-line';
