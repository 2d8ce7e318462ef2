import * as vscode from 'vscode';
import type { ApiClient } from '../../api/client.ts';
import type { OwnUser } from '../../api/types/users.ts';
import { isoTime } from '../../api/timestamp.ts';
import { fileFromBytes } from '../../api/uploads.ts';
import { profileViewType, readSetting } from '../../contributions.ts';
import type { PendingChanges } from '../../model/pending/pendingChanges.ts';
import type { FormPage } from '../../protocol/form.ts';
import {
  largestAvatar,
  type AvatarAnswer,
  type ProfileFields,
  type ProfileForm,
  type ProfileHost,
  type ProfileView,
  type SaveAnswer,
} from '../../protocol/profile.ts';
import { profileSchemas } from '../../protocol/schemas/profile.ts';
import { describeReason } from '../../ui/failures.ts';
import { FormPanel } from '../../ui/formPanel.ts';
import type { Log } from '../../ui/log.ts';
import type { RecentChanges } from '../../ui/recentChanges.ts';
import type { Disposable } from '../../util/disposable.ts';
import { avatarAddress } from '../../session/avatars.ts';
import type { Connection } from '../../session/connection.ts';
import { checkImage, type ImageCheck } from '../../session/images.ts';
import type { Session } from '../../session/sessions.ts';
import { changesOf, fieldsOf, readFields, refusedFields } from './profileFields.ts';
import { serverName } from '../../session/serverName.ts';

interface Loaded {
  session: Session;
  user: OwnUser;
  avatar: string | undefined;
}

interface ProfileContext {
  extensionUri: vscode.Uri;
  connection: Connection;
  pendingChanges: PendingChanges;
  changes: RecentChanges;
  log: Log;
}

/** The form in which people change what the service knows of them. There is at most one. */
export class ProfilePanel implements Disposable {
  readonly panel: FormPanel<ProfileFields, ProfileHost, FormPage>;
  readonly #connection: Connection;
  readonly #changes: RecentChanges;
  readonly #subscription: Disposable;
  #loaded: Loaded | undefined;
  /** The image that is chosen and not saved, of the account that is loaded. */
  #avatar: { fileName: string; bytes: Uint8Array; preview: string } | undefined;

