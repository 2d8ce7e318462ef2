import { parseServerRoot } from '../../api/server.ts';
import { setContext } from '../../contributions.ts';
import type { Connection } from '../../session/connection.ts';
import type { ProjectSharing } from '../../ui/sharingTexts.ts';
import { DisposableStore, type Disposable } from '../../util/disposable.ts';
import { Emitter } from '../../util/event.ts';
import { inBackground } from '../../util/inBackground.ts';

/** The project of the window's local service. */
interface ServedProject {
  serverUrl: string;
  projectId: string;
  sharing: ProjectSharing;
}

/** The sharing of the project that the local service has, as far as it is known, for rows and menus. */
export class SharingState implements Disposable {
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<string>());
  readonly #connection: Pick<Connection, 'activeServer' | 'onDidChangeAccount'>;
  #served: ServedProject | undefined;

  /** Fires with the id of a project of which something else is known. */
  readonly onDidChange = this.#changed.event;

  constructor(connection: Pick<Connection, 'activeServer' | 'onDidChangeAccount'>) {
    this.#connection = connection;
    this.#disposables.add(connection.onDidChangeAccount(() => this.#tellMenus()));
  }

  /** The sharing of a project of the active server; undefined for one that the local service doesn't have. */
  of(projectId: string): ProjectSharing | undefined {
    const served = this.#served;
    return served?.projectId === projectId && served.serverUrl === this.#connection.activeServer
      ? served.sharing
      : undefined;
  }

  /** True where the active server runs on this computer, and this window has not started it: `npm start` or `npm run service` has. */
  get isElsewhere(): boolean {
    const { activeServer } = this.#connection;
    return (
      activeServer !== undefined &&
      activeServer !== this.#served?.serverUrl &&
      parseServerRoot(activeServer)?.loopback === true
    );
  }

  /** Notes what is known now; undefined when the local service is gone. */
  set(served: ServedProject | undefined): void {
    const before = this.#served;
    this.#served = served;
    for (const projectId of new Set([before?.projectId, served?.projectId])) {
      if (projectId !== undefined) {
        this.#changed.fire(projectId);
      }
    }
    this.#tellMenus();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #tellMenus(): void {
    const sharing = this.#served && this.of(this.#served.projectId);
    const state = sharing ? (sharing.remote === undefined ? 'off' : 'on') : undefined;
    inBackground(setContext('sharing', state ?? (this.isElsewhere ? 'elsewhere' : '')));
  }
}
