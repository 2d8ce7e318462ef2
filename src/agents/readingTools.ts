/** The tools by which agents read. None of it counts as read by the person. */
import type { Patch, PatchSection } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { CompareVersions } from '../git/versionComparison.ts';
import type { Model } from '../model/model.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { coverageOf, prepareCoverage, type Coverage } from '../model/prose/coverage.ts';
import { loadUnopened } from '../model/reading/loadUnopened.ts';
import { versionOf } from '../model/reading/patchVersion.ts';
import type { Readings } from '../model/reading/readings.ts';
import type { ReadingState } from '../model/reading/readSoFar.ts';
import { stackNameOf } from '../model/reading/stackName.ts';
import { Versions } from '../model/reading/versions.ts';
import { pathOf } from '../model/prose/filesByName.ts';
import type { PatchRef } from '../util/patchRef.ts';
import type { ShownComparison, ShownSection } from '../util/shownComparison.ts';
import { agentPatch, type AgentPatch, type AgentReadings } from './agentFingerprint.ts';
import { Answer, type ToolAnswer } from './answer.ts';
import { ToolRefusal, type ToolInput } from './toolTable.ts';

/** The collaborators of the tools. */
export interface ToolParts {
  model: Model;
  pendingChanges: PendingChanges;
  /** The readings of whoever is signed in; undefined when nobody is. */
  readings: () => Promise<Readings | undefined>;
  compareVersions: CompareVersions;
}

/** Projects, and patches, on a page. */
const projectsOnPage = 10;
const patchesOnPage = 20;

/** Stacks of a project that are listed. */
const mostStacks = 50;

/** The place of a patch as tools are given it. */
interface Place {
  stack: string;
  project?: string | undefined;
}

/** See the module. */
export class ReadingTools {
  readonly #parts: ToolParts;
  readonly #read: AgentReadings;

  constructor(parts: ToolParts, read: AgentReadings) {
    this.#parts = parts;
    this.#read = read;
  }

  async listStacks({ project, page = 1 }: ToolInput<'listStacks'>): Promise<ToolAnswer> {
    const { model } = this.#parts;
    const { items, hasMore } = (await model.projects()).value;
    const all = project === undefined ? items : items.filter(({ repositoryId }) => repositoryId === project);
    const shown = all.slice((page - 1) * projectsOnPage, page * projectsOnPage);
    const answer = new Answer();
    for (const { repositoryId, name, owner, slug } of shown) {
      const stacks = (await model.stacks(repositoryId, 'active')).value;
      answer.say(
        `Project ${answer.id(repositoryId)}: ${answer.name(name ?? `${owner ?? ''}/${slug ?? ''}`)}`,
        ...stacks.slice(0, mostStacks).map((stack) => `- ${describeStack(answer, stack)}`),
        ...(stacks.length > mostStacks ? [`- and ${stacks.length - mostStacks} more`] : []),
        ...(stacks.length === 0 ? ['- no active patch stack'] : []),
      );
    }
    if (shown.length === 0) {
      answer.say('No project on this page.');
    }
    const pages = Math.max(1, Math.ceil(all.length / projectsOnPage));
    return answer.page(
      1,
      `Projects, page ${page} of ${pages}${hasMore ? ' (the person has more projects than VS Code has loaded)' : ''}.`,
    );
  }

  async readStack({ stack: uuid, project, page = 1 }: ToolInput<'readStack'>): Promise<ToolAnswer> {
    const { model, pendingChanges } = this.#parts;
    const { stack, patches } = await this.#stack({ stack: uuid, project });
    const shown = patches.slice((page - 1) * patchesOnPage, page * patchesOnPage);
    const loaded = await loadUnopened(model, uuid, shown);
    const changes = pendingChanges.list();
    const answer = new Answer();
    if (page === 1) {
      answer.say(describeStack(answer, stack));
      answer.quote('description of the patch stack', stack.description ?? '');
    }
    for (const patch of loaded) {
      const read = agentPatch(patch, changes);
      this.#read.note(read);
      const { hunks, unexplained } = await this.#coverage(read, uuid);
      answer.say(
        `Patch ${answer.id(patch.changeId)}: ${answer.name(patch.title)}`,
        ...describeVersion(answer, read),
        `hunks: ${hunks}, explained: ${hunks - unexplained.length}`,
      );
    }
    const pages = Math.max(1, Math.ceil(patches.length / patchesOnPage));
    return answer.page(1, `Patches of the stack from base to tip, page ${page} of ${pages}.`);
  }

