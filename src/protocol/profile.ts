/** What the extension host and the profile form say to each other. No credential is ever in it. */
import type { FormHost, FormStart } from './form.ts';

/** What a person can change about themselves by typing or choosing; empty where there is nothing. */
export interface ProfileFields {
  name: string;
  givenName: string;
  familyName: string;
  locale: string;
}

/** The languages a person can choose. */
export const profileLocales = ['en', 'de'] as const;

/** The largest picture that is sent. Bytes. */
export const largestAvatar = 5 * 1024 * 1024;

/** The kinds of pictures that are sent, as a file chooser wants them. */
export const avatarTypes = 'image/png,image/jpeg,image/gif,image/webp';

/** The profile as the service has it. */
export interface ProfileView {
  login: string;
  /** The server's host. */
  server: string;
  email?: string;
  fields: ProfileFields;
  /** An address that the page can show, if there is a picture. */
  avatar?: string;
  /** ISO 8601, or as the service wrote it. */
  updatedAt?: string;
}

/** Everything the form starts from. */
export interface ProfileForm extends FormStart<ProfileFields> {
  profile: ProfileView;
  /** The picture that was chosen before and is not saved yet. */
  chosenAvatar?: string;
}

/** What became of a picture the person chose. */
export type AvatarAnswer = { kind: 'chosen'; preview: string } | { kind: 'refused'; reason: string };

/** What became of saving. */
export type SaveAnswer =
  | { kind: 'saved'; profile: ProfileView }
  /** The service says no: why, and which fields it names. */
  | { kind: 'refused'; reason: string; fields: Partial<Record<keyof ProfileFields | 'avatar', string>> };

/** What the form asks of the extension host. */
export interface ProfileHost extends FormHost<ProfileFields> {
  load: (parameters: null) => ProfileForm;
  chooseAvatar: (parameters: { fileName: string; bytes: Uint8Array }) => AvatarAnswer;
  /** The chosen picture is not wanted any more. */
  dropAvatar: (parameters: null) => null;
  /** Sends these fields, and the chosen picture if there is one. */
  save: (parameters: { fields: Partial<ProfileFields> }) => SaveAnswer;
}
