import type { FileUpload } from './files.ts';
import type { Project } from './projects.ts';

/** An organization a user belongs to (contract §2, Organization). */
export interface Organization {
  /** The identifier: an organization without one is dropped. */
  slug: string;
  name?: string;
  description?: string;
  createdAt?: string;
}

/** The caller's permissions in a project; present only in the caller's own user (contract §2, Project). */
export interface ProjectPermissions {
  canRead?: boolean;
  canWrite?: boolean;
  /** `public` or `private` on update; whatever the service said on reading. */
  shareLevel?: string;
}

/** A project as it stands inside the caller's own user, with the caller's permissions. */
export interface ProjectWithPermissions extends Project {
  permissions?: ProjectPermissions;
}

/** A user as anybody sees them: the answer of `GET /user/{login}` (contract §2, User). */
export interface User {
  /** The identifier; `login` stands in when the service leaves `id` out. */
  id: string;
  login?: string;
  name?: string;
  email?: string;
  avatarUrl?: string;
  givenName?: string;
  familyName?: string;
  picture?: string;
  locale?: string;
  supporter?: boolean;
  organizations: Organization[];
  createdAt?: string;
  updatedAt?: string;
}

/** The caller's own user: the answer of `GET /user` and `PUT /user` (contract §2, User). */
export interface OwnUser extends User {
  /** The credential of the caller: never log, store or show it outside the sign-in flow. */
  accessToken?: string;
  role?: string;
  projects: ProjectWithPermissions[];
}

/** A public SSH key registered with a user (contract §2, SSH public key). */
export interface SshKey {
  /** The identifier for deletion, as the service spells it (`SHA256:…`). */
  fingerprint: string;
  id?: string;
  name?: string;
  /** The public-key line, when the service shows it. */
  publicKey?: string;
  createdAt?: string;
}

/** Changes to the caller's own user; fields that are left out stay as they are. */
export interface UserUpdate {
  name?: string;
  avatar?: FileUpload;
  /** `en` or `de`. */
  locale?: string;
  givenName?: string;
  familyName?: string;
}
