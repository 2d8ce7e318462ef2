/** The two verdicts on a patch. Nothing takes one back; the other takes its place. */
export type Review = 'signedOff' | 'changesRequested';

/**
 * The ways in which a review is signed: with an SSH key that its author has published, not so, or in a way that fits neither them nor what it is about.
 * Nothing is said of one that came to the server by itself.
 */
export const signatureStates = ['verified', 'unverified', 'mismatch'] as const;
export type SignatureState = (typeof signatureStates)[number];
