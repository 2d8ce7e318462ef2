type LoginProblem = 'empty' | 'notALogin';

/** A login as people type it: with an @ before it, or blanks around it. */
export function typedLogin(text: string): string {
  return text.trim().replace(/^@/, '');
}

/** Returns the problem with a login, if any. Nobody knows which characters a service allows. */
export function loginProblem(text: string): LoginProblem | undefined {
  const login = typedLogin(text);
  if (login === '') {
    return 'empty';
  }
  return /[\s/\\?#\p{Cc}]/u.test(login) || login === '.' || login === '..' ? 'notALogin' : undefined;
}
