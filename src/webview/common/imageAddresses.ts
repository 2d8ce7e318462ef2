/** The addresses from which a picture in a text of strangers may be drawn. */

/** A picture may be drawing instructions only where we have made its address ourselves: strangers write any. */
const inlineImage = /^data:image\/(png|jpeg|gif|webp);base64,/i;
const repositoryImage = /^data:image\/(png|jpeg|gif|webp|svg\+xml);base64,/i;
const remoteImage = /^https:\/\//i;

/** True for a picture that stands in the text itself. */
export function isInlineImage(address: string): boolean {
  return inlineImage.test(address);
}

/** True for a picture of the repository, as the extension host gives it. */
export function isRepositoryImage(address: string): boolean {
  return repositoryImage.test(address);
}

/** True for a picture of another computer, which learns that it is looked at. */
export function isRemoteImage(address: string): boolean {
  return remoteImage.test(address);
}
