/** What is wrong with a text as a login. */
export type LoginProblem = 'empty' | 'notALogin';

/** A login as people type it: with an @ before it, or blanks around it. */
export function typedLogin(text: string): string {
  return text.trim().replace(/^@/, '');
}

/** What is wrong with what was typed as a login, if anything. Which characters a service allows is not known. */
export function loginProblem(text: string): LoginProblem | undefined {
  const login = typedLogin(text);
  if (login === '') {
    return 'empty';
  }
  return /[\s/\\?#\p{Cc}]/u.test(login) || login === '.' || login === '..' ? 'notALogin' : undefined;
}
