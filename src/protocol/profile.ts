/** Messages between the extension host and the profile form. No credential is ever in them. */
import type { FormHost, FormStart } from './form.ts';

/** The fields that a person can change about themselves by typing or choosing; empty where there is nothing. */
export interface ProfileFields {
  name: string;
  givenName: string;
  familyName: string;
  locale: string;
}

/** The languages a person can choose. */
export const profileLocales = ['en', 'de'] as const;

/** The largest image that is sent. Bytes. */
export const largestAvatar = 5 * 1024 * 1024;

/** The kinds of images that are sent, as a file chooser wants them. */
export const avatarTypes = 'image/png,image/jpeg,image/gif,image/webp';

/** The profile as the service has it. */
export interface ProfileView {
  login: string;
  /** The server's host. */
  server: string;
  email?: string;
  fields: ProfileFields;
  /** An address that the page can show, if there is an image. */
  avatar?: string;
  /** ISO 8601, or as the service wrote it. */
  updatedAt?: string;
}

/** Everything the form starts from. */
export interface ProfileForm extends FormStart<ProfileFields> {
  profile: ProfileView;
  /** The image that was chosen before and is not saved yet. */
  chosenAvatar?: string;
}

/** The answer about an image that the person chose. */
export type AvatarAnswer = { kind: 'chosen'; preview: string } | { kind: 'refused'; reason: string };

export type SaveAnswer =
  | { kind: 'saved'; profile: ProfileView }
  /** The service says no: why, and which fields it names. */
  | { kind: 'refused'; reason: string; fields: Partial<Record<keyof ProfileFields | 'avatar', string>> };

export interface ProfileHost extends FormHost<ProfileFields> {
  load: (parameters: null) => ProfileForm;
  chooseAvatar: (parameters: { fileName: string; bytes: Uint8Array }) => AvatarAnswer;
  /** The chosen image is not wanted any more. */
  dropAvatar: (parameters: null) => null;
  /** Sends these fields, and the chosen image if there is one. */
  save: (parameters: { fields: Partial<ProfileFields> }) => SaveAnswer;
}
