/** The sink for the client's reports. Lines hold no secret and no filled-in path. */
export interface ApiLogger {
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}
