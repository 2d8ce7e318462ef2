/** A piece of a line of code, with the class that colors it. */
export interface Token {
  text: string;
  className?: string;
}