  async readPatch({ stack, patch, project, page = 1 }: ToolInput<'readPatch'>): Promise<ToolAnswer> {
    const read = await this.patch({ stack, project }, patch, page === 1);
    this.#read.note(read);
    const answer = new Answer();
    answer.say(`Title: ${answer.name(read.patch.title)}`);
    for (const section of read.sections) {
      quoteSection(answer, section, read);
    }
    return answer.page(page, `Patch ${answer.id(patch)}`, ...describeVersion(answer, read));
  }

  async readChangesSinceRead(input: ToolInput<'readChangesSinceRead'>): Promise<ToolAnswer> {
    const { model, readings, compareVersions } = this.#parts;
    const { page = 1 } = input;
    const read = await this.patch(input, input.patch, page === 1);
    const ref = await this.located(input, input.patch);
    const known = await readings();
    const versions = new Versions({ model, readings: known, ofCommit: async () => undefined });
    const answer = new Answer();
    const head = [`Patch ${answer.id(input.patch)}`, ...describeVersion(answer, read)];
    const found = await versions.find(ref, read.patch, { kind: 'lastRead' });
    if (!found) {
      const [reading] = (await known?.states(stackNameOf(ref), [read.patch])) ?? [];
      answer.say(readText(reading?.state));
      return answer.page(page, ...head);
    }
    const shown = await compareVersions([found.version, versionOf(read.patch)]);
    answer.say(
      `Compared with the version that the person read last${found.number === undefined ? '' : ` (${answer.id(found.number)})`}: ${verdictText(shown)}.`,
    );
    describeComparison(answer, read.patch, shown);
    return answer.page(page, ...head);
  }

  async coverage({ stack, patch, project, page = 1 }: ToolInput<'coverage'>): Promise<ToolAnswer> {
    const { model, pendingChanges } = this.#parts;
    const answer = new Answer();
    if (patch === undefined) {
      const { patches } = await this.#stack({ stack, project });
      const loaded = await loadUnopened(model, stack, patches);
      const changes = pendingChanges.list();
      for (const loadedPatch of loaded) {
        const read = agentPatch(loadedPatch, changes);
        this.#read.note(read);
        const { hunks, unexplained } = await this.#coverage(read, stack);
        answer.say(
          `Patch ${answer.id(loadedPatch.changeId)}: ${hunks} hunks, ${unexplained.length} unexplained.`,
          ...describeVersion(answer, read),
        );
      }
      return answer.page(page, 'How much of each patch prose explains.');
    }
    const read = await this.patch({ stack, project }, patch, page === 1);
    this.#read.note(read);
    const { hunks, unexplained } = await this.#coverage(read, stack);
    const files = new Map(read.sections.map((section) => [section.code, section]));
    for (const { code, place } of unexplained) {
      const section = files.get(code);
      const path = section?.sectionType === 'diff' ? pathOf(section) : undefined;
      const lines = place
        ? `lines ${place.new.start} to ${place.new.start + Math.max(0, place.new.count - 1)}`
        : 'the file as a whole';
      answer.say(`Section ${answer.id(code)}, ${answer.name(path)}: ${lines}.`);
    }
    return answer.page(
      page,
      `Patch ${answer.id(patch)}: ${hunks} hunks, ${unexplained.length} of them unexplained.`,
      ...describeVersion(answer, read),
    );
  }

  /**
   * A patch as it is now.
   *
   * @param isFresh whether the service is asked in any case: the first page says how things are, and the others go with it.
   */
  async patch(place: Place, changeId: string, isFresh = false): Promise<AgentPatch> {
    const { model, pendingChanges } = this.#parts;
    const ref = await this.located(place, changeId);
    if (isFresh) {
      model.markPatchStale(ref);
    }
    const patch = await model.patchUnopened(ref);
    return agentPatch(patch, pendingChanges.list());
  }

  /** The place of a patch, with its project. @throws {ToolRefusal} when no such stack is known. */
  async located({ stack, project }: Place, changeId: string): Promise<PatchRef & { projectId: string }> {
    const { model } = this.#parts;
    await model.projects('atOnce');
    const ref = model.located({
      stackUuid: stack,
      changeId,
      ...(project !== undefined && { projectId: project }),
    });
    const { projectId } = ref;
    if (projectId === undefined) {
      throw new ToolRefusal('No such patch stack is known. Call listStacks first, or name its project.');
    }
    const { branchId = (await model.findStack(projectId, stack))?.branchId } = ref;
    return { ...ref, projectId, branchId };
  }

