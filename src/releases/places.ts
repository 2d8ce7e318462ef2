/** From where a release can be made: the open repositories, else the open folders. */
import * as vscode from 'vscode';
import { commitOfRevision, tagNames } from '../git/revisions.ts';
import { openRepositories } from '../git/repositories.ts';
import type { OpenRepository } from '../git/repository.ts';
import type { ReleasePlace, RevisionAnswer, VersionSuggestion } from '../protocol/release.ts';
import { manifestNames, versionInManifest, versionOfTags } from './versions.ts';

/** A repository or folder that is open. */
export interface Place extends ReleasePlace {
  repository?: OpenRepository;
}

/** The open repositories; without git the open folders, of which the files alone can be read. */
export async function findPlaces(): Promise<Place[]> {
  const repositories = await openRepositories();
  if (repositories.length === 0) {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return Promise.all(
      folders.map(async ({ uri, name }) => ({
        id: uri.toString(),
        name,
        hasGit: false,
        versions: await versionsOfFiles(uri),
      })),
    );
  }
  return Promise.all(
    repositories.map(async (repository) => {
      const uri = vscode.Uri.file(repository.root);
      const fromTag = versionOfTags(await tagNames(repository));
      const versions = [...(await versionsOfFiles(uri)), ...(fromTag ? [fromTag] : [])];
      return { id: uri.toString(), name: repository.name, hasGit: true, versions, repository };
    }),
  );
}

/** Finds the commit that a revision stands for; without git, a whole SHA stands for itself. */
export async function findRevision(
  place: Place | undefined,
  revision: string,
  signal?: AbortSignal,
): Promise<RevisionAnswer> {
  const text = revision.trim();
  if (place?.repository) {
    const commit = await commitOfRevision(place.repository, text, signal);
    return commit
      ? { kind: 'found', ...commit }
      : {
          kind: 'unknown',
          reason: vscode.l10n.t(
            'Couldn\'t find commit "{0}" in {1}. Enter a branch, tag, or SHA.',
            text,
            place.name,
          ),
        };
  }
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)) {
    return { kind: 'found', sha: text.toLowerCase() };
  }
  return {
    kind: 'unknown',
    reason: vscode.workspace.isTrusted
      ? vscode.l10n.t("Git isn't available here. Enter the full 40-character SHA.")
      : vscode.l10n.t("Git isn't run in untrusted folders. Enter the full 40-character SHA."),
  };
}

async function versionsOfFiles(folder: vscode.Uri): Promise<VersionSuggestion[]> {
  const found = await Promise.all(
    manifestNames.map(async (name) => {
      try {
        const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name));
        return { version: versionInManifest(name, Buffer.from(bytes).toString('utf8')), source: name };
      } catch {
        // Most projects have one of them.
        return { version: undefined, source: name };
      }
    }),
  );
  return found.flatMap(({ version, source }) => (version === undefined ? [] : [{ version, source }]));
}
