/** Answers the requests of a patch document's page about its prose: each answer is loaded when it is first asked for. */
import * as vscode from 'vscode';
import type { PendingChange } from '../model/pending/pendingChange.ts';
import { writtenSections } from '../model/prose/writtenSections.ts';
import type { PatchDocumentHost } from '../protocol/patchDocument.ts';
import type { Handlers } from '../protocol/rpc.ts';
import type { SectionRef } from '../util/patchRef.ts';
import type { ReadingContext } from './readingHandlers.ts';

type ProseMethods = Pick<
  PatchDocumentHost,
  'proseLinks' | 'chooseLine' | 'emoji' | 'images' | 'checkText' | 'offeredNames' | 'template'
>;

/**
 * Answers the page of whichever patch `ref` names at the time.
 *
 * @param unsent the changes of that patch that the service doesn't have yet.
 */
export function proseHandlers(
  { model }: ReadingContext,
  ref: () => SectionRef,
  unsent: () => readonly PendingChange[],
): Handlers<ProseMethods> {
  const textOf = async (code: string): Promise<string | undefined> => {
    const { sections = [] } = await model.patchUnopened(ref());
    const section = writtenSections(sections, unsent()).find((one) => one.code === code);
    return section?.sectionType === 'text' ? section.text : undefined;
  };
  return {
    proseLinks: async ({ code }, signal) => {
      const text = await textOf(code);
      return text === undefined
        ? []
        : (await import('./proseLinks.ts')).proseLinks(model, ref(), text, signal);
    },
    chooseLine: async ({ lines }) => (await import('./chooseLine.ts')).chooseLine(lines),
    emoji: async () => (await import('../ui/emoji.ts')).emojiByName(),
    images: async ({ paths }, signal) => {
      const [patch, { proseImages }, { openRepositories }] = await Promise.all([
        model.patchUnopened(ref()),
        import('./proseImages.ts'),
        import('../git/repositories.ts'),
      ]);
      return proseImages(
        patch,
        paths,
        await openRepositories(),
        { isTrusted: vscode.workspace.isTrusted },
        signal,
      );
    },
    checkText: async ({ text }, signal) =>
      (await import('./proseChecks.ts')).checkText(model, ref(), text, signal),
    offeredNames: async (_parameters, signal) =>
      (await import('./offeredNames.ts')).offeredNames(model, ref(), signal),
    template: async () =>
      (await import('./sectionTemplate.ts')).sectionTemplate(await model.patchUnopened(ref())),
  };
}
