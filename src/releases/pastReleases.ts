import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Release } from '../api/types/releases.ts';
import { isoTime } from '../api/timestamp.ts';
import type { PastRelease, ReleaseView } from '../protocol/release.ts';
import { plainTexts } from '../util/visibleText.ts';

const key = 'pastReleases';

const limit = 10;

/** The releases that were created from this workspace last. */
export class PastReleases {
  readonly #memory: vscode.Memento;

  /** @param memory that of the workspace. */
  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** Newest first. */
  list(): PastRelease[] {
    return this.#memory.get<PastRelease[]>(key, []);
  }

  /** Keeps one more; the oldest goes. */
  async add(server: string, release: Release, now = new Date()): Promise<void> {
    const past = {
      id: randomUUID(),
      server,
      createdAt: now.toISOString(),
      release: releaseView(release),
    };
    await this.#memory.update(key, [past, ...this.list()].slice(0, limit));
  }
}

function releaseView(release: Release): ReleaseView {
  const { version, channel, sha, buildVersion, notes, releasedAt, builds } = release;
  return {
    ...plainTexts({
      version,
      ...(channel !== undefined && { channel }),
      ...(sha !== undefined && { sha }),
      ...(buildVersion !== undefined && { buildVersion }),
      ...(releasedAt !== undefined && { releasedAt: isoTime(releasedAt) }),
      builds,
    }),
    ...(notes !== undefined && { notes }),
  };
}
