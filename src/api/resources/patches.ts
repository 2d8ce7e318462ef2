import { patch, section } from '../decode/patches.ts';
import { path, type Path } from '../path.ts';
import type { Call, CallOptions } from '../call.ts';
import type { Requester } from '../request.ts';
import type { Patch, PatchSection, PatchUpdate } from '../types/patches.ts';

/** Patches and their sections (contract §4, Patches). */
export class Patches {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * `GET /patch_stack/{uuid}/patch/{change_id}`: one patch.
   *
   * @param options.ahead whether nobody reads it yet; it says so as browsers do, and a service need not take its reader for a viewer.
   */
  get(
    uuid: string,
    changeId: string,
    { ahead = false, ...options }: CallOptions & { ahead?: boolean } = {},
  ): Promise<Patch> {
    const call: Call = {
      operation: 'patches.get',
      method: 'GET',
      repeat: 'read',
      path: () => patchPath(uuid, changeId),
      ahead,
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

  /**
   * `PATCH …/section/{section_code}`: replaces the text of a section.
   *
   * @param update `resolves` are the ids of versions that the text was decided over: see `TextVersions`.
   */
  updateSection(
    uuid: string,
    changeId: string,
    code: string,
    { text, resolves = [] }: { text?: string; resolves?: readonly string[] },
    options?: CallOptions,
  ): Promise<PatchSection> {
    const call: Call = {
      operation: 'patches.updateSection',
      method: 'PATCH',
      repeat: 'once',
      path: () => sectionPath(uuid, changeId, code),
      json: { text, ...(resolves.length > 0 && { resolves }) },
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
