/** Messages between the extension host and the card of a user. No credential is ever in them. */
import type { PanelSettings } from './panel.ts';

/** An SSH key as the card shows it. */
export interface KeyView {
  /** `SHA256:…`. */
  fingerprint: string;
  name?: string;
  /** `ED25519`, `RSA`…, when the key itself is known. */
  type?: string;
  bits?: number;
  comment?: string;
  /** ISO 8601, or as the service wrote it. */
  createdAt?: string;
  weak: boolean;
}

/** A user as anyone may see them. */
export interface UserCardView {
  login: string;
  name?: string;
  givenName?: string;
  familyName?: string;
  email?: string;
  locale?: string;
  supporter: boolean;
  organizations: { slug: string; name?: string; description?: string }[];
  /** ISO 8601, or as the service wrote it. */
  createdAt?: string;
  updatedAt?: string;
  /** An address that the page can show, if there is an image. */
  avatar?: string;
  /** The server's host. */
  server: string;
  isSelf: boolean;
  keys:
    | {
        kind: 'shown';
        list: KeyView[];
        /** Number of keys that the service couldn't tell readably. */
        unreadable: number;
        copyable: number;
      }
    /** The user is worth showing without their keys. */
    | { kind: 'failed'; reason: string };
}

export interface UserCardHost {
  settings: (parameters: null) => PanelSettings;
  load: (parameters: null) => UserCardView;
  /** Copies the keys that are known as lines of `authorized_keys`; answers how many they were. */
  copyAuthorizedKeys: (parameters: null) => number;
  copy: (parameters: { text: string }) => null;
  editProfile: (parameters: null) => null;
  manageKeys: (parameters: null) => null;
}

export interface UserCardPage {
  /** Another user is to be shown, or another account is active. */
  reload: (parameters: null) => null;
}

/** Whose card it is. The page keeps it, so that the panel can be restored after a reload. */
export interface UserCardState {
  login: string;
}
