/**
 * Every tool that agents have: package.json tells VS Code of them from this table (`npm run manifest`), and so does the MCP server its
 * clients. There is none that signs off, requests changes, deletes, or reaches projects, keys, releases, feedback, links and settings.
 */
import * as v from 'valibot';

/** One argument of a tool. */
interface Field {
  type: 'string' | 'integer' | 'strings';
  /** For the model. */
  description: string;
  optional?: true;
}

/** A tool, as models and people are told of it. */
export interface AgentTool {
  title: string;
  /** The title in German. */
  german: string;
  /** Says to a model what it does and when to use it. */
  description: string;
  /** One of VS Code's icons. */
  icon: string;
  /** True for one that proposes a change. */
  writes: boolean;
  fields: Readonly<Record<string, Field>>;
}

const page = {
  type: 'integer',
  description: 'Page of the answer, from 1. Each page says how many there are.',
  optional: true,
} as const satisfies Field;
const project = {
  type: 'string',
  description: 'Id of a project, as listStacks gives it.',
  optional: true,
} as const satisfies Field;
const stack = {
  type: 'string',
  description: 'UUID of the patch stack, as listStacks gives it.',
} as const satisfies Field;
const patch = {
  type: 'string',
  description: 'Change id of the patch, as readStack gives it.',
} as const satisfies Field;
const fingerprint = {
  type: 'string',
  description:
    'The fingerprint that readPatch gave last. If the patch has changed since, nothing is written.',
} as const satisfies Field;
const proposal =
  'It makes a proposal: the person sees it in the patch document, and saves it, changes it, or discards it. Nothing reaches the server before that.';

export const agentTools = {
  listStacks: {
    title: 'List Patch Stacks',
    german: 'Patch-Stapel auflisten',
    description:
      'Lists projects and their active patch stacks. A patch stack is a branch published for review as an ordered list of patches.',
    icon: 'list-tree',
    writes: false,
    fields: { project, page },
  },
  readStack: {
    title: 'Read Patch Stack',
    german: 'Patch-Stapel lesen',
    description:
      'Reads a patch stack: its title and description, and each patch with its version, its size, and how much of it prose explains.',
    icon: 'layers',
    writes: false,
    fields: { stack, project, page },
  },
  readPatch: {
    title: 'Read Patch',
    german: 'Patch lesen',
    description:
      'Reads a patch: its text sections and diffs in the order in which people read them, and the fingerprint that writing tools need.',
    icon: 'git-commit',
    writes: false,
    fields: { stack, patch, project, page },
  },
  readChangesSinceRead: {
    title: 'Read Changes Since Last Read',
    german: 'Änderungen seit dem letzten Lesen lesen',
    description: 'Reads what changed in a patch since the person read it, without what was only rebased.',
    icon: 'compare-changes',
    writes: false,
    fields: { stack, patch, project, page },
  },
  coverage: {
    title: 'List Unexplained Changes',
    german: 'Unerklärte Änderungen auflisten',
    description:
      'Lists the hunks of a patch that no prose explains; without a patch, counts them for each patch of the stack.',
    icon: 'question',
    writes: false,
    fields: { stack, patch: { ...patch, optional: true }, project, page },
  },
  draftSection: {
    title: 'Draft Section',
    german: 'Abschnitt entwerfen',
    description: `Drafts a new text section (Markdown) that explains the diffs after it. ${proposal}`,
    icon: 'edit-sparkle',
    writes: true,
    fields: {
      stack,
      patch,
      fingerprint,
      text: { type: 'string', description: 'The Markdown of the section.' },
      before: {
        type: 'string',
        description: 'Code of the section that it goes before; at the end of the patch if left out.',
        optional: true,
      },
      project,
    },
  },
  editSection: {
    title: 'Edit Section',
    german: 'Abschnitt bearbeiten',
    description: `Replaces the text of a section that has one. What the person is typing there is never overwritten. ${proposal}`,
    icon: 'edit',
    writes: true,
    fields: {
      stack,
      patch,
      fingerprint,
      section: { type: 'string', description: 'Code of the section, as readPatch gives it.' },
      text: { type: 'string', description: 'All of its new Markdown.' },
      project,
    },
  },
  proposeOrder: {
    title: 'Propose Section Order',
    german: 'Reihenfolge der Abschnitte vorschlagen',
    description: `Proposes another order of the sections of a patch. ${proposal}`,
    icon: 'list-ordered',
    writes: true,
    fields: {
      stack,
      patch,
      fingerprint,
      order: { type: 'strings', description: 'The codes of all its sections, in the new order.' },
      project,
    },
  },
} as const satisfies Record<string, AgentTool>;

