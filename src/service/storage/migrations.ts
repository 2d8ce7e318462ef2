/**
 * The database's schema, as the steps that build it. `PRAGMA user_version` counts the steps that have run, so a step
 * that was ever released is never edited: a change is a new step at the end. Times are milliseconds since the epoch.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;

  CREATE TABLE avatars (
    sha TEXT PRIMARY KEY,
    media_type TEXT NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;

  CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    login TEXT NOT NULL UNIQUE COLLATE NOCASE,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    given_name TEXT,
    family_name TEXT,
    locale TEXT NOT NULL DEFAULT 'en',
    supporter INTEGER NOT NULL DEFAULT 0,
    role TEXT NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
    avatar_sha TEXT REFERENCES avatars (sha),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX users_by_email ON users (email COLLATE NOCASE) WHERE email <> '';

  CREATE TABLE access_tokens (
    hash BLOB PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE login_tokens (
    token INTEGER PRIMARY KEY,
    browser_hash BLOB NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('pending', 'confirmed', 'refused', 'spent')),
    user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE ssh_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX ssh_keys_by_user ON ssh_keys (user_id);

  CREATE TABLE organizations (
    slug TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE organization_members (
    organization_slug TEXT NOT NULL REFERENCES organizations (slug) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_slug, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX organization_members_by_user ON organization_members (user_id);

  CREATE TABLE projects (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    directory TEXT,
    code_repository_id TEXT,
    parent_id INTEGER REFERENCES projects (id) ON DELETE SET NULL,
    share_level TEXT NOT NULL DEFAULT 'private' CHECK (share_level IN ('public', 'private')),
    -- The git directory that is imported into this project.
    repository TEXT UNIQUE,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (owner, slug)
  ) STRICT;
  CREATE INDEX projects_by_update ON projects (updated_at);
  CREATE INDEX projects_by_parent ON projects (parent_id);
  CREATE TABLE project_members (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (project_id, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX project_members_by_user ON project_members (user_id);

  -- Where each branch stood when it was last imported: an unchanged branch costs nothing.
  CREATE TABLE imported_branches (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    branch_id TEXT NOT NULL,
    tip_sha TEXT NOT NULL,
    base_sha TEXT NOT NULL,
    PRIMARY KEY (project_id, branch_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE stacks (
    uuid TEXT PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    branch_id TEXT NOT NULL,
    oplog_sha TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    -- Whether a person wrote the title, the description: the next version keeps what a person wrote.
    title_written INTEGER NOT NULL DEFAULT 0,
    description_written INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL CHECK (status IN ('active', 'inactive', 'closed', 'loading')),
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (project_id, branch_id, version)
  ) STRICT;
  CREATE INDEX stacks_by_update ON stacks (project_id, updated_at);

  CREATE TABLE patches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    stack_uuid TEXT NOT NULL REFERENCES stacks (uuid) ON DELETE CASCADE,
    change_id TEXT NOT NULL,
    commit_sha TEXT NOT NULL,
    patch_sha TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    -- The commit message below its title, as it was imported.
    message_body TEXT NOT NULL,
    -- The author's address and the author date, which amending and rebasing keep.
    author_key TEXT NOT NULL,
    position INTEGER NOT NULL,
    version INTEGER NOT NULL,
    file_count INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    deletions INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (stack_uuid, change_id)
  ) STRICT;
  CREATE INDEX patches_by_change ON patches (change_id);
  CREATE INDEX patches_by_commit ON patches (commit_sha);
  CREATE INDEX patches_by_author ON patches (author_key);

  CREATE TABLE patch_contributors (
    patch_id INTEGER NOT NULL REFERENCES patches (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    PRIMARY KEY (patch_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX patch_contributors_by_user ON patch_contributors (user_id);

  CREATE TABLE patch_marks (
    patch_id INTEGER NOT NULL REFERENCES patches (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    viewed_at INTEGER,
    signed_off_at INTEGER,
    PRIMARY KEY (patch_id, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX patch_marks_by_user ON patch_marks (user_id);

  -- Unified diffs by content: the versions of a stack share those that did not change.
  CREATE TABLE diffs (
    sha TEXT PRIMARY KEY,
    patch TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    patch_id INTEGER NOT NULL REFERENCES patches (id) ON DELETE CASCADE,
    code TEXT NOT NULL,
    section_type TEXT NOT NULL CHECK (section_type IN ('text', 'diff')),
    identifier TEXT NOT NULL,
    version INTEGER NOT NULL,
    position INTEGER NOT NULL,
    -- Text sections.
    text TEXT,
    from_message INTEGER NOT NULL DEFAULT 0,
    edited INTEGER NOT NULL DEFAULT 0,
    -- Diff sections.
    old_path TEXT,
    new_path TEXT,
    old_mode TEXT,
    new_mode TEXT,
    old_size INTEGER,
    new_size INTEGER,
    hunks INTEGER,
    lines INTEGER,
    deletions INTEGER,
    diff_sha TEXT REFERENCES diffs (sha),
    base_file_sha TEXT,
    new_file_sha TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (patch_id, code)
  ) STRICT;
  CREATE INDEX sections_by_diff ON sections (diff_sha);

  CREATE TABLE releases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    version TEXT NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('nightly', 'release')),
    sha TEXT NOT NULL,
    notes TEXT,
    build_version TEXT NOT NULL,
    -- JSON: an array of {os, arch, url, file, platform}.
    builds TEXT NOT NULL,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    released_at INTEGER NOT NULL,
    UNIQUE (version, channel)
  ) STRICT;

  CREATE TABLE feedback (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    email TEXT,
    message TEXT,
    context TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  -- An attachment without feedback is an upload that was broken off: it is removed at the next start.
  CREATE TABLE attachments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    feedback_id INTEGER REFERENCES feedback (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('logs', 'repo', 'data')),
    file_name TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL
  ) STRICT;
  CREATE INDEX attachments_by_feedback ON attachments (feedback_id);
  CREATE TABLE attachment_chunks (
    attachment_id INTEGER NOT NULL REFERENCES attachments (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (attachment_id, number)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  DROP TABLE login_tokens;
  ALTER TABLE access_tokens ADD COLUMN expires_at INTEGER NOT NULL DEFAULT 0;
  -- Those of before end as if they had just been used.
  UPDATE access_tokens SET expires_at = (unixepoch('now') + 30 * 24 * 60 * 60) * 1000;

  -- A key belongs to whoever registers it: that somebody else has it is told to nobody.
  ALTER TABLE ssh_keys RENAME TO ssh_keys_of_before;
  DROP INDEX ssh_keys_by_user;
  CREATE TABLE ssh_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    public_key TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (user_id, fingerprint)
  ) STRICT;
  INSERT INTO ssh_keys SELECT * FROM ssh_keys_of_before;
  DROP TABLE ssh_keys_of_before;
  `,
  `
  ALTER TABLE patch_marks ADD COLUMN changes_requested_at INTEGER;
  `,
  `
  -- Trailers that were added to commits of a change that had its id before.
  CREATE TABLE change_trailers (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    trailer TEXT NOT NULL,
    change_id TEXT NOT NULL,
    PRIMARY KEY (project_id, trailer)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What the file is in, where that is not UTF-8.
  ALTER TABLE sections ADD COLUMN encoding TEXT;
  `,
  `
  -- What the file changes, without where: a rebase without conflicts keeps it.
  ALTER TABLE sections ADD COLUMN change_sha TEXT;
  -- Whether the repository lacked a part of the commit when it was read.
  ALTER TABLE patches ADD COLUMN incomplete INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- What the commit's message said when somebody edited the text that had come with it.
  ALTER TABLE sections ADD COLUMN edited_message TEXT;
  -- What the stack is compared with.
  ALTER TABLE stacks ADD COLUMN base TEXT;
  -- What people wrote about changes that the newest version of their branch has not.
  CREATE TABLE texts_without_patch (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    branch_id TEXT NOT NULL,
    change_id TEXT NOT NULL,
    code TEXT NOT NULL,
    patch_title TEXT NOT NULL,
    text TEXT NOT NULL,
    -- Set once somebody has put it elsewhere or thrown it away: it does not come back with its patch.
    settled INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, branch_id, code)
  ) STRICT;
  `,
  `
  -- How a review is signed that came through a Git remote: 'verified', 'unverified' or 'mismatch'.
  ALTER TABLE patch_marks ADD COLUMN signature TEXT;
  `,
  `
  -- In the order in which they come: in that of their hashes each one goes into a page of its own, all over the file.
  CREATE TABLE diffs_in_order (
    id INTEGER PRIMARY KEY,
    sha TEXT NOT NULL UNIQUE,
    patch TEXT NOT NULL
  ) STRICT;
  INSERT INTO diffs_in_order (sha, patch) SELECT sha, patch FROM diffs;
  DROP TABLE diffs;
  ALTER TABLE diffs_in_order RENAME TO diffs;
  `,
  `
  -- Versions of the text that conflict with it, as JSON: see \`OtherVersions\`.
  ALTER TABLE sections ADD COLUMN versions TEXT;
  `,
  `
  -- Those that are listed and not read: every import looks for them.
  CREATE INDEX unread_patches ON patches (stack_uuid) WHERE incomplete = 2;
  `,
];