  async #coverage({ patch, sections }: AgentPatch, stackUuid: string): Promise<Coverage> {
    const { model } = this.#parts;
    await prepareCoverage(sections, { model, ref: { stackUuid, changeId: patch.changeId }, patch });
    return coverageOf(sections);
  }

  async #stack(place: Place): Promise<{ stack: PatchStack; patches: Patch[] }> {
    const found = await this.#parts.model.stackOfPatch(await this.located(place, ''));
    if (!found) {
      throw new ToolRefusal('There is no such patch stack in that project.');
    }
    return found;
  }
}

function describeStack(answer: Answer, { uuid, title, branchId, version, status }: PatchStack): string {
  return [
    `patch stack ${answer.id(uuid)}: ${answer.name(title ?? branchId)}`,
    `branch ${answer.name(branchId)}`,
    `version ${answer.id(version ?? '?')}`,
    `status ${answer.id(status ?? '?')}`,
  ].join(', ');
}

function describeVersion(answer: Answer, { patch, fingerprint, changes }: AgentPatch): string[] {
  const { version, commitSha } = patch;
  return [
    `version: ${answer.id(version ?? '?')}, commit: ${answer.id(commitSha ?? '?')}`,
    `fingerprint: ${fingerprint}`,
    ...(changes.length > 0
      ? [
          `This includes ${changes.length} changes that are not saved yet, which are the person's or were proposed.`,
        ]
      : []),
  ];
}

function quoteSection(answer: Answer, section: PatchSection, { changes }: AgentPatch): void {
  const code = answer.id(section.code);
  switch (section.sectionType) {
    case 'text': {
      const isPending = changes.some(
        ({ subject }) =>
          ('code' in subject && subject.code === section.code) ||
          ('key' in subject && subject.key === section.code),
      );
      answer.quote(`text section ${code}${isPending ? ', not saved yet' : ''}`, section.text ?? '');
      break;
    }
    case 'diff':
      answer.say(`Diff section ${code}: ${answer.name(pathOf(section))}`);
      answer.quote(`diff of section ${code}`, section.diffPatch ?? '');
      break;
    case 'unknown':
      answer.say(`Section ${code}, which can't be read.`);
      break;
  }
}

/** Writes what changed, and nothing of what did not. */
function describeComparison(
  answer: Answer,
  patch: Patch,
  { sections, removed, title, message }: ShownComparison,
): void {
  if (title) {
    answer.say(`The title changed; it is now: ${answer.name(patch.title)}`);
  }
  if (message) {
    answer.quote('the message, which changed', patch.description ?? '');
  }
  for (const [index, section] of (patch.sections ?? []).entries()) {
    const shown = sections[index];
    if (shown && (shown.isMoved || (shown.verdict !== 'same' && shown.verdict !== 'rebased'))) {
      quoteChange(answer, section, shown);
    }
  }
  for (const gone of removed) {
    if (gone.kind === 'text') {
      answer.quote('a text that is gone', gone.text);
    } else {
      answer.say(`No longer changed: ${answer.name(gone.path)}`);
    }
  }
}

function quoteChange(answer: Answer, section: PatchSection, shown: ShownSection): void {
  const code = answer.id(section.code);
  answer.say(`Section ${code}: ${shown.verdict}${shown.isMoved ? ', moved' : ''}.`);
  if (shown.verdict === 'same' || shown.verdict === 'rebased') {
    return;
  }
  if (section.sectionType === 'text') {
    if (shown.textBefore !== undefined) {
      answer.quote(`text before, of section ${code}`, shown.textBefore);
    }
    answer.quote(`text now, of section ${code}`, section.text ?? '');
  } else if (section.sectionType === 'diff') {
    answer.say(`File: ${answer.name(pathOf(section))}`);
    if (shown.diff !== undefined) {
      answer.quote(`what its author changed since, in section ${code}`, shown.diff);
    } else {
      if (shown.both) {
        answer.quote(`diff before, of section ${code}`, shown.both.olderDiff);
      }
      answer.quote(`diff now, of section ${code}`, section.diffPatch ?? '');
    }
  }
}

/** What is known of a patch of which there is no earlier version to compare it with. */
function readText(state: ReadingState = 'unread'): string {
  switch (state) {
    case 'unread':
      return 'The person has not read this patch yet, as far as this computer knows.';
    case 'read':
    case 'partlyRead':
    case 'unchanged':
      return 'Nothing changed since the person read it.';
    default:
      return 'The person read an earlier version, which is no longer available: what changed since is not known.';
  }
}

/** What became of a patch, as far as that is known: diffs that are alike may be of other places. */
function verdictText({ verdict, isFromDiffs }: ShownComparison): string {
  return isFromDiffs && verdict !== 'changed' ? 'alike as far as the diffs show' : verdict;
}
