/**
 * Sign-ins in the browser (contract §5): a login token, the page that it belongs to, and its one-time code, which only the
 * owner of this service sees.
 *
 * Anyone on this computer can reach the service, so that neither asking for a login token nor knowing the page's address
 * proves anything: the code does. It is good for its own sign-in alone. The window that began the sign-in, its page and the
 * line with its code all show its name: a page or a code of somebody else's has another. Whatever can be had without the code
 * costs nothing to keep (the page's address carries all of it, sealed, and names and codes are worked out from that), so that
 * no one can use up the places of others.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { HttpError } from './errors.ts';

/** Milliseconds that a person has to confirm a sign-in. */
export const loginLifetimeMs = 20 * 60 * 1000;

/** Milliseconds that a confirmed sign-in waits for its client to ask. Login tokens are int32: they can be guessed. */
export const spendLifetimeMs = 2 * 60 * 1000;

/** After how many wrong codes a sign-in has ended. */
export const codeTries = 5;

/** Unknown login tokens that are answered in one window of time, at most. */
export const mostMisses = 120;

/** Milliseconds of a window of time. */
const countWindowMs = 60_000;

/** Sign-ins that were refused, or had a wrong code, and are remembered, at most; the oldest is forgotten first. */
const mostRemembered = 1_000;

/** The letters of a code: none that is mistaken for another. */
const codeLetters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 10;
const nameLength = 5;

/** Codes that the owner is shown in one window of time, at most: others who begin sign-ins must not flood the terminal. */
export const mostCodes = 20;

/** Bytes before and after what is sealed, in the form of AES-GCM. */
const sealStart = 12;
const sealEnd = 16;

/** A sign-in that was just begun. */
interface NewLogin {
  /** The token that the client asks with; an int32. */
  readonly token: number;
  /** The name that its window, its page and the line with its code show. */
  readonly name: string;
  readonly browserToken: string;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The state of the sign-in that a page was opened for; `exhausted` after too many wrong codes. */
export type LoginState = 'pending' | 'confirmed' | 'refused' | 'exhausted';

interface Ended {
  readonly state: 'refused' | 'exhausted' | 'spent';
  readonly expiresAt: number;
}

interface Confirmed {
  readonly userId: number;
  readonly expiresAt: number;
}

/** Shows the code of a sign-in, and the sign-in's name, to the owner, and to no one else. */
export type TellCode = (code: string, name: string) => void;

interface LoginsOptions {
  /** The time in milliseconds since the epoch. */
  readonly clock: () => number;
  /** See `TellCode`; without it no one can sign in with a browser. */
  readonly tellCode: TellCode | undefined;
}

/** See the module. All of it is in memory: a sign-in does not outlive the service. */
export class Logins {
  readonly #clock: () => number;
  readonly #tellCode: TellCode | undefined;
  readonly #key = randomBytes(32);
  readonly #confirmed = new Map<number, Confirmed>();
  readonly #ended = new Map<number, Ended>();
  readonly #wrongCodes = new Map<number, number>();
  /** Sign-ins whose codes the owner was shown. */
  readonly #shown = new Map<number, true>();
  #windowStart = 0;
  #misses = 0;
  #codes = 0;

  constructor({ clock, tellCode }: LoginsOptions) {
    this.#clock = clock;
    this.#tellCode = tellCode;
  }

