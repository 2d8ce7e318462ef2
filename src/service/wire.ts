/**
 * The records as they go over the wire: the fields of contract §2, numbers and booleans where the value is one,
 * ISO 8601 times, null where there is no value.
 */
import type { Database } from './storage/database.ts';
import {
  countSections,
  isUnread,
  selectContributors,
  selectFiles,
  selectMarks,
  selectPatches,
  type MarkRow,
  type PatchRow,
  type PatchSelection,
} from './storage/patches.ts';
import {
  canRead,
  canWrite,
  countActiveStacks,
  findProject,
  listProjects,
  type ProjectRow,
} from './storage/projects.ts';
import { listSections, otherVersionsOf, readDiff, type SectionRow } from './storage/sections.ts';
import type { StackRow } from './storage/stacks.ts';
import { listTextsWithoutPatch, type TextWithoutPatch } from './storage/textsWithoutPatch.ts';
import { findUser, organizationsOf, type SshKeyRow, type UserRow } from './storage/users.ts';
import { startOf } from '../util/budget.ts';

/** The circumstances of a representation: the database, who asks, and under which address. */
export interface View {
  database: Database;
  /** `http://127.0.0.1:PORT`, as the caller reached the service. */
  origin: string;
  user: UserRow;
}

/** A time as ISO 8601 in UTC. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function avatarUrl(origin: string, user: UserRow): string | null {
  return user.avatar_sha === null ? null : `${origin}/avatars/${user.avatar_sha}`;
}

/** A user as anyone sees them (contract §2, User: id through updated_at). */
export function publicUser({ database, origin }: Omit<View, 'user'>, user: UserRow) {
  return {
    ...briefUser(origin, user),
    given_name: user.given_name,
    family_name: user.family_name,
    picture: avatarUrl(origin, user),
    locale: user.locale,
    supporter: user.supporter === 1,
    organizations: organizationsOf(database, user.id).map(({ slug, name, description, created_at }) => ({
      slug,
      name,
      description,
      created_at: timestamp(created_at),
    })),
    created_at: timestamp(user.created_at),
    updated_at: timestamp(user.updated_at),
  };
}

/** The caller's own user, with the access token the caller used (contract §2, User). */
export function ownUser(view: View, accessToken: string) {
  const { database, user } = view;
  return {
    ...publicUser(view, user),
    access_token: accessToken,
    role: user.role,
    projects: listProjects(database, user).map((project) => ({
      ...projectRecord(view, project),
      permissions: {
        can_read: true,
        can_write: canWrite(database, user, project),
        share_level: project.share_level,
      },
    })),
  };
}

/** A project as it goes over the wire. */
interface ProjectRecord {
  slug: string;
  owner: string;
  parent_project: ProjectRecord | null;
  name: string;
  description: string | null;
  repository_id: string;
  code_repository_id: string | null;
  active_reviews_count: number;
  created_at: string;
  updated_at: string;
}

/** A project with the projects it is connected to, as far as the caller may know of them (contract §2, Project). */
export function projectRecord(view: View, project: ProjectRow): ProjectRecord {
  const { database, user } = view;
  // A connection never makes a circle (see the connect operation), so this ends.
  const parent = project.parent_id === null ? undefined : findProject(database, project.parent_id);
  return {
    slug: project.slug,
    owner: project.owner,
    parent_project: parent && canRead(database, user, parent) ? projectRecord(view, parent) : null,
    name: project.name,
    description: project.description,
    repository_id: String(project.id),
    // A folder on this computer: strangers have no use for it, but could learn from it.
    code_repository_id: canWrite(database, user, project) ? project.code_repository_id : null,
    active_reviews_count: countActiveStacks(database, project.id),
    created_at: timestamp(project.created_at),
    updated_at: timestamp(project.updated_at),
  };
}

/** An SSH key; the key itself is not shown. */
export function sshKeyRecord({ id, name, fingerprint, created_at }: SshKeyRow) {
  return { id, name, fingerprint, created_at: timestamp(created_at) };
}

/** The part of a user that patches carry. */
function briefUser(origin: string, user: UserRow) {
  return {
    id: user.id,
    login: user.login,
    name: user.name,
    email: user.email,
    avatar_url: avatarUrl(origin, user),
  };
}

/** A stack with its patches, which come without their sections (contract §2, Patch stack). */
export function stackRecord(view: View, stack: StackRow) {
  const patches = patchRecords(view, { stackUuid: stack.uuid });
  const lost = listTextsWithoutPatch(view.database, stack);
  const contributors = new Map(patches.flatMap((patch) => patch.contributors).map((one) => [one.email, one]));
  return {
    branch_id: stack.branch_id,
    oplog_sha: stack.oplog_sha,
    uuid: stack.uuid,
    title: stack.title,
    description: stack.description,
    status: stack.status,
    version: stack.version,
    created_at: timestamp(stack.created_at),
    stack_size: patches.length,
    contributors: [...contributors.values()],
    patches,
    // Not of the contract: what the branch left, and what people wrote about commits that it has not any more.
    ...(stack.base !== null && { base: stack.base }),
    ...(lost.length > 0 && { texts_without_patch: lost.map(lostTextRecord) }),
  };
}

/** A text whose patch is gone, with the change that it was written about. */
export function lostTextRecord({ change_id, code, patch_title, text }: TextWithoutPatch) {
  return { change_id, code, patch_title, data: text };
}

