import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { request as octokit } from '@octokit/request';
import axios from 'axios';
import { Agent, request } from 'undici';
import * as v from 'valibot';
import { ApiClient } from '../../../src/api/client.ts';
import { project } from '../../../src/api/decode/projects.ts';
import { list, newReport } from '../../../src/api/decode/values.ts';
import { compare, milliseconds, perSecond, type Group, type Row } from '../measure.ts';

const wireProject = (index: number) => ({
  slug: `project-${index}`,
  owner: `owner-${index % 100}`,
  name: `Project number ${index}`,
  description: 'A project with a description of a usual length, neither long nor short.',
  repository_id: `repository-${index}`,
  code_repository_id: `code-${index}`,
  active_reviews_count: index % 10,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-02-01T00:00:00.000Z',
});

/** The client: requests per second, and decoding. */
export const group: Group = {
  async run(wanted) {
    const rows: Row[] = [];
    const sequential = 'GET /user of 5 KB, one by one';
    const concurrent = 'GET /user of 5 KB, 50 at a time';
    const decoding = 'reading 10,000 projects';
    if (wanted(sequential) || wanted(concurrent)) {
      await withPlainServer(async (origin) => {
        if (wanted(sequential)) {
          rows.push(...(await compareRequests(origin, sequential, 400, 1)));
        }
        if (wanted(concurrent)) {
          rows.push(...(await compareRequests(origin, concurrent, 2500, 50)));
        }
      });
    }
    if (wanted(decoding)) {
      rows.push(...(await compareDecoding(decoding)));
    }
    return rows;
  },
};

async function compareRequests(
  origin: string,
  metric: string,
  calls: number,
  concurrent: number,
): Promise<Row[]> {
  const url = `${origin}/api/user`;
  const token = 'a-token-of-usual-length-0123456789abcdef';
  const headers = { accept: 'application/json', 'x-auth-token': token };
  // Sharing equal reads would answer most of these calls without a request.
  const transport = { shareReads: false };
  await using client = new ApiClient({ serverUrl: origin, getToken: async () => token, transport });
  const dispatcher = new Agent();
  const agent = new HttpAgent({ keepAlive: true });
  const measure = (call: () => Promise<unknown>) => perSecond(call, calls, concurrent);
  const ours = measure(() => client.users.me());
  const bare = measure(async () => (await request(url, { dispatcher, headers })).body.json());
  try {
    // One by one, what is in question is a twentieth, and a round may be off by a tenth.
    const closest = await compare(
      metric,
      'requests/s',
      ours,
      { 'undici.request + JSON': { aim: { atLeast: 0.95 }, measure: bare } },
      { rounds: concurrent === 1 ? 101 : 25 },
    );
    const others = await compare(metric, 'requests/s', ours, {
      'global fetch': {
        aim: { atLeast: 1 },
        measure: measure(async () => (await fetch(url, { headers })).json()),
      },
      axios: {
        aim: { atLeast: 1 },
        measure: measure(() => axios.get(url, { headers, httpAgent: agent, proxy: false })),
      },
      '@octokit/request': {
        aim: { atLeast: 1 },
        measure: measure(() => octokit('GET /api/user', { baseUrl: origin, headers })),
      },
    });
    return [...closest, ...others];
  } finally {
    await dispatcher.destroy();
    agent.destroy();
  }
}

/** A server in a process of its own, so that it does not take the clients' time. */
async function withPlainServer(use: (origin: string) => Promise<void>): Promise<void> {
  const user = JSON.stringify({
    id: 1,
    login: 'ada',
    projects: Array.from({ length: 13 }, (_value, i) => wireProject(i)),
  });
  const script = `const body = Buffer.from(process.argv[1].padEnd(5120));
    require('node:http').createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
  const server = spawn(process.execPath, ['--eval', script, user], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    await use(`http://127.0.0.1:${String(port).trim()}`);
  } finally {
    server.kill();
  }
}

function compareDecoding(metric: string): Promise<Row[]> {
  const projects = Array.from({ length: 10_000 }, (_value, index) => ({
    ...wireProject(index),
    parent_project: index % 3 === 0 ? wireProject(index + 1_000_000) : null,
  }));
  const text = JSON.stringify(projects);
  const schema = valibotProject();
  return compare(
    metric,
    'ms',
    milliseconds(() => list(JSON.parse(text), project, newReport())),
    {
      'JSON.parse': { aim: { atMost: 2 }, measure: milliseconds(() => JSON.parse(text) as unknown) },
      'JSON.parse + valibot': {
        aim: { atMost: 1 },
        measure: milliseconds(() =>
          (JSON.parse(text) as unknown[]).map((entry) => v.safeParse(schema, entry)),
        ),
      },
    },
    { rounds: 40, warmUp: 5 },
  );
}

/** The reader in `decode/projects.ts` as a schema; it is no shorter, and its parents are limited by the stack. */
function valibotProject(): v.GenericSchema<unknown, unknown> {
  const text = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String));
  const optional = <T extends v.GenericSchema>(schema: T) =>
    v.optional(v.fallback(v.nullish(schema), undefined));
  const schema: v.GenericSchema<unknown, unknown> = v.pipe(
    v.object({
      repository_id: text,
      slug: optional(text),
      owner: optional(text),
      name: optional(text),
      description: optional(text),
      code_repository_id: optional(text),
      active_reviews_count: optional(v.pipe(v.union([v.number(), v.string()]), v.transform(Number))),
      created_at: optional(text),
      updated_at: optional(text),
      parent_project: v.nullish(v.lazy(() => schema)),
    }),
    v.transform((wire) => ({
      repositoryId: wire.repository_id,
      slug: wire.slug,
      owner: wire.owner,
      name: wire.name,
      description: wire.description,
      codeRepositoryId: wire.code_repository_id,
      activeReviewsCount: wire.active_reviews_count,
      parentProject: wire.parent_project,
      createdAt: wire.created_at,
      updatedAt: wire.updated_at,
    })),
  );
  return schema;
}
