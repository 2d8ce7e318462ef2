/** Deep links: addresses that open this extension at a project, a patch stack, a patch or a section. */
import { parseServerRoot } from '../api/server.ts';
import type { DiffLine, Ref } from '../util/patchRef.ts';

/** The extension, as links name it. */
const authority = 'patch-stacks.patch-stacks';

/** Why a link cannot be followed. */
export type LinkProblem =
  | { kind: 'path' }
  | { kind: 'server' }
  | { kind: 'target' }
  /** It names this, and not what it is in. */
  | { kind: 'incomplete'; parameter: string }
  /** The parameter is empty, given twice, or no id. */
  | { kind: 'parameter'; parameter: string };

/** Each parameter with what it stands for. */
const parameters = {
  project: 'projectId',
  stack: 'stackUuid',
  patch: 'changeId',
  section: 'sectionCode',
} as const;

/** The longest ID. Characters. */
const longest = 500;

/**
 * The link to something.
 *
 * @param scheme that of the editor which is to open it, such as *vscode*.
 */
export function makeLink(target: Ref, scheme: string): string {
  const query = new URLSearchParams({ server: target.serverUrl });
  for (const [parameter, name] of Object.entries(parameters)) {
    const value = target[name];
    if (value !== undefined) {
      query.set(parameter, value);
    }
  }
  if (target.line) {
    query.set('line', String(target.line.line));
    if (target.line.side === 'old') {
      query.set('side', 'old');
    }
  }
  // A plus sign for a space is understood by web servers alone.
  return `${scheme}://${authority}/open?${query.toString().replaceAll('+', '%20')}`;
}

/** Reads a link. @param link its path and its query as VS Code hands them out: decoded. */
export function readLink({ path, query }: { path: string; query: string }): Ref | LinkProblem {
  if (path !== '/open') {
    return { kind: 'path' };
  }
  const given = readQuery(query);
  for (const parameter of ['server', ...Object.keys(parameters), 'line', 'side']) {
    const values = given.filter(([name]) => name === parameter).map(([, text]) => text);
    const [value] = values;
    if (values.length > 1 || (value !== undefined && !isId(value))) {
      return { kind: 'parameter', parameter };
    }
  }
  const byName = new Map(given);
  const server = parseServerRoot(byName.get('server') ?? '');
  if (!server) {
    return { kind: 'server' };
  }
  if (!byName.has('project') && !byName.has('stack')) {
    return {
      kind: byName.has('patch') || byName.has('section') ? 'incomplete' : 'target',
      parameter: 'stack',
    };
  }
  if (byName.has('patch') && !byName.has('stack')) {
    return { kind: 'incomplete', parameter: 'stack' };
  }
  if (byName.has('section') && !byName.has('patch')) {
    return { kind: 'incomplete', parameter: 'patch' };
  }
  const line = readLine(byName);
  if (typeof line === 'string') {
    return byName.has('section')
      ? { kind: 'parameter', parameter: line }
      : { kind: 'incomplete', parameter: 'section' };
  }
  const target: Ref = { serverUrl: server.href, ...(line && { line }) };
  for (const [parameter, name] of Object.entries(parameters)) {
    const value = byName.get(parameter);
    if (value !== undefined) {
      target[name] = value;
    }
  }
  return target;
}

/** The line that a link names, if any; else the name of the parameter that cannot be read. */
function readLine(given: ReadonlyMap<string, string>): DiffLine | undefined | 'line' | 'side' {
  const [line, side = 'new'] = [given.get('line'), given.get('side')];
  if (line === undefined) {
    return given.has('side') ? 'line' : undefined;
  }
  if (side !== 'old' && side !== 'new') {
    return 'side';
  }
  return given.has('section') && isLineNumber(line) ? { side, line: Number(line) } : 'line';
}

function isLineNumber(text: string): boolean {
  const line = Number(text);
  return Number.isSafeInteger(line) && line >= 1 && String(line) === text;
}

/** The names and values of a decoded query: an ampersand belongs to a value unless a name comes after it. */
function readQuery(query: string): [string, string][] {
  return query.split(/&(?=[A-Za-z_]+=)/).map((part) => {
    const end = part.indexOf('=');
    return end < 0 ? [part, ''] : [part.slice(0, end), part.slice(end + 1)];
  });
}

function isId(text: string): boolean {
  return text.trim() !== '' && text.length <= longest && !/[\u0000-\u001f\u007f]/.test(text);
}
