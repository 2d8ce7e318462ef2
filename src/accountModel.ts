import type { ContentFile } from './model/keptContent.ts';
import type { Model } from './model/model.ts';
import type { Me } from './model/review.ts';
import type { Session } from './session/sessions.ts';
import { lazy, type Lazy } from './util/lazy.ts';
import type { WindowParts } from './windowParts.ts';

/**
 * The model of whoever is signed in. It is loaded when it is first asked for.
 *
 * @param onCreate is called with it before anybody has it.
 * @returns also `turnTo`, which empties it for another account; false when it is of that account already, or not loaded.
 */
export function accountModel(
  {
    connection,
    folders,
    log,
    disposables,
  }: Pick<WindowParts, 'connection' | 'folders' | 'log' | 'disposables'>,
  onCreate: (model: Model) => void,
): { model: Lazy<Model>; turnTo: (session: Session | undefined) => Promise<boolean> } {
  /** Whose content it has. */
  let account: string | undefined;
  const contentOf = async (
    session: Session | undefined,
  ): Promise<{ store: ContentFile | undefined; me: Me | undefined }> => {
    const { ContentFile } = await import('./model/keptContent.ts');
    const tell = (error: unknown): void => log.warn(`What was loaded could not be kept: ${String(error)}`);
    return {
      store: session && new ContentFile(folders.folder(session), tell),
      me: session && { id: session.userId, login: session.login },
    };
  };
  const model = lazy(async (): Promise<Model> => {
    const { Model } = await import('./model/model.ts');
    const session = await connection.session();
    const content = await contentOf(session);
    account = session?.id;
    const created = disposables.add(new Model(connection.use, content));
    onCreate(created);
    return created;
  });
  return {
    model,
    turnTo: async (session) => {
      const created = model.created ? await model() : undefined;
      if (!created || account === session?.id) {
        return false;
      }
      account = session?.id;
      created.reset(await contentOf(session));
      return true;
    },
  };
}
