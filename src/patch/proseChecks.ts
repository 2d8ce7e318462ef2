/** Checks the text of a section for its author: by itself, and against the files of its patch. */
import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import { hasObject } from '../git/blobs.ts';
import { repositoryWith } from '../git/repositories.ts';
import type { OpenRepository } from '../git/repository.ts';
import type { Model } from '../model/model.ts';
import { fileOf } from '../model/prose/followReference.ts';
import { withoutEnd } from '../util/budget.ts';
import type { PatchRef } from '../util/patchRef.ts';
import { checkProse, targetsIn, type ProseFinding, type ProseTarget } from '../util/proseChecks.ts';
import { newlineCount } from '../util/newlineCount.ts';
import { imagePath } from '../util/proseImage.ts';
import { ProseLinks, type ProseLink } from '../util/proseLink.ts';
import { withoutFences, wordsIn } from '../util/proseNames.ts';
import type { ProseProblem } from '../util/proseProblem.ts';
import { proseLinks } from './proseLinks.ts';

/** Problems that are told of one text. */
const mostProblems = 50;

/** See the module. */
export async function checkText(
  model: Model,
  ref: PatchRef,
  text: string,
  signal: AbortSignal,
): Promise<ProseProblem[]> {
  const { value } = await model.patch(ref);
  const exists = filesOf(value, signal);
  const found = [
    ...checkProse(text).map(problemOf),
    ...(await deadLinks(text, exists)),
    ...(await brokenReferences(text, await proseLinks(model, ref, text, signal), exists)),
  ];
  return found.sort((one, other) => one.start - other.start).slice(0, mostProblems);
}

function problemOf({ kind, start, end, fix }: ProseFinding): ProseProblem {
  switch (kind) {
    case 'emptyHeading':
      return {
        start,
        end,
        message: vscode.l10n.t("This heading doesn't have any words."),
        fix: { ...fix, title: vscode.l10n.t('Remove Heading') },
      };
    case 'fenceWithoutLanguage':
      return {
        start,
        end,
        message: vscode.l10n.t("This code block doesn't say its language, so it isn't colored."),
        fix: { ...fix, title: vscode.l10n.t('Mark as Plain Text') },
      };
    case 'trailer':
      return {
        start,
        end,
        message: vscode.l10n.t('These lines belong to the message of the commit, not to a section.'),
        fix: { ...fix, title: vscode.l10n.t('Remove Trailers') },
      };
  }
}

type Exists = (path: string) => Promise<boolean>;

async function deadLinks(text: string, exists: Exists): Promise<ProseProblem[]> {
  const problems: ProseProblem[] = [];
  for (const { target, start, end } of targetsIn(text)) {
    if (await isDead({ target, start, end }, exists)) {
      const message = target === '' ? vscode.l10n.t("This link doesn't lead anywhere.") : missingText(target);
      problems.push({ start, end, message });
    }
  }
  return problems;
}

function missingText(path: string): string {
  return vscode.l10n.t("The repository doesn't have {0} at this version.", path);
}

async function isDead({ target }: ProseTarget, exists: Exists): Promise<boolean> {
  const path = imagePath(target);
  // Addresses of other servers aren't asked for: that would tell them what is read here.
  return target === '' || (path !== undefined && path !== '' && !(await exists(path)));
}

/** Returns false of a file that is neither in the patch nor at its commit; true when nobody can tell. */
function filesOf(patch: Patch, signal: AbortSignal): Exists {
  let asked: Promise<OpenRepository | undefined> | undefined;
  const known = new Map<string, Promise<boolean>>();
  const look = async (path: string): Promise<boolean> => {
    if (fileOf(patch, path)) {
      return true;
    }
    const repository = await (asked ??= repositoryWith(patch.commitSha, signal));
    return !repository || hasObject(repository, `${patch.commitSha}:${withoutEnd(path, '/')}`, signal);
  };
  return (path) => {
    const found = known.get(path) ?? look(path);
    known.set(path, found);
    return found;
  };
}

/** A path with its folders: of other words with a number behind them nobody knows that they mean lines. */
const filePath = /^[^/].*\/[^/]*\.\p{L}[\p{L}\p{N}]*$/u;

/** The lines of files that are named and that aren't there, or not any more. */
async function brokenReferences(
  text: string,
  links: readonly ProseLink[],
  exists: Exists,
): Promise<ProseProblem[]> {
  const targets = new ProseLinks(links);
  const problems: ProseProblem[] = [];
  for (const { text: name, index, name: path, start } of wordsIn(withoutFences(text))) {
    const target = targets.at(name, newlineCount(text.slice(0, index)));
    const place = { start: index, end: index + name.length };
    if (target?.kind === 'lost') {
      const message = vscode.l10n.t("The lines {0} can't be found in this version.", name);
      problems.push({ ...place, message });
    } else if (!target && start !== undefined && filePath.test(path) && !(await exists(path))) {
      problems.push({ ...place, message: missingText(path) });
    }
    if (problems.length >= mostProblems) {
      break;
    }
  }
  return problems;
}
