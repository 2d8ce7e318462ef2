import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiClient } from '../../../src/api/client.ts';
import { FaultServer, reply } from '../../support/faultServer.ts';
import { forwardTo } from '../../support/forward.ts';
import { fillDataDirectory, manyOfAll } from '../../support/manyProjects.ts';
import { serveData, type ServedData } from '../../support/servedData.ts';
import { amountRow, beside, type Group, type Row } from '../measure.ts';
import type { ServiceDesk, StacksViewMeasured } from '../probes/stacksView.ts';
import { BenchWorkbench } from '../workbench.ts';

const metrics = {
  first: 'stacks view: requests until the first rows',
  stacks: 'stacks view: requests to expand 2,000 stacks',
  patches: 'stacks view: requests to expand 1,000 patches',
  sections: 'stacks view: requests to expand 2,000 sections',
  refresh: 'stacks view: requests of a refresh in which one project changed',
  redrawn: 'stacks view: rows drawn again after it',
  heap: 'stacks view: heap of 10,000 projects',
  stall: 'stacks view: longest turn of the event loop',
} as const;

/** The stacks view in a real VS Code over the local service, with more in it than anyone has. */
export const group: Group = {
  async run(wanted) {
    if (!Object.values(metrics).some(wanted)) {
      return [];
    }
    const directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-bench-'));
    try {
      await fillDataDirectory(directory);
      await using service = await serveData(directory);
      return rows(await measure(service)).filter(({ metric }) => wanted(metric));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function measure(service: ServedData): Promise<StacksViewMeasured> {
  const server = await FaultServer.start();
  try {
    await using client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    server.use(
      forwardTo(service.url, ({ url }) => {
        switch (url) {
          case '/bench/requests':
            return reply(200, String(server.seen.filter((seen) => isOfRows(seen.url)).length));
          case '/bench/rename':
            return async (...answer) => {
              await client.projects.update('5', { name: 'Renamed' });
              await reply(200)(...answer);
            };
          default:
            return undefined;
        }
      }),
    );
    await using code = await BenchWorkbench.start({
      service: { url: `${server.url}${new URL(service.url).pathname}`, token: service.token },
      // VS Code does this by itself every few seconds, in the turns that are measured here; for each connection to its own
      // services it reads all certificates, which is as long a turn.
      settings: {
        'patchStacks.refreshInterval': 0,
        'http.systemCertificates': false,
        'remote.autoForwardPorts': false,
      },
      env: { HTTPS_PROXY: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9' },
    });
    const desk: ServiceDesk = {
      requests: `${server.url}/bench/requests`,
      rename: `${server.url}/bench/rename`,
      projects: manyOfAll.projects,
      owners: manyOfAll.owners,
    };
    return (await code.inHost(import.meta.resolve('../probes/stacksView.ts'), desk)) as StacksViewMeasured;
  } finally {
    await server.stop();
  }
}

/** The sign-in that the window is handed asks who it is for. */
function isOfRows(url: string): boolean {
  return !url.startsWith('/bench/') && !url.endsWith('/user');
}

function rows(measured: StacksViewMeasured): Row[] {
  const { first, all, stacks, patches, sections, refresh, redrawn, heap, namesAlone } = measured;
  const steps = Object.entries({ first, all, stacks, patches, sections, refresh });
  const longest = steps.reduce((one, other) => (other[1].longestTurn > one[1].longestTurn ? other : one));
  return [
    amountRow(metrics.first, 'requests', [first.requests], { atMost: 1 }),
    amountRow(metrics.stacks, 'requests', [stacks.requests], { atMost: 1 }),
    amountRow(metrics.patches, 'requests', [patches.requests], { atMost: 1 }),
    amountRow(metrics.sections, 'requests', [sections.requests], { atMost: 1 }),
    amountRow(metrics.refresh, 'requests', [refresh.requests], { atMost: 1 }),
    amountRow(metrics.redrawn, 'rows', [redrawn], { atMost: 1 }),
    amountRow(
      metrics.heap,
      'MB',
      [heap / 2 ** 20],
      { atMost: 30 },
      "with the rows, and VS Code's own record of them",
    ),
    beside(
      amountRow(
        metrics.stall,
        'ms',
        [longest[1].longestTurn],
        { atMost: 50 },
        `${steps.map(([name, { longestTurn }]) => `${name}: ${longestTurn.toFixed(1)} ms`).join(', ')}; ` +
          "VS Code's own start is over before the first. Profiles of single turns showed, in the first, the parsing of a file, or an " +
          'extension of VS Code itself that starts meanwhile; in all and in sections, VS Code alone, which writes the rows of all ' +
          'groups down in one turn; in the others, reading an answer',
      ),
      'as many names alone in a tree',
      namesAlone,
    ),
  ];
}
