/** An account whose data a person has had deleted, as it is called where it was kept. */
export interface ForgottenAccount {
  account: string;
  /** Tells this deletion from others of the same account. */
  id: string;
}