/** One patch of a stack with its sections in order, the diffs in full (contract §2, Patch). */
export function patchRecord(view: View, patch: PatchRow) {
  const [record] = patchRecords(view, { stackUuid: patch.stack_uuid, patchId: patch.id });
  return {
    ...record,
    sections: listSections(view.database, patch.id).map((section) => ({
      ...sectionRecord(view, section),
      ...changedMessage(section, patch),
    })),
  };
}

/** Not of the contract: what the commit's message said when somebody edited its text, where it says something else now. */
function changedMessage({ edited_message }: SectionRow, { message_body }: PatchRow) {
  return edited_message === null || edited_message === message_body
    ? {}
    : { changed_message: { before: edited_message, now: message_body } };
}

/** Not of the contract: the versions that were written at the same time as a text, and conflict with it. */
function conflictingVersions({ database, user }: View, section: SectionRow) {
  const versions = otherVersionsOf(section);
  if (!versions || versions.others.length === 0) {
    return {};
  }
  const nameOf = (id: number | null) => {
    const writer = id === null ? undefined : findUser(database, id);
    return writer && { by: writer.name || writer.email };
  };
  return {
    versions: {
      is_own: versions.by === user.id,
      ...nameOf(versions.by),
      others: versions.others.map(({ id, text, before, by, at }) => ({
        id,
        data: text,
        before,
        ...nameOf(by),
        written_at: timestamp(at),
      })),
    },
  };
}

/** Patches without their sections, base to tip. */
function patchRecords({ database, origin, user }: View, selection: PatchSelection) {
  const users = new Map<number, ReturnType<typeof briefUser> | null>();
  const brief = (id: number) => {
    if (!users.has(id)) {
      const found = findUser(database, id);
      users.set(id, found ? briefUser(origin, found) : null);
    }
    return users.get(id) ?? null;
  };
  const review = (marks: readonly MarkRow[]) => {
    const those = (kept: (mark: MarkRow) => boolean) => marks.filter(kept).map((mark) => brief(mark.user_id));
    const saying = (field: 'signed_off_at' | 'changes_requested_at') =>
      marks
        .filter((mark) => mark[field] !== null)
        // Not of the contract: how it is signed, where it came through a Git remote.
        .map(({ user_id, signature }) => ({ ...brief(user_id), ...(signature !== null && { signature }) }));
    return {
      viewed: those((mark) => mark.viewed_at !== null),
      signed_off: saying('signed_off_at'),
      rejected: saying('changes_requested_at'),
    };
  };
  const contributors = Map.groupBy(selectContributors(database, selection), (row) => row.patch_id);
  const marks = Map.groupBy(selectMarks(database, selection), (row) => row.patch_id);
  const files = Map.groupBy(selectFiles(database, selection), (row) => row.patch_id);
  const sectionCounts = new Map(
    countSections(database, selection).map(({ patch_id, number }) => [patch_id, number]),
  );
  return selectPatches(database, selection).map((patch) => {
    const patchMarks = marks.get(patch.id) ?? [];
    return {
      change_id: patch.change_id,
      commit_sha: patch.commit_sha,
      patch_sha: patch.patch_sha,
      title: patch.title,
      description: patch.description,
      position: patch.position,
      version: patch.version,
      created_at: timestamp(patch.created_at),
      contributors: (contributors.get(patch.id) ?? []).map(({ email, user_id }) => ({
        email,
        user: user_id === null ? null : brief(user_id),
      })),
      // Nobody knows those of one that is only listed yet.
      ...(!isUnread(patch) && {
        statistics: {
          file_count: patch.file_count,
          section_count: sectionCounts.get(patch.id) ?? 0,
          lines: patch.lines,
          deletions: patch.deletions,
          files: (files.get(patch.id) ?? []).map(({ path }) => path),
        },
      }),
      review: review(patchMarks.filter((mark) => mark.user_id === user.id)),
      review_all: review(patchMarks),
    };
  });
}

/** A section: markdown in `data` for text, the unified diff in `diff_patch` for a file (contract §2, Patch section). */
export function sectionRecord(view: View, section: SectionRow) {
  const common = {
    id: section.id,
    section_type: section.section_type,
    identifier: section.identifier,
    version: section.version,
    type: section.section_type,
    code: section.code,
    position: section.position,
  };
  if (section.section_type === 'text') {
    const text = section.text ?? '';
    return { ...common, title: firstLine(text), data: text, ...conflictingVersions(view, section) };
  }
  return {
    ...common,
    title: section.new_path ?? section.old_path ?? section.identifier,
    data: null,
    old_path: section.old_path,
    new_path: section.new_path,
    old_size: section.old_size,
    new_size: section.new_size,
    hunks: section.hunks,
    lines: section.lines,
    deletions: section.deletions,
    diff_sha: section.diff_sha,
    // Not of the contract: for a file that isn't UTF-8.
    ...(section.encoding !== null && { encoding: section.encoding }),
    base_file_sha: section.base_file_sha,
    new_file_sha: section.new_file_sha,
    diff_patch: section.diff_sha === null ? null : (readDiff(view.database, section.diff_sha) ?? null),
  };
}

/** The longest title that is made from a text, and how much of its line is looked at for it. */
const longestTitle = 80;
const longestLine = 1000;

/** The first line that says something, without heading marks; null for a blank text. */
function firstLine(text: string): string | null {
  const start = /[^#\s]/.exec(text)?.index ?? /\S/.exec(text)?.index;
  if (start === undefined) {
    return null;
  }
  const [line = ''] = startOf(text.slice(start, start + longestLine), longestLine - 1).split(/[\r\n]/, 1);
  const characters = Array.from(line.trim());
  return characters.length > longestTitle
    ? `${characters.slice(0, longestTitle - 1).join('')}…`
    : line.trim();
}
