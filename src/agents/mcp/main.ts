/**
 * The MCP server, a program of its own: hands on the tools of a window that is open. It knows nothing but the window's file. A terminal
 * runs it on whatever Node is there, so it has nothing that came after Node 18.
 *
 *   node mcp.cjs FILE|FOLDER    the file of a window, or the folder with those of all: then the one that has this folder open
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { readdir, readFile, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import * as v from 'valibot';
import { hear, replySchema, say, windowSchema, type Reply, type WindowFile } from './line.ts';

const noWindow =
  'No window of VS Code is open that agents may use. Open one, sign in to Patch Stacks there, and run "Connect Agent".';

/** The window that answers; it is looked for again when it has gone. */
class Line {
  readonly #place: string;
  readonly #waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();
  #socket: Promise<Socket> | undefined;
  #last = 0;

  constructor(place: string) {
    this.#place = place;
  }

  async ask(message: { method: 'list' } | { method: 'call'; name: string; input: unknown }): Promise<Reply> {
    this.#socket ??= this.#connect();
    let socket: Socket;
    try {
      socket = await this.#socket;
    } catch (error) {
      this.#socket = undefined;
      throw error;
    }
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      say(socket, { id, ...message });
    });
  }

  async #connect(): Promise<Socket> {
    for (const window of await findWindows(this.#place)) {
      const socket = await reach(window.socket);
      if (socket) {
        say(socket, { secret: window.secret });
        hear(socket, (message) => {
          const reply = v.parse(replySchema, message);
          this.#waiting.get(reply.id)?.resolve(reply);
          this.#waiting.delete(reply.id);
        });
        socket.once('close', () => {
          this.#socket = undefined;
          this.#waiting.forEach(({ reject }) => reject(new Error(noWindow)));
          this.#waiting.clear();
        });
        return socket;
      }
    }
    throw new Error(noWindow);
  }
}

/** The windows of a file or folder: those with this folder open first, then the one that was opened last. */
async function findWindows(place: string): Promise<WindowFile[]> {
  const isFolder = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const names = isFolder ? (await readdir(place)).filter((name) => name.endsWith('.json')) : [''];
  const found = await Promise.all(
    names.map(async (name) => {
      const file = path.join(place, name);
      try {
        const window = v.parse(windowSchema, JSON.parse(await readFile(file, 'utf8')));
        return [{ window, openedAt: (await stat(file)).mtimeMs }];
      } catch {
        return [];
      }
    }),
  );
  const hasHere = ({ folders }: WindowFile): number =>
    folders.some((folder) => !path.relative(folder, process.cwd()).startsWith('..')) ? 1 : 0;
  return found
    .flat()
    .sort((a, b) => hasHere(b.window) - hasHere(a.window) || b.openedAt - a.openedAt)
    .map(({ window }) => window);
}

/** Undefined when nobody listens there: the window has gone without a word. */
function reach(address: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => {
      socket.destroy();
      resolve(undefined);
    });
  });
}

const line = new Line(process.argv[2] ?? '');
// eslint-disable-next-line @typescript-eslint/no-deprecated -- The other one has its tools before it starts; these come from a window.
const server = new Server(
  { name: 'patch-stacks', version: '1' },
  {
    capabilities: { tools: {} },
    // For what clients answer when they are asked something, which nothing here does.
    jsonSchemaValidator: {
      getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'Nothing is asked.' }),
    },
  },
);
server.setRequestHandler(ListToolsRequestSchema, async () => {
  const reply = await line.ask({ method: 'list' });
  const tools = 'tools' in reply ? reply.tools : [];
  return {
    tools: tools.map(({ name, title, description, inputSchema, writes }) => ({
      name,
      title,
      description,
      inputSchema: { ...inputSchema, type: 'object' as const },
      annotations: { title, readOnlyHint: !writes, destructiveHint: false, openWorldHint: false },
    })),
  };
});
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const reply = await line.ask({ method: 'call', name: params.name, input: params.arguments ?? {} });
  return 'text' in reply
    ? { content: [{ type: 'text', text: reply.text }], isError: reply.isRefusal }
    : { content: [], isError: true };
});
// Whoever started it has gone.
process.stdin.once('end', () => process.exit(0));
server.connect(new StdioServerTransport()).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
