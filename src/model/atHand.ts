/** The project, and perhaps the patch stack, that the person looked at last: where lists to choose from begin. */
export interface AtHand {
  projectId?: string | undefined;
  stackUuid?: string | undefined;
}