/** The name of a tool. */
export type AgentToolName = keyof typeof agentTools;

type Value<F extends Field> = F['type'] extends 'string'
  ? string
  : F['type'] extends 'integer'
    ? number
    : string[];
type Fields<N extends AgentToolName> = (typeof agentTools)[N]['fields'];
type OptionalField<N extends AgentToolName> = {
  [K in keyof Fields<N>]: Fields<N>[K] extends { optional: true } ? K : never;
}[keyof Fields<N>];

/** The input of a tool, checked. */
export type ToolInput<N extends AgentToolName> = N extends AgentToolName
  ? {
      [K in Exclude<keyof Fields<N>, OptionalField<N>>]: Fields<N>[K] extends Field
        ? Value<Fields<N>[K]>
        : never;
    } & { [K in OptionalField<N>]?: Fields<N>[K] extends Field ? Value<Fields<N>[K]> : never }
  : never;

/** True for the name of a tool. */
export function isAgentTool(name: string): name is AgentToolName {
  return Object.hasOwn(agentTools, name);
}

/** The id under which VS Code knows a tool. */
export function agentToolId(name: AgentToolName): string {
  return `patchStacks_${name}`;
}

/** The JSON schema of a tool's input. */
export function inputSchemaOf({ fields }: AgentTool): object {
  const schemaOf = ({ type, description }: Field): object =>
    type === 'strings'
      ? { type: 'array', items: { type: 'string' }, description }
      : { type, description, ...(type === 'integer' && { minimum: 1 }) };
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
    required: Object.entries(fields).flatMap(([name, { optional }]) => (optional ? [] : [name])),
    additionalProperties: false,
  };
}

/** Characters of a text that an agent may propose. */
export const longestText = 50_000;

/** Characters of an id or name, and the number of them in a list. */
const longestId = 1_000;
const mostIds = 10_000;

/**
 * Reads the input of a tool, which is whatever a model says.
 *
 * @throws {ToolRefusal} what is wrong with it.
 */
export function readInput<N extends AgentToolName>(name: N, input: unknown): ToolInput<N> {
  const id = v.pipe(v.string(), v.maxLength(longestId));
  const values = {
    string: id,
    text: v.pipe(v.string(), v.maxLength(longestText)),
    integer: v.pipe(v.number(), v.integer(), v.minValue(1)),
    strings: v.pipe(v.array(id), v.maxLength(mostIds)),
  };
  const fields = Object.entries<Field>(agentTools[name].fields).map(([field, { type, optional }]) => {
    const value = field === 'text' ? values.text : values[type];
    return [field, optional ? v.optional(value) : value];
  });
  const read = v.safeParse(v.strictObject(Object.fromEntries(fields) as v.ObjectEntries), input ?? {});
  if (!read.success) {
    const [{ path, expected, type }] = read.issues;
    const field = String(path?.[0].key);
    // Whatever else is wrong with it may be a stranger's words.
    const known = Object.hasOwn(agentTools[name].fields, field)
      ? `"${field}"`
      : 'an argument that there is not';
    throw new ToolRefusal(`The input doesn't fit at ${known}: expected ${expected ?? type}.`);
  }
  return read.output as ToolInput<N>;
}

/** Says to an agent why nothing was done. Its message has nothing in it that strangers wrote. */
export class ToolRefusal extends Error {
  override name = 'ToolRefusal';
}
