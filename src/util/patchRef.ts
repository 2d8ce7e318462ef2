/** Places of the service's things. Everybody names them in this way, and compares them with these functions. */

/** The place of a patch stack in one of its versions. */
export interface StackRef {
  /** Left out by whoever knows one account alone. */
  serverUrl?: string | undefined;
  /** Known when the stack was reached through it. */
  projectId?: string | undefined;
  branchId?: string | undefined;
  stackUuid: string;
}

/** One patch on its server: told from others by `patchKey`, compared with `isSamePatch`. */
export interface PatchRef extends StackRef {
  changeId: string;
}

/** A line of a file on one side of the change. */
export interface DiffLine {
  side: 'old' | 'new';
  /** One-based. */
  line: number;
  /** The last one, where several lines are meant: of those that are compared, the first that changed. */
  end?: number;
}

/** The place of a patch on any server, with one of its sections or lines if that is meant. */
export interface SectionRef extends PatchRef {
  serverUrl: string;
  sectionCode?: string | undefined;
  line?: DiffLine | undefined;
}

/** The place of something on a server, from projects to lines: the innermost that is named. */
export type Ref = Partial<SectionRef> & { serverUrl: string };

/**
 * Tells patches apart that are of one server, however much else is known of where they are.
 *
 * @param more what tells apart things of one patch.
 */
export function patchKey({ stackUuid, changeId }: PatchRef, ...more: string[]): string {
  return JSON.stringify([stackUuid, changeId, ...more]);
}

/** True when both are one patch, on whichever servers as far as both say it. */
export function isSamePatch(one: PatchRef, other: PatchRef): boolean {
  const { serverUrl = other.serverUrl } = one;
  return (
    one.stackUuid === other.stackUuid &&
    one.changeId === other.changeId &&
    serverUrl === (other.serverUrl ?? serverUrl)
  );
}

/** True when both are one section, or one patch where neither names a section. */
export function isSameSection(one: SectionRef, other: SectionRef): boolean {
  return isSamePatch(one, other) && one.sectionCode === other.sectionCode;
}

/** True for something that is a patch, or is in one, that can be told from others. */
export function isPatch(ref: Partial<SectionRef> | null | undefined): ref is SectionRef {
  return ref?.serverUrl !== undefined && ref.stackUuid !== undefined && ref.changeId !== undefined;
}

/** The place of a patch or section alone, without whatever else the object has: a row, for one, goes on to change. */
export function refOf(ref: SectionRef): SectionRef {
  const { serverUrl, projectId, branchId, stackUuid, changeId, sectionCode } = ref;
  return { serverUrl, projectId, branchId, stackUuid, changeId, sectionCode };
}
