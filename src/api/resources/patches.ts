import { patch, section } from '../decode/patches.ts';
import { path, type Path } from '../path.ts';
import type { Call, CallOptions, Requester } from '../request.ts';

/** Somebody who wrote part of a patch: a service user, or only an e-mail address or a name. */
export interface Contributor {
  email?: string;
  user?: PatchUser;
  /** The text the service gave when it gave no structure: a name or an address. */
  text?: string;
}

/** The part of a user that patches and reviews carry. */
export interface PatchUser {
  id?: string;
  login?: string;
  name?: string;
  email?: string;
  avatarUrl?: string;
}

/** The size of a patch; every count is missing when the service did not say. */
export interface PatchStatistics {
  fileCount?: number;
  sectionCount?: number;
  /** Lines added. */
  lines?: number;
  /** Lines deleted. */
  deletions?: number;
  files?: string[];
}

/** Who has viewed a patch, signed it off, or requested changes. */
export interface PatchReview {
  viewed: PatchUser[];
  signedOff: PatchUser[];
  /** Those who have requested changes. */
  rejected: PatchUser[];
}

/** One patch of a stack (contract §2, Patch). */
export interface Patch {
  /** The identifier: a patch without one is dropped. */
  changeId: string;
  commitSha?: string;
  patchSha?: string;
  title?: string;
  description?: string;
  /** Zero-based place in the stack, base to tip. */
  position?: number;
  version?: string;
  createdAt?: string;
  contributors: Contributor[];
  /** Missing when the service did not say, or not in a form that can be read. */
  statistics?: PatchStatistics;
  /** Marks of the caller, or of whomever the service means: see `opinionsOf` in the model. */
  review?: PatchReview;
  /** Everybody's marks. */
  reviewAll?: PatchReview;
  /** In position order; missing when the service did not send them. */
  sections?: PatchSection[];
}

/** What text and diff sections share (contract §2, Patch section). */
interface PatchSectionBase {
  /** The identifier in paths and in `section_order`: the section's `code`, else its `identifier`. */
  code: string;
  id?: string;
  /** The entry this section has in `section_order`: the path of a diff section, the code of a text section. */
  identifier: string;
  title?: string;
  version?: string;
  /** Zero-based place in the patch. */
  position?: number;
}

/** A section of the author's prose. */
export interface TextSection extends PatchSectionBase {
  sectionType: 'text';
  /** Markdown; missing when the service did not send it. */
  text?: string;
}

/** A section that shows one changed file. */
export interface DiffSection extends PatchSectionBase {
  sectionType: 'diff';
  oldPath?: string;
  newPath?: string;
  /** Bytes before and after. */
  oldSize?: number;
  newSize?: number;
  /** How many hunks, lines added and lines deleted. */
  hunks?: number;
  lines?: number;
  deletions?: number;
  diffSha?: string;
  baseFileSha?: string;
  newFileSha?: string;
  /** Unified diff; missing when the service did not send it. */
  diffPatch?: string;
}

/** A section of a kind this client does not know: shown as unreadable, kept in the order. */
export interface UnknownSection extends PatchSectionBase {
  sectionType: 'unknown';
}

/** One section of a patch. */
export type PatchSection = TextSection | DiffSection | UnknownSection;

/** What may be changed in a patch. */
export interface PatchUpdate {
  /** Every section's `identifier`, in the wanted order. */
  sectionOrder?: readonly string[];
  /** True signs the patch off, false requests changes; nothing takes either back. */
  signOff?: boolean;
}

/** Patches and their sections (contract §4, Patches). */
export class Patches {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** `GET /patch_stack/{uuid}/patch/{change_id}`: one patch. */
  get(uuid: string, changeId: string, options?: CallOptions): Promise<Patch> {
    const call: Call = {
      operation: 'patches.get',
      method: 'GET',
      repeat: 'read',
      path: () => patchPath(uuid, changeId),
    };
    return this.#requester.read(call, patch, options);
  }

  /** `PATCH /patch_stack/{uuid}/patch/{change_id}`: reorders the sections, signs the patch off, or requests changes. */
  update(uuid: string, changeId: string, update: PatchUpdate, options?: CallOptions): Promise<Patch> {
    const call: Call = {
      operation: 'patches.update',
      method: 'PATCH',
      repeat: 'once',
      path: () => patchPath(uuid, changeId),
      json: { section_order: update.sectionOrder, sign_off: update.signOff },
    };
    return this.#requester.read(call, patch, options);
  }

  /** `GET …/section/{section_code}`: one section. */
  getSection(uuid: string, changeId: string, code: string, options?: CallOptions): Promise<PatchSection> {
    const call: Call = {
      operation: 'patches.getSection',
      method: 'GET',
      repeat: 'read',
      path: () => sectionPath(uuid, changeId, code),
    };
    return this.#requester.read(call, section, options);
  }

  /** `PATCH …/section/{section_code}`: replaces the text of a section. */
  updateSection(
    uuid: string,
    changeId: string,
    code: string,
    update: { text?: string },
    options?: CallOptions,
  ): Promise<PatchSection> {
    const call: Call = {
      operation: 'patches.updateSection',
      method: 'PATCH',
      repeat: 'once',
      path: () => sectionPath(uuid, changeId, code),
      json: { text: update.text },
    };
    return this.#requester.read(call, section, options);
  }

  /** `DELETE …/section/{section_code}`: deletes a section. */
  deleteSection(uuid: string, changeId: string, code: string, options?: CallOptions): Promise<void> {
    const call: Call = {
      operation: 'patches.deleteSection',
      method: 'DELETE',
      repeat: 'remove',
      path: () => sectionPath(uuid, changeId, code),
    };
    return this.#requester.run(call, options);
  }

  /** `POST …/section`: adds a section at a zero-based position, else where the service likes. */
  createSection(
    uuid: string,
    changeId: string,
    creation: { type: 'text'; text?: string; position?: number },
    options?: CallOptions,
  ): Promise<PatchSection> {
    const { type, text, position } = creation;
    const call: Call = {
      operation: 'patches.createSection',
      method: 'POST',
      repeat: 'once',
      path: () => path`/patch_stack/${{ uuid }}/patch/${{ change_id: changeId }}/section`,
      json: { type, text, position },
    };
    return this.#requester.read(call, section, options);
  }
}

function patchPath(uuid: string, changeId: string): Path {
  return path`/patch_stack/${{ uuid }}/patch/${{ change_id: changeId }}`;
}

function sectionPath(uuid: string, changeId: string, code: string): Path {
  return path`/patch_stack/${{ uuid }}/patch/${{ change_id: changeId }}/section/${{ section_code: code }}`;
}
