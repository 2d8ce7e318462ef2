import * as vscode from 'vscode';
import { isApiError } from '../../api/errors.ts';
import type { User } from '../../api/types/users.ts';
import { askText } from '../../ui/askText.ts';
import type { Connection } from '../../session/connection.ts';
import { loginProblem, typedLogin } from './login.ts';
import { serverName } from '../../session/serverName.ts';

/**
 * Asks whose card to show. A login that the service does not know is refused where it was typed.
 *
 * @throws {CancelledError} when the person gives up; what the client throws.
 */
export async function askUser(connection: Connection): Promise<User> {
  return askText({
    title: vscode.l10n.t('Show User'),
    prompt: vscode.l10n.t('Username'),
    check: (text) => {
      switch (loginProblem(text)) {
        case 'empty':
          return vscode.l10n.t('Enter a username.');
        case 'notALogin':
          return vscode.l10n.t("Usernames can't contain spaces or slashes.");
        case undefined:
          return undefined;
      }
    },
    accept: (text) =>
      connection.use(async (client, session) => {
        const login = typedLogin(text);
        try {
          const user = await client.users.get(login);
          return { value: { ...user, login: user.login ?? login } };
        } catch (error) {
          if (isApiError(error) && error.kind === 'notFound') {
            return { problem: unknownUser(login, session.serverUrl) };
          }
          throw error;
        }
      }),
  });
}

/** Says that a server knows no such user. */
export function unknownUser(login: string, serverUrl: string): string {
  return vscode.l10n.t('User "{0}" doesn\'t exist on {1}.', login, serverName(serverUrl));
}