  constructor({ extensionUri, connection, pendingChanges, changes, log }: ProfileContext) {
    this.#connection = connection;
    this.#changes = changes;
    // Before the page begins anew: what was chosen belongs to somebody else.
    this.#subscription = connection.onDidChangeAccount(() => {
      this.#loaded = undefined;
      this.#avatar = undefined;
    });
    this.panel = new FormPanel<ProfileFields, ProfileHost, FormPage>(extensionUri, {
      viewType: profileViewType,
      page: 'profile',
      form: 'profile',
      title: () => vscode.l10n.t('Profile'),
      icon: 'account',
      pendingChanges,
      onDidChangeAccount: connection.onDidChangeAccount,
      readFields,
      log,
      schemas: profileSchemas,
      handlers: {
        load: (_parameters, signal) => this.#load(signal),
        chooseAvatar: ({ fileName, bytes }) => this.#chooseAvatar(fileName, bytes),
        dropAvatar: () => {
          this.#avatar = undefined;
          return null;
        },
        save: ({ fields }) => this.#save(readFields(fields)),
      },
      onClose: () => {
        this.#avatar = undefined;
      },
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.panel.dispose();
  }

  async #load(signal: AbortSignal): Promise<ProfileForm> {
    const loaded = await this.#connection.use(async (client, session) => {
      const user = await client.users.me({ signal });
      const avatar = await avatarAddress(
        client,
        user.avatarUrl ?? user.picture,
        readSetting('markdown.loadRemoteImages'),
        signal,
      );
      return { session, user, avatar };
    });
    this.#loaded = loaded;
    return {
      profile: view(loaded),
      ...this.panel.start(),
      ...(this.#avatar && { chosenAvatar: this.#avatar.preview }),
    };
  }

  async #chooseAvatar(fileName: string, bytes: Uint8Array): Promise<AvatarAnswer> {
    const check = await checkImage(fileName, bytes);
    if (check.kind !== 'image') {
      return { kind: 'refused', reason: describeImage(check) };
    }
    this.#avatar = { fileName, bytes, preview: check.preview };
    return { kind: 'chosen', preview: check.preview };
  }

  async #save(fields: Partial<ProfileFields>): Promise<SaveAnswer> {
    const loaded = this.#loaded;
    if (!loaded) {
      throw new Error(vscode.l10n.t('Load the profile first.'));
    }
    this.panel.pending.write(fields);
    const chosen = this.#avatar;
    let answer: OwnUser;
    let avatar = loaded.avatar;
    try {
      answer = await this.panel.pending.send(() =>
        this.#connection.use(async (client, session) => {
          if (session.id !== loaded.session.id) {
            throw new Error(vscode.l10n.t('Another account is now active. Load the profile again.'));
          }
          const user = await update(client, loaded.user, fields, chosen);
          avatar = await avatarAddress(
            client,
            user.avatarUrl ?? user.picture,
            readSetting('markdown.loadRemoteImages'),
          );
          return user;
        }),
      );
    } catch (error) {
      const refused = refusedFields(error);
      if (!refused) {
        throw error;
      }
      return { kind: 'refused', reason: describeReason(error), fields: refused };
    }
    this.#tellChange(loaded.user, answer, chosen !== undefined);
    if (this.#avatar === chosen) {
      this.#avatar = undefined;
    }
    this.#loaded = { ...loaded, user: answer, avatar };
    return { kind: 'saved', profile: view(this.#loaded) };
  }

  /** Notes what was changed. The image from before is not known here: with another one, not all of it could be put back. */
  #tellChange(before: OwnUser, after: OwnUser, hasOtherImage: boolean): void {
    const lines = (user: OwnUser): string => Object.values(fieldsOf(user)).join('\n');
    this.#changes.add({
      what: vscode.l10n.t('Changed your profile.'),
      before: lines(before),
      after: lines(after),
      ...(!hasOtherImage && {
        undo: async () => {
          await this.#connection.use((client) => client.users.updateMe(changesOf(after, fieldsOf(before))));
          this.panel.reload();
        },
      }),
    });
  }
}

async function update(
  client: ApiClient,
  user: OwnUser,
  fields: Partial<ProfileFields>,
  avatar: { fileName: string; bytes: Uint8Array } | undefined,
): Promise<OwnUser> {
  return client.users.updateMe({
    ...changesOf(user, fields),
    ...(avatar && { avatar: fileFromBytes(avatar.fileName, avatar.bytes) }),
  });
}

function view({ session, user, avatar }: Loaded): ProfileView {
  return {
    login: user.login ?? session.login,
    server: serverName(session.serverUrl),
    ...(user.email !== undefined && { email: user.email }),
    fields: fieldsOf(user),
    ...(avatar !== undefined && { avatar }),
    ...(user.updatedAt !== undefined && { updatedAt: isoTime(user.updatedAt) }),
  };
}

function describeImage(check: Exclude<ImageCheck, { kind: 'image' }>): string {
  switch (check.kind) {
    case 'empty':
      return vscode.l10n.t('The file is empty. Choose another file.');
    case 'tooLarge':
      return vscode.l10n.t(
        'The file is larger than {0} MB. Choose a smaller file.',
        largestAvatar / (1024 * 1024),
      );
    case 'otherType':
      return check.found === undefined
        ? vscode.l10n.t("The file isn't an image. Choose a PNG, JPEG, GIF, or WebP file.")
        : vscode.l10n.t('The file type is {0}. Choose a PNG, JPEG, GIF, or WebP file.', check.found);
    case 'lying':
      return vscode.l10n.t(
        'The file extension is ".{0}", but the file is a {1} image. Rename it or choose another file.',
        check.ending,
        check.found,
      );
  }
}
