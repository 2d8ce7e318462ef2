/** What a patch document's page asks for while it is read. */
import * as vscode from 'vscode';
import type { DiffSection, Patch, PatchUser } from '../api/types/patches.ts';
import type { PatchReference } from '../contributions.ts';
import { findCommit } from '../git/commits.ts';
import type { Model } from '../model/model.ts';
import type { PatchDocumentHost, ReadingPreferences } from '../protocol/patchDocument.ts';
import type { Handlers } from '../protocol/rpc.ts';
import type { Connection } from '../session/connection.ts';
import { runCommand } from '../ui/commands.ts';
import { fileLines } from './fileLines.ts';
import { goToActive } from './stackStatus.ts';
import type { ViewedMarks } from './viewedMarks.ts';

/** What reading needs of the rest. */
export interface ReadingContext {
  connection: Connection;
  model: Model;
  /** Keeps how the person wants diffs to be laid out. */
  memory: vscode.Memento;
  /** The marks of the account that is signed in; undefined when nobody is. */
  viewedMarks: () => Promise<ViewedMarks | undefined>;
}

type ReadingMethods = Pick<
  PatchDocumentHost,
  | 'diff'
  | 'diffs'
  | 'preferences'
  | 'setPreferences'
  | 'setViewed'
  | 'avatars'
  | 'commitInWorkspace'
  | 'fileLines'
  | 'openNeighbour'
  | 'openChanges'
  | 'openFile'
  | 'copyLink'
  | 'openCommit'
  | 'goToActive'
  | 'showUser'
  | 'copy'
>;

const preferencesKey = 'readingPreferences';

/** Answers the page of whichever patch `reference` names at the time. */
export function readingHandlers(
  context: ReadingContext,
  reference: () => PatchReference,
): Handlers<ReadingMethods> {
  const patch = async (): Promise<Patch> => (await context.model.patch(reference())).value;
  const file = async (code: string): Promise<DiffSection> => {
    const section = (await patch()).sections?.find((candidate) => candidate.code === code);
    if (section?.sectionType !== 'diff') {
      throw new Error(vscode.l10n.t('This section no longer exists.'));
    }
    return section;
  };
  return {
    diff: async ({ code }) => (await file(code)).diffPatch ?? '',
    diffs: async () =>
      Object.fromEntries(
        ((await patch()).sections ?? []).flatMap((section) =>
          section.sectionType === 'diff' ? [[section.code, section.diffPatch ?? '']] : [],
        ),
      ),
    preferences: () => readPreferences(context.memory),
    setPreferences: async (preferences) => {
      await context.memory.update(preferencesKey, preferences);
      return null;
    },
    setViewed: async ({ code, viewed }) => {
      const section = (await patch()).sections?.find((candidate) => candidate.code === code);
      if (section) {
        await (await context.viewedMarks())?.set(reference(), section, viewed);
      }
      return null;
    },
    avatars: async (_parameters, signal) => avatars(await patch(), context, signal),
    commitInWorkspace: async () => (await findCommit((await patch()).commitSha)) !== undefined,
    fileLines: async ({ code }, signal) => fileLines(await patch(), await file(code), signal),
    // Through commands, which tell the person what went wrong; this document is the active one when they click in it.
    openNeighbour: async ({ direction }) => {
      await runCommand(direction === 'next' ? 'nextPatch' : 'previousPatch');
      return null;
    },
    openChanges: async ({ code }) => {
      await runCommand('openChanges', { ...reference(), sectionCode: code });
      return null;
    },
    openFile: async ({ path, line }) => {
      const { commitSha } = await patch();
      await runCommand('openFile', { commitSha, path, line });
      return null;
    },
    openCommit: async () => {
      await runCommand('openCommit', reference());
      return null;
    },
    goToActive: async () => {
      await goToActive(context.model, reference());
      return null;
    },
    showUser: async ({ login }) => {
      await runCommand('showUser', login);
      return null;
    },
    copy: async ({ text }) => {
      await vscode.env.clipboard.writeText(text);
      return null;
    },
    copyLink: async () => {
      await runCommand('copyLink', reference());
      return null;
    },
  };
}

/** How the person wants diffs to be laid out. */
export function readPreferences(memory: vscode.Memento): ReadingPreferences {
  const { layout, ignoreWhitespace } = memory.get<Partial<ReadingPreferences>>(preferencesKey, {});
  return {
    layout: layout === 'sideBySide' ? 'sideBySide' : 'unified',
    ignoreWhitespace: ignoreWhitespace === true,
  };
}

/** The pictures of everybody in the document, by the address that the service gave; those that cannot be had are left out. */
async function avatars(
  { contributors, review, reviewAll }: Patch,
  { connection }: ReadingContext,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const users: (PatchUser | undefined)[] = [
    ...contributors.map(({ user }) => user),
    ...[review, reviewAll].flatMap((all) => [
      ...(all?.viewed ?? []),
      ...(all?.signedOff ?? []),
      ...(all?.rejected ?? []),
    ]),
  ];
  const urls = new Set(users.flatMap((user) => user?.avatarUrl ?? []));
  const avatar = async (url: string): Promise<string | undefined> => {
    const { avatarAddress } = await import('../session/avatars.ts');
    return connection.use((client) => avatarAddress(client, url, signal));
  };
  const found = await Promise.all(
    [...urls].map(async (url): Promise<[string, string | undefined]> => [
      url,
      await avatar(url).catch(() => undefined),
    ]),
  );
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
