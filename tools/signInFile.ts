/** Hands a sign-in over to the extension: in a file that only this user can read, and that the extension deletes. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
  type FSWatcher,
} from 'node:fs';
import path from 'node:path';
import type { StartupSignIn } from '../src/accounts/signInFile.ts';

/** The file of a sign-in, anew for each window that is to be signed in. */
export class SignInFile {
  /** Names the file to the extension: nothing secret is in it. */
  readonly environment: NodeJS.ProcessEnv;
  readonly #folder: string;
  readonly #file: string;
  readonly #text: string;

  /** @param directory a folder of this user, in which a folder for the file is made. */
  constructor(directory: string, { url, token, folder, data, showsStack, branch }: StartupSignIn) {
    this.#folder = path.join(directory, 'hand-over');
    this.#file = path.join(this.#folder, 'sign-in.json');
    this.#text = JSON.stringify({ url, token, folder, data, showsStack, branch });
    this.environment = { PATCH_STACKS_SIGN_IN_FILE: this.#file };
  }

  /** Puts the sign-in into the file. Not later than the window needs it: whoever opens the window may be next. */
  write(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    // The mode above counts only for a new folder.
    chmodSync(this.#folder, 0o700);
    const temporary = `${this.#file}.new`;
    rmSync(temporary, { force: true });
    writeFileSync(temporary, this.#text, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, this.#file);
  }

  /** Says when someone has taken it. */
  onTaken(tell: () => void): FSWatcher {
    return watch(this.#folder, () => {
      if (!existsSync(this.#file)) {
        tell();
      }
    });
  }

  /** Deletes what no one has taken. */
  delete(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
