/**
 * A service of any size that answers from nothing: it makes each answer when it is first asked for, and knows how long
 * answering took. Writes are answered and forgotten.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The amounts of everything. */
export interface Size {
  projects?: number;
  /** Per project. */
  stacks?: number;
  /** Per stack. */
  patches?: number;
  /** Per patch, text and diff in turns, text first. */
  sections?: number;
  /** Characters of each text section. */
  text?: number;
  /** Lines of each diff. */
  lines?: number;
  /** Every section is a diff. */
  filesOnly?: boolean;
  /** Words of each line, beside the one that changed. */
  words?: number;
}

/** A running service. */
export interface SyntheticService {
  /** The API root. */
  readonly url: string;
  /** The only access token it takes. */
  readonly token: string;
  /** Requests from now on get answers of this size. */
  resize(size: Size): void;
  /** The traffic since the last call of this: requests, bytes sent, and milliseconds taken to answer. */
  takeTraffic(): Traffic;
  close(): Promise<void>;
}

export interface Traffic {
  requests: number;
  bytes: number;
  busy: number;
}

const token = 'synthetic-token-0123456789abcdef';
const newest = Date.UTC(2026, 0, 1);

/** Starts a service on 127.0.0.1. */
export async function startSyntheticService(size: Size = {}): Promise<SyntheticService> {
  let current: Required<Size>;
  /** Made once, so that making them is not what is measured. */
  const bodies = new Map<string, Buffer | undefined>();
  const resize = (wanted: Size): void => {
    bodies.clear();
    current = {
      projects: 3,
      stacks: 3,
      patches: 5,
      sections: 6,
      text: 400,
      lines: 20,
      filesOnly: false,
      words: 0,
      ...wanted,
    };
  };
  resize(size);
  let traffic: Traffic = { requests: 0, bytes: 0, busy: 0 };
  const server = createServer((request, response) => {
    const started = performance.now();
    request.resume();
    const allowed = request.headers['x-auth-token'] === token;
    const key = `${request.method} ${request.url}`;
    if (allowed && !bodies.has(key)) {
      const found = answer(current, request.method ?? 'GET', new URL(request.url ?? '/', 'http://localhost'));
      bodies.set(key, found === undefined ? undefined : Buffer.from(JSON.stringify(found)));
    }
    const found = allowed ? bodies.get(key) : undefined;
    const body = found ?? Buffer.from('{"error":"not found"}');
    response.writeHead(found === undefined ? (allowed ? 404 : 401) : 200, {
      'content-type': 'application/json',
      'content-length': body.length,
    });
    response.end(body);
    traffic.requests += 1;
    traffic.bytes += body.length;
    traffic.busy += performance.now() - started;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    token,
    resize,
    takeTraffic() {
      const taken = traffic;
      traffic = { requests: 0, bytes: 0, busy: 0 };
      return taken;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The answer to a request; undefined where there is nothing. */
function answer(size: Required<Size>, method: string, url: URL): unknown {
  const [first, second, third, fourth, fifth, sixth] = url.pathname
    .replace(/^\/api\//, '')
    .split('/')
    .map(decodeURIComponent);
  if (first === 'user' && second === undefined) {
    return { ...user, access_token: token, role: 'user', projects: [] };
  }
  if (first === 'projects') {
    return second === undefined ? projects(size, url.searchParams) : project(Number(second));
  }
  if (first !== 'patch_stack' || second === undefined) {
    return undefined;
  }
  if (third === 'patch') {
    const patchNumber = Number(fourth?.slice('change-'.length));
    if (fifth === undefined) {
      return patch(size, patchNumber, { withSections: true });
    }
    const code = sixth ?? '';
    return method === 'DELETE' ? {} : section(size, Number(code.slice('code-'.length) || 0));
  }
  if (third !== undefined) {
    return stack(size, Number(third.slice('branch-'.length)));
  }
  return Array.from({ length: size.stacks }, (_value, index) => stack(size, index));
}

const user = { id: 1, login: 'ada', name: 'Ada', email: 'ada@example.org' };

function projects(size: Required<Size>, query: URLSearchParams): unknown[] {
  const limit = Number(query.get('limit') ?? 50);
  const [since, before] = [query.get('since'), query.get('before')];
  // The first is the newest, each other a minute older.
  const first = before === null ? 0 : Math.max(0, Math.floor((newest - Date.parse(before)) / 60_000) + 1);
  const end = since === null ? size.projects : Math.ceil((newest - Date.parse(since)) / 60_000);
  const count = Math.max(0, Math.min(limit, size.projects - first, end - first));
  return Array.from({ length: count }, (_value, index) => project(first + index));
}

function project(index: number): unknown {
  return {
    slug: `project-${index}`,
    owner: 'ada',
    name: `Project ${index}`,
    description: 'A project with a description of a usual length, neither long nor short.',
    repository_id: String(index),
    active_reviews_count: 1,
    created_at: new Date(newest - index * 60_000).toISOString(),
    updated_at: new Date(newest - index * 60_000).toISOString(),
  };
}

function stack(size: Required<Size>, index: number): unknown {
  return {
    branch_id: `branch-${index}`,
    oplog_sha: '0'.repeat(40),
    uuid: `stack-${index}`,
    title: `Stack ${index}`,
    status: 'active',
    version: 1,
    created_at: new Date(newest - index * 60_000).toISOString(),
    stack_size: size.patches,
    contributors: [{ email: user.email, user }],
    patches: Array.from({ length: size.patches }, (_value, at) => patch(size, at, { withSections: false })),
  };
}

function patch(size: Required<Size>, index: number, { withSections }: { withSections: boolean }): unknown {
  const sections = withSections
    ? { sections: Array.from({ length: size.sections }, (_value, at) => section(size, at)) }
    : {};
  return {
    change_id: `change-${index}`,
    commit_sha: '0'.repeat(40),
    title: `Patch ${index}`,
    position: index,
    version: 1,
    created_at: new Date(newest).toISOString(),
    contributors: [{ email: user.email, user }],
    statistics: { file_count: 1, section_count: size.sections, lines: 10, deletions: 2, files: ['src/a.ts'] },
    review: { viewed: [], signed_off: [], rejected: [] },
    review_all: { viewed: [], signed_off: [], rejected: [] },
    ...sections,
  };
}

function section(size: Required<Size>, index: number): unknown {
  const common = { id: index, code: `code-${index}`, version: 1, position: index };
  if (index % 2 === 0 && !size.filesOnly) {
    const data = `Text ${index}: ${prose.repeat(Math.ceil(size.text / prose.length))}`.slice(0, size.text);
    return { ...common, section_type: 'text', type: 'text', identifier: common.code, data };
  }
  const path = `src/file${index}.ts`;
  const half = Math.ceil(size.lines / 2);
  const words = ' and more words'.repeat(Math.ceil(size.words / 6)).slice(0, 5 * Math.ceil(size.words / 2));
  const lines = Array.from(
    { length: half },
    (_value, at) =>
      `-${words}const before${at} = ${at};${words}\n+${words}const after${at} = ${at};${words}\n`,
  ).join('');
  return {
    ...common,
    section_type: 'diff',
    type: 'diff',
    identifier: path,
    title: path,
    old_path: path,
    new_path: path,
    hunks: 1,
    lines: half,
    deletions: half,
    diff_patch: `--- a/${path}\n+++ b/${path}\n@@ -1,${half} +1,${half} @@\n${lines}`,
  };
}

const prose =
  'A paragraph with *emphasis*, `code` and a [link](https://example.org) in it, as people write them.\n\n';
