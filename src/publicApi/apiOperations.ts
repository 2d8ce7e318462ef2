import type * as service from '../api/types/patches.ts';
import type * as projects from '../api/types/projects.ts';
import type * as stacks from '../api/types/stacks.ts';
import type { Model, ModelChange } from '../model/model.ts';
import type { ApiOperations } from './lazyApi.ts';
import type { Change, Patch, Project, Section, Stack, Target } from './patchStacks.ts';

/** The operations of the interface for other extensions, on what the window knows. */
export function createOperations(
  model: () => Promise<Model>,
  open: (target: Target) => Promise<void>,
): ApiOperations {
  return {
    projects: async () => (await (await model()).projects()).value.items.map(toProject),
    stacks: async (projectId, status) =>
      (await (await model()).stacks(projectId, status ?? 'all')).value.map((stack) =>
        toStack(projectId, stack),
      ),
    patches: async (projectId, stackUuid) => {
      const created = await model();
      const stack = (await created.stacks(projectId, 'all')).value.find(({ uuid }) => uuid === stackUuid);
      const patches = stack ? (await created.patchesOfStack(projectId, stack)).value : [];
      return patches.map((patch) => toPatch(stackUuid, patch));
    },
    patch: async (stackUuid, changeId) => {
      const { value } = await (await model()).patch({ stackUuid, changeId });
      return { ...toPatch(stackUuid, value), sections: (value.sections ?? []).map(toSection) };
    },
    open,
    reveal: ({ projectId, stackUuid }) => open({ projectId, ...(stackUuid !== undefined && { stackUuid }) }),
  };
}

/** A change of the model, as other extensions are told of it. */
export function toChange(change: ModelChange): Change {
  switch (change.kind) {
    case 'project':
      return { kind: 'projects' };
    case 'stackPatches':
      return { kind: 'patches', stackUuid: change.stackUuid };
    case 'patch':
      return { kind: 'patch', stackUuid: change.patch.stackUuid, changeId: change.patch.changeId };
    default:
      return change;
  }
}

function toProject({ repositoryId, owner, slug, name, description }: projects.Project): Project {
  return frozen({ id: repositoryId, owner, slug, name, description });
}

function toStack(projectId: string, stack: stacks.PatchStack): Stack {
  const { uuid, branchId, title, description, status, version } = stack;
  return frozen({ projectId, uuid, branch: branchId, title, description, status, version });
}

function toPatch(stackUuid: string, patch: service.Patch): Patch {
  const { changeId, commitSha, title, description, version } = patch;
  return frozen({ stackUuid, changeId, commitSha, title, description, version });
}

function toSection(section: service.PatchSection): Section {
  const { code, title, sectionType } = section;
  switch (section.sectionType) {
    case 'text':
      return frozen({ code, kind: section.sectionType, title, text: section.text });
    case 'diff':
      return frozen({
        code,
        kind: section.sectionType,
        title,
        path: section.newPath ?? section.oldPath ?? section.identifier,
        diff: section.diffPatch,
      });
    case 'unknown':
      return frozen({ code, kind: sectionType, title });
  }
}

/** The members of `T` that are undefined left out. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A copy that nobody can change, without what is not known: the model's own objects stay inside. */
function frozen<T extends object>(values: T): Readonly<Defined<T>> {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.freeze(Object.fromEntries(known)) as Readonly<Defined<T>>;
}
