/** Answers the requests that a patch document's page makes while it is read. */
import * as vscode from 'vscode';
import type { Patch, PatchUser } from '../api/types/patches.ts';
import type { Colors } from '../colors/colors.ts';
import { readSetting } from '../contributions.ts';
import { findCommit } from '../git/commits.ts';
import { fingerprintOf } from '../model/fingerprint.ts';
import type { Model } from '../model/model.ts';
import type { Readings } from '../model/reading/readings.ts';
import type { Mark } from '../model/reading/carryMarks.ts';
import type { PatchDocumentHost, ReadingPreferences } from '../protocol/patchDocument.ts';
import type { Handlers } from '../protocol/rpc.ts';
import type { Connection } from '../session/connection.ts';
import { runCommand } from '../ui/commands.ts';
import { goToActive } from './stackStatus.ts';
import type { PatchRef, SectionRef } from '../util/patchRef.ts';
import { Turns } from '../util/turns.ts';
import { stackNameOf } from '../model/reading/stackName.ts';

export interface ReadingContext {
  connection: Connection;
  model: Model;
  colors: Colors;
  /** Keeps how the person wants diffs to be laid out. */
  memory: vscode.Memento;
  /** The readings of the account that is signed in; undefined when none is. */
  readings: () => Promise<Readings | undefined>;
}

type ReadingMethods = Pick<
  PatchDocumentHost,
  | 'preferences'
  | 'setPreferences'
  | 'setRead'
  | 'noteSeen'
  | 'avatars'
  | 'commitInWorkspace'
  | 'openNeighbor'
  | 'openChanges'
  | 'openFile'
  | 'copyLink'
  | 'openCommit'
  | 'openOtherCommit'
  | 'goToActive'
  | 'showUser'
  | 'copy'
>;

const preferencesKey = 'readingPreferences';

/** Answers the page of whichever patch `ref` names at the time. */
export function readingHandlers(context: ReadingContext, ref: () => SectionRef): Handlers<ReadingMethods> {
  // The page asks of patches that nobody reads yet, too, such as those that it searches.
  const patch = (): Promise<Patch> => context.model.patchUnopened(ref());
  // A tick that is taken away again is noted after the tick, however long that took.
  const notes = new Turns(1);
  return {
    preferences: () => readPreferences(context.memory),
    setPreferences: async (preferences) => {
      await keepPreferences(context.memory, preferences);
      return null;
    },
    setRead: async ({ code, isRead }) => {
      const mark = isRead ? { viewed: true } : { seen: false, viewed: false };
      const of = ref();
      await notes.take(async () => {
        const patch = await context.model.patchUnopened(of);
        return noteRead(context, of, () => context.model.knownContent(of) ?? patch, [code], mark);
      });
      return null;
    },
    noteSeen: async ({ fingerprint, codes }) => {
      const of = ref();
      const shown = (): Patch | undefined => {
        const patch = context.model.knownPatch(of)?.value;
        return patch && fingerprintOf(patch) === fingerprint ? patch : undefined;
      };
      // A section counts as seen only while the person looks at the window, and the patch is still that one.
      if (!vscode.window.state.focused || !shown()) {
        return false;
      }
      return notes.take(() =>
        codes.length > 0
          ? noteRead(context, of, shown, codes, { seen: true })
          : noteWhole(context, of, shown),
      );
    },
    avatars: async (_parameters, signal) => avatars(await patch(), context, signal),
    commitInWorkspace: async () => (await findCommit((await patch()).commitSha)) !== undefined,
    // Through commands, which tell the person what went wrong; this document is the active one when they click in it.
    openNeighbor: async ({ direction }) => {
      await runCommand(direction === 'next' ? 'nextPatch' : 'previousPatch');
      return null;
    },
    openChanges: async ({ code }) => {
      await runCommand('openChanges', { ...ref(), sectionCode: code });
      return null;
    },
    openFile: async ({ path, line }) => {
      const { commitSha } = await patch();
      await runCommand('openFile', { commitSha, path, line });
      return null;
    },
    openCommit: async () => {
      await runCommand('openCommit', ref());
      return null;
    },
    openOtherCommit: async ({ sha }) => {
      await runCommand('openFile', { commitSha: sha });
      return null;
    },
    goToActive: async () => {
      await goToActive(context.model, ref());
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
      await runCommand('copyLink', ref());
      return null;
    },
  };
}

/** Notes that the person has seen what became of a patch in which there is nothing else to read. False when another one is shown by now. */
async function noteWhole(
  { model, readings }: ReadingContext,
  ref: SectionRef,
  shown: () => Patch | undefined,
): Promise<boolean> {
  const known = await readings();
  const others = await knownPatches(model, ref);
  return (await known?.noteWhole(stackNameOf(model.located(ref)), shown, others)) ?? true;
}

/** Notes what the person has done with sections of a patch. False when another one is shown by now. */
async function noteRead(
  { model, readings }: ReadingContext,
  ref: SectionRef,
  shown: () => Patch | undefined,
  codes: readonly string[],
  mark: Partial<Mark>,
): Promise<boolean> {
  const known = await readings();
  const others = await knownPatches(model, ref);
  return (await known?.noteShown(stackNameOf(model.located(ref)), shown, codes, mark, others)) ?? true;
}

/** The patches of the stack of one, as far as their content is known. */
export async function knownPatches(model: Model, ref: PatchRef): Promise<Patch[]> {
  const place = await model.stackOfPatch(ref).catch(() => undefined);
  return (place?.patches ?? []).flatMap(
    ({ changeId }) => model.knownContent({ stackUuid: ref.stackUuid, changeId }) ?? [],
  );
}

/** The person's preferences for the layout of diffs. */
export function readPreferences(memory: vscode.Memento): ReadingPreferences {
  const { layout, ignoreWhitespace, wrap } = memory.get<Partial<ReadingPreferences>>(preferencesKey, {});
  return {
    layout: layout === 'sideBySide' ? 'sideBySide' : 'unified',
    ignoreWhitespace: ignoreWhitespace === true,
    wrap: wrap !== false,
  };
}

/** Keeps how the person wants diffs to be laid out. */
export async function keepPreferences(
  memory: vscode.Memento,
  preferences: ReadingPreferences,
): Promise<void> {
  await memory.update(preferencesKey, preferences);
}

/** The profile pictures of everyone in the document, by the address that the service gave; those that cannot be had are left out. */
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
    return connection.use((client) =>
      avatarAddress(client, url, readSetting('markdown.loadRemoteImages'), signal),
    );
  };
  const found = await Promise.all(
    [...urls].map(async (url): Promise<[string, string | undefined]> => [
      url,
      await avatar(url).catch(() => undefined),
    ]),
  );
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
