/** The two verdicts on a patch. Nothing takes one back; the other takes its place. */
export type Review = 'signedOff' | 'changesRequested';
