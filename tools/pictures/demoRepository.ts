/** The repository of the screenshots: a small HTTP client, with a branch that teaches it to wait when a server asks. */
import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const mara = { name: 'Mara Lindqvist', email: 'mara@example.org' };
const jun = { name: 'Jun Ito', email: 'jun@example.org' };
const samuel = { name: 'Samuel Okafor', email: 'samuel@example.org' };

interface Commit {
  readonly author: typeof mara;
  readonly message: string;
  readonly files: Record<string, string>;
  readonly move?: readonly [from: string, to: string];
}

const client = `import { backoff } from './backoff.ts';

export interface Options {
  retries?: number;
  signal?: AbortSignal;
}

/** Fetches JSON, and tries again when the server is busy. */
export async function getJson(url: string, options: Options = {}): Promise<unknown> {
  const { retries = 3, signal } = options;
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(url, { signal });
    if (response.ok) {
      return response.json();
    }
    if (response.status !== 429 || attempt >= retries) {
      throw new Error(\`\${url} answered \${response.status}\`);
    }
    await wait(backoff(attempt), signal);
  }
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
`;

const backoff = `/** Doubles with each attempt, with some chance, so that many clients do not come back at once. */
export function backoff(attempt: number): number {
  const longest = 250 * 2 ** attempt;
  return longest / 2 + Math.random() * (longest / 2);
}
`;

const retryAfter = `/**
 * What a \`Retry-After\` header asks for, in milliseconds: it holds either seconds or a date.
 *
 * @returns undefined for a header that is missing or says neither.
 */
export function parseRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) {
    return undefined;
  }
  if (/^\\d+$/.test(header.trim())) {
    return Number(header) * 1000;
  }
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
`;

const carefulRetryAfter = retryAfter
  .replace('if (header === null) {', "const text = header?.trim() ?? '';\n  if (text === '') {")
  .replace('test(header.trim())', 'test(text)')
  .replace('Number(header) * 1000', 'Number(text) * 1000')
  .replace('Date.parse(header)', 'Date.parse(text)');

const waiting = client
  .replace(
    "import { backoff } from './backoff.ts';",
    "import { backoff } from './backoff.ts';\nimport { parseRetryAfter } from './retryAfter.ts';",
  )
  .replace(
    '    await wait(backoff(attempt), signal);',
    "    const asked = parseRetryAfter(response.headers.get('retry-after'));\n    await wait(asked ?? backoff(attempt), signal);",
  );

const patient = waiting
  .replace(
    '  signal?: AbortSignal;\n}',
    '  signal?: AbortSignal;\n  /** The longest wait a server may ask for, in milliseconds. */\n  longestWait?: number;\n}',
  )
  .replace(
    'const { retries = 3, signal } = options;',
    'const { retries = 3, longestWait = 60_000, signal } = options;',
  )
  .replace(
    '    await wait(asked ??',
    '    if (asked !== undefined && asked > longestWait) {\n      throw new Error(`${url} asks to wait for ${Math.round(asked / 1000)} s`);\n    }\n    await wait(asked ??',
  );

const commits: readonly Commit[] = [
  {
    author: mara,
    message: `Read what Retry-After asks for

A busy server can say when to come back, in one of two forms:

| Header | Meaning |
|---|---|
| \`Retry-After: 120\` | in 120 seconds |
| \`Retry-After: Fri, 31 Dec 2027 23:59:59 GMT\` | at that time |

\`parseRetryAfter\` turns both into **milliseconds from now**. A date that has
passed means *at once*, never a negative wait.`,
    files: {
      'src/retryAfter.ts': retryAfter,
      'test/retryAfter.test.ts': `import assert from 'node:assert/strict';
import { parseRetryAfter } from '../src/retryAfter.ts';

it('reads seconds', () => {
  assert.equal(parseRetryAfter('120'), 120_000);
});

it('reads a date', () => {
  const now = Date.parse('2027-12-31T23:59:00Z');
  assert.equal(parseRetryAfter('Fri, 31 Dec 2027 23:59:59 GMT', now), 59_000);
});

it('does not wait for a date that has passed', () => {
  assert.equal(parseRetryAfter('Fri, 31 Dec 1999 23:59:59 GMT'), 0);
});
`,
    },
  },
  {
    author: jun,
    message: `Wait as long as the server asks

Until now we came back after our own back-off, however busy the server said it
was. That is how we were blocked on Tuesday:

1. the server answered \`429\` with \`Retry-After: 30\`
2. we came back after 250 ms, three times
3. the server stopped answering us at all

Now the header wins, and \`backoff()\` is what remains for servers that say
nothing:

\`\`\`ts
await wait(asked ?? backoff(attempt), signal);
\`\`\``,
    files: { 'src/client.ts': waiting },
  },
  {
    author: mara,
    message: `Give up when the wait would be too long

Some servers ask for an hour. Nobody looks at a spinner for an hour, so a wait
over \`longestWait\` fails at once. That is a minute (src/client.ts:13), unless
the caller says otherwise. The message says how long the server wanted:

> https://api.example.org/parcels asks to wait for 3600 s`,
    files: { 'src/client.ts': patient },
  },
  {
    author: samuel,
    message: `Call backoff.ts what it does

It holds delays of every kind now. Nothing else changes.`,
    move: ['src/backoff.ts', 'src/delays.ts'],
    files: { 'src/client.ts': patient.replace("'./backoff.ts'", "'./delays.ts'") },
  },
  {
    author: samuel,
    message: `Explain retries in the README

Written for the people who asked about it in the last release:
when we retry, how long we wait, and how to turn it off.`,
    files: {
      'README.md': `# parcels-client

Fetches parcels, politely.

## Retries

A request that is answered with \`429\` is tried again, three times at most. We wait as long as the server asks for in
\`Retry-After\`, or a little longer each time where it asks for nothing.

\`\`\`ts
await getJson(url, { retries: 0 }); // never try again
\`\`\`
`,
    },
  },
];

