/**
 * The line between a window and the programs that agents run: messages of JSON, each on a line, through a socket that only the person's
 * own programs can reach. The first message of a program has the secret of the window's file.
 */
import type { Socket } from 'node:net';
import * as v from 'valibot';
import { isObject } from '../../util/isObject.ts';

/** Bytes of a message. */
const longestMessage = 4_000_000;

const id = v.number();

/** Everything that a program says. */
export const askSchema = v.union([
  v.object({ secret: v.string() }),
  v.object({ id, method: v.literal('list') }),
  v.object({ id, method: v.literal('call'), name: v.string(), input: v.unknown() }),
]);
export type Ask = v.InferOutput<typeof askSchema>;

/** A tool, as a program hands it on. */
const toolSchema = v.object({
  name: v.string(),
  title: v.string(),
  description: v.string(),
  inputSchema: v.custom<object>(isObject),
  writes: v.boolean(),
});
export type ToolOffer = v.InferOutput<typeof toolSchema>;

/** Everything that a window answers. */
export const replySchema = v.union([
  v.object({ id, tools: v.array(toolSchema) }),
  v.object({ id, text: v.string(), isRefusal: v.boolean() }),
]);
export type Reply = v.InferOutput<typeof replySchema>;

/** The file of a window, which only the person can read. */
export const windowSchema = v.object({
  socket: v.string(),
  secret: v.string(),
  folders: v.array(v.string()),
});
export type WindowFile = v.InferOutput<typeof windowSchema>;

/** Sends a message. */
export function say(socket: Socket, message: Ask | Reply): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** Hands on each message that comes; one that is too long, or no JSON, ends the line. */
export function hear(socket: Socket, onMessage: (message: unknown) => void): void {
  let left = '';
  socket.setEncoding('utf8');
  socket.on('data', (data) => {
    const lines = (left + String(data)).split('\n');
    left = lines.pop() ?? '';
    try {
      if (left.length > longestMessage) {
        throw new Error('A message is too long.');
      }
      for (const line of lines) {
        // A message may have ended the line, whatever came with it.
        if (!socket.destroyed) {
          onMessage(JSON.parse(line));
        }
      }
    } catch {
      socket.destroy();
    }
  });
}
