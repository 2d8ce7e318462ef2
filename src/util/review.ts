/** What someone can say of a patch. Nothing takes it back; the other one takes its place. */
export type Review = 'signedOff' | 'changesRequested';
