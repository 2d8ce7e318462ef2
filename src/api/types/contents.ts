/** The content of a file, by the id of its blob. */
export interface BlobContent {
  id: string;
  /** In Base64. */
  content: string;
}