  /**
   * Begins a sign-in, and shows the owner its code.
   *
   * @throws HttpError 403 where no one could be shown a code.
   */
  begin(): NewLogin {
    const expiresAt = this.#clock() + loginLifetimeMs;
    const token = randomInt(1, 2 ** 31);
    const browserToken = this.#seal(`${token}.${expiresAt}`);
    this.#offerCode(token);
    return { token, name: this.#nameOf(token), browserToken, expiresAt };
  }

  /** The state of the sign-in that a page was opened for, whose code the owner is shown unless they were; undefined when it isn't one of ours, or has expired. */
  find(browserToken: string): LoginState | undefined {
    const token = this.#read(browserToken);
    if (token === undefined) {
      return undefined;
    }
    const state = this.#stateOf(token);
    if (state === 'pending') {
      this.#offerCode(token);
    }
    return state;
  }

  /** The name of the sign-in that a page was opened for; empty when it is none of ours. */
  name(browserToken: string): string {
    const token = this.#read(browserToken);
    return token === undefined ? '' : this.#nameOf(token);
  }

  /**
   * Confirms a sign-in as a user, when the code is right.
   *
   * @returns where it stands then: `pending` after a wrong code; undefined when it is none of ours, or has expired.
   */
  confirm(browserToken: string, code: string, userId: number): LoginState | undefined {
    const token = this.#read(browserToken);
    if (token === undefined) {
      return undefined;
    }
    const state = this.#stateOf(token);
    if (state !== 'pending') {
      return state;
    }
    if (this.#isCode(token, code)) {
      this.#wrongCodes.delete(token);
      this.#confirmed.set(token, { userId, expiresAt: this.#clock() + spendLifetimeMs });
      return 'confirmed';
    }
    const wrong = (this.#wrongCodes.get(token) ?? 0) + 1;
    if (wrong < codeTries) {
      remember(this.#wrongCodes, token, wrong);
      return 'pending';
    }
    this.#wrongCodes.delete(token);
    this.#end(token, 'exhausted');
    return 'exhausted';
  }

  triesLeft(browserToken: string): number {
    const token = this.#read(browserToken);
    return codeTries - (token === undefined ? 0 : (this.#wrongCodes.get(token) ?? 0));
  }

  /**
   * Ends a sign-in that someone did not want; without effect once it was confirmed.
   *
   * @returns where it stands then; undefined when it is none of ours, or has expired.
   */
  refuse(browserToken: string): LoginState | undefined {
    const token = this.#read(browserToken);
    if (token === undefined) {
      return undefined;
    }
    if (this.#stateOf(token) === 'pending') {
      this.#end(token, 'refused');
    }
    return this.#stateOf(token);
  }

  /**
   * The user of a confirmed sign-in, exactly once. A confirmed sign-in is always answered, whatever others have guessed.
   *
   * @throws HttpError 410 when it will never come, 404 while it may, 429 when too many were asked for in vain.
   */
  spend(token: number): number {
    this.#forgetExpired();
    const confirmed = this.#confirmed.get(token);
    if (confirmed) {
      this.#confirmed.delete(token);
      this.#end(token, 'spent');
      return confirmed.userId;
    }
    switch (this.#ended.get(token)?.state) {
      case 'spent':
        throw new HttpError(410, 'login_spent', 'This login token was already used.');
      case 'refused':
        throw new HttpError(410, 'login_refused', 'The sign-in was declined.');
      case 'exhausted':
        throw new HttpError(
          410,
          'login_refused',
          'The sign-in was canceled because too many wrong codes were entered.',
        );
      default:
        this.#miss();
        throw new HttpError(404, 'login_pending', "The sign-in isn't confirmed yet, or doesn't exist.");
    }
  }

  #offerCode(token: number): void {
    if (!this.#tellCode) {
      throw new HttpError(
        403,
        'sign_in_closed',
        "This service only signs in the editor that started it. Signing in with a browser isn't available.",
      );
    }
    this.#turnWindow();
    if (!this.#shown.has(token) && this.#codes < mostCodes) {
      this.#codes++;
      remember(this.#shown, token, true);
      const text = this.#letters('code', token, codeLength);
      this.#tellCode(`${text.slice(0, codeLength / 2)}-${text.slice(codeLength / 2)}`, this.#nameOf(token));
    }
  }

  #nameOf(token: number): string {
    return this.#letters('name', token, nameLength);
  }

  /** Letters that belong to a sign-in, and that nobody can work out without our key. */
  #letters(purpose: 'code' | 'name', token: number, length: number): string {
    // A byte for each: there are 32 letters, so that each is as likely.
    const bytes = createHmac('sha256', this.#key).update(`${purpose}.${token}`).digest().subarray(0, length);
    return [...bytes].map((byte) => codeLetters[byte % codeLetters.length]).join('');
  }

  #isCode(token: number, typed: string): boolean {
    // As someone reads it aloud or copies it: in any case, with blanks, with letters for digits.
    const text = typed
      .slice(0, 100)
      .toUpperCase()
      .replaceAll(/[\s-]/g, '')
      .replaceAll('O', '0')
      .replaceAll(/[IL]/g, '1');
    return timingSafeEqual(digest(text), digest(this.#letters('code', token, codeLength)));
  }

  /** Encrypts what a page's address says: neither can it be made by others, nor does it give the login token away. */
  #seal(content: string): string {
    const start = randomBytes(sealStart);
    const cipher = createCipheriv('aes-256-gcm', this.#key, start);
    const sealed = [start, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString('base64url');
  }

  /** The login token of a page's address, when it is ours and has not expired. */
  #read(browserToken: string): number | undefined {
    const sealed = Buffer.from(browserToken.slice(0, 200), 'base64url');
    if (sealed.length <= sealStart + sealEnd) {
      return undefined;
    }
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, sealStart), {
        authTagLength: sealEnd,
      });
      decipher.setAuthTag(sealed.subarray(-sealEnd));
      const content = Buffer.concat([
        decipher.update(sealed.subarray(sealStart, -sealEnd)),
        decipher.final(),
      ]).toString('utf8');
      const [token, expiresAt] = content.split('.').map(Number);
      return expiresAt !== undefined && expiresAt > this.#clock() ? token : undefined;
    } catch {
      // Not one of ours.
      return undefined;
    }
  }

  #stateOf(token: number): LoginState {
    const ended = this.#ended.get(token)?.state;
    if (this.#confirmed.has(token) || ended === 'spent') {
      return 'confirmed';
    }
    return ended ?? 'pending';
  }

  #end(token: number, state: Ended['state']): void {
    remember(this.#ended, token, { state, expiresAt: this.#clock() + loginLifetimeMs });
  }

  #forgetExpired(): void {
    for (const logins of [this.#confirmed, this.#ended]) {
      for (const [token, { expiresAt }] of logins) {
        if (expiresAt <= this.#clock()) {
          logins.delete(token);
        }
      }
    }
  }

  /** Begins to count anew when the window of time has passed. */
  #turnWindow(): void {
    if (this.#clock() - this.#windowStart >= countWindowMs) {
      this.#windowStart = this.#clock();
      this.#misses = 0;
      this.#codes = 0;
    }
  }

  /** Counts a login token that no one has confirmed. */
  #miss(): void {
    this.#turnWindow();
    if (++this.#misses > mostMisses) {
      throw new HttpError(
        429,
        'too_many_attempts',
        'Too many requests with unknown login tokens. Wait a minute and try again.',
      );
    }
  }
}

/** Adds to a map that forgets its oldest entries. */
function remember<Value>(entries: Map<number, Value>, token: number, value: Value): void {
  entries.delete(token);
  entries.set(token, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= mostRemembered) {
      break;
    }
    entries.delete(oldest);
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