/** The titles of its patches, base to tip. */
export const titles = commits.map(({ message }) => message.split('\n', 1)[0] ?? '') as [string, ...string[]];

/** Commits in the repository, each an hour after the one before. */
function committing(directory: string, firstHour: number) {
  let hour = firstHour;
  const git = (author: typeof mara, ...args: string[]): void => {
    const date = `2026-03-02T${String(hour).padStart(2, '0')}:20:00Z`;
    execFileSync('git', args, {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: path.join(directory, '.no-such-file'),
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: author.name,
        GIT_COMMITTER_EMAIL: author.email,
        GIT_COMMITTER_DATE: date,
      },
    });
  };
  const commit = async ({ author, message, files, move }: Commit): Promise<void> => {
    hour += 1;
    if (move !== undefined) {
      await rename(path.join(directory, move[0]), path.join(directory, move[1]));
    }
    for (const [file, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(directory, file)), { recursive: true });
      await writeFile(path.join(directory, file), content);
    }
    git(author, 'add', '--all');
    git(author, 'commit', '--quiet', '--message', message);
  };

  return { git, commit };
}

/** Makes the repository and leaves it on its branch. */
export async function makeDemoRepository(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const { git, commit } = committing(directory, 9);
  git(mara, 'init', '--quiet', '--initial-branch=main');
  git(mara, 'config', 'user.name', mara.name);
  git(mara, 'config', 'user.email', mara.email);
  await commit({
    author: jun,
    message: 'Fetch parcels',
    files: {
      'README.md': '# parcels-client\n\nFetches parcels, politely.\n',
      'package.json': '{\n  "name": "parcels-client",\n  "type": "module"\n}\n',
      'src/client.ts': client,
      'src/backoff.ts': backoff,
    },
  });
  git(mara, 'switch', '--quiet', '--create', 'honor-retry-after');
  for (const one of commits) {
    await commit(one);
  }
}

/**
 * Rewrites the branch as its author does the next day: it stands on others' newer work, the first patch has changed, the text of the
 * third is not true any more, and there is one that nothing is said of.
 */
export async function rewriteDemoRepository(directory: string): Promise<void> {
  const { git, commit } = committing(directory, 16);
  git(mara, 'switch', '--quiet', 'main');
  await commit({
    author: jun,
    message: 'Say who may use it',
    files: { 'package.json': '{\n  "name": "parcels-client",\n  "type": "module",\n  "license": "MIT"\n}\n' },
  });
  // The branch moves at the end, as in a rebase: the local service would take what is there before for versions of it.
  git(mara, 'switch', '--quiet', '--detach', 'main');
  const [first, ...others] = commits;
  if (first === undefined) {
    return;
  }
  await commit({
    ...first,
    message: first.message.replace(
      '*at once*, never a negative wait.',
      '*at once*, never a negative wait. A header that says\nneither counts as missing.',
    ),
    files: { ...first.files, 'src/retryAfter.ts': carefulRetryAfter },
  });
  for (const one of others) {
    // The third patch says that it is a minute.
    const client = one.files['src/client.ts']?.replace('longestWait = 60_000', 'longestWait = 90_000');
    await commit(client === undefined ? one : { ...one, files: { ...one.files, 'src/client.ts': client } });
  }
  await commit({
    author: mara,
    message: 'Come back a little later than asked',
    files: {
      'src/delays.ts': `${backoff}
/** A server that has just woken up is not to meet all clients in the same millisecond. */
export function spread(asked: number): number {
  return asked + Math.random() * 500;
}
`,
    },
  });
  git(mara, 'switch', '--quiet', '--force-create', 'honor-retry-after');
}
