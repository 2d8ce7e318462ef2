/** A file to send: opened afresh for each try, so that it need not be held in memory. */
export interface FileUpload {
  /** The file name the service is told, e.g. `logs.zip`. */
  fileName: string;
  /** Opens the content afresh for each try. */
  open: () => AsyncIterable<Uint8Array>;
  /** Bytes. */
  size: number;
}
