/**
 * Lets the programs of agents in, as long as this window is open: through a socket in a folder of the person's own, or a pipe, with a
 * secret of its own. There is nothing behind it but the tools: no access token, and no other part of the window.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import type { ToolAnswer } from '../answer.ts';
import { agentTools, inputSchemaOf, type AgentTool } from '../toolTable.ts';
import { askSchema, hear, say, type Ask, type ToolOffer, type WindowFile } from './line.ts';
import { inBackground } from '../../util/inBackground.ts';

interface GateContext {
  /** The folder with the files of windows. */
  folder: string;
  /** The folders that are open in this window. */
  folders: readonly string[];
  call: (name: string, input: unknown) => Promise<ToolAnswer>;
}

/** Programs at once, and what one of them may ask at once. */
const mostPrograms = 16;
const mostAsked = 8;

/** Milliseconds that a program has to show the secret. */
const patienceMs = 5_000;

/** See the module. */
export class Gate implements AsyncDisposable {
  /** Tells programs how to reach this window. */
  readonly file: string;
  readonly #context: GateContext;
  readonly #secret = randomBytes(32).toString('hex');
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #directory: string | undefined;

  private constructor(context: GateContext) {
    this.#context = context;
    this.file = path.join(context.folder, `${randomBytes(8).toString('hex')}.json`);
    this.#server = createServer((socket) => this.#meet(socket));
    this.#server.maxConnections = mostPrograms;
  }

  /** Opens it. */
  static async open(context: GateContext): Promise<Gate> {
    const gate = new Gate(context);
    try {
      await gate.#listen();
    } catch (error) {
      await gate[Symbol.asyncDispose]();
      throw error;
    }
    return gate;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#sockets.forEach((socket) => socket.destroy());
    await rm(this.file, { force: true });
    if (this.#directory !== undefined) {
      await rm(this.#directory, { recursive: true, force: true });
    }
  }

  async #listen(): Promise<void> {
    const { folder, folders } = this.#context;
    let socket = `\\\\.\\pipe\\patch-stacks-${randomBytes(16).toString('hex')}`;
    if (process.platform !== 'win32') {
      // Only the person can enter such a folder. Paths of sockets have to be short.
      this.#directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-'));
      socket = path.join(this.#directory, 's');
    }
    const listening = Promise.withResolvers<undefined>();
    this.#server.once('error', listening.reject);
    this.#server.listen(socket, () => listening.resolve(undefined));
    await listening.promise;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    const content: WindowFile = { socket, secret: this.#secret, folders: [...folders] };
    await writeFile(this.file, JSON.stringify(content), { mode: 0o600, flag: 'wx' });
  }

  #meet(socket: Socket): void {
    this.#sockets.add(socket);
    let isKnown = false;
    let asked = 0;
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    socket.on('close', () => {
      clearTimeout(timer);
      this.#sockets.delete(socket);
    });
    // The program has gone: there is nobody to tell.
    socket.on('error', () => socket.destroy());
    hear(socket, (message) => {
      const ask = v.safeParse(askSchema, message);
      if (!ask.success || isKnown === 'secret' in ask.output || asked >= mostAsked) {
        socket.destroy();
      } else if ('secret' in ask.output) {
        isKnown = isSame(ask.output.secret, this.#secret);
        clearTimeout(timer);
        if (!isKnown) {
          socket.destroy();
        }
      } else {
        asked += 1;
        inBackground(
          this.#answer(socket, ask.output).finally(() => {
            asked -= 1;
          }),
        );
      }
    });
  }

  async #answer(socket: Socket, ask: Exclude<Ask, { secret: string }>): Promise<void> {
    if (ask.method === 'list') {
      say(socket, { id: ask.id, tools: toolOffers() });
      return;
    }
    const { text, isRefusal = false } = await this.#context.call(ask.name, ask.input);
    say(socket, { id: ask.id, text, isRefusal });
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The tools, as programs offer them. */
function toolOffers(): ToolOffer[] {
  return Object.entries<AgentTool>(agentTools).map(([name, tool]) => ({
    name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    writes: tool.writes,
  }));
}
