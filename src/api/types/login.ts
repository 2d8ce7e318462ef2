/** An expiring login token and where to confirm it (contract §4, Login). */
export interface LoginToken {
  /** The token to poll `GET /login/user/{token}` with. */
  token: string;
  /** The page the person opens to confirm the sign-in. */
  url?: string;
  expires?: string;
  /** Milliseconds from the answer to `expires`, by the clock of the service alone; missing where that cannot be told. */
  lifetimeMs?: number;
  browserToken?: string;
  /** What its page calls the sign-in, so that nobody confirms somebody else's; the local service alone names one. */
  name?: string;
}
