/** The texts that the markdown files of stacks were made of, on disk: VS Code brings files back after a reload as they were typed. */
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { StackText } from '../model/stackText/stackText.ts';
import { replaceFile } from '../util/atomicFile.ts';

const text = v.object({
  kind: v.literal('text'),
  code: v.string(),
  identifier: v.string(),
  text: v.string(),
  isNew: v.exactOptional(v.boolean()),
});
const fixed = v.object({
  kind: v.literal('fixed'),
  code: v.string(),
  identifier: v.string(),
  lineCount: v.number(),
  print: v.string(),
});
const schema = v.object({
  place: v.object({
    serverUrl: v.string(),
    projectId: v.string(),
    branchId: v.exactOptional(v.string()),
    stackUuid: v.string(),
  }),
  base: v.object({
    title: v.string(),
    description: v.string(),
    patches: v.array(
      v.object({ changeId: v.string(), title: v.string(), sections: v.array(v.union([text, fixed])) }),
    ),
  }) satisfies v.GenericSchema<StackText>,
});

/** A stack that is open as a file, and what its file was made of. */
export type KeptStackText = v.InferOutput<typeof schema>;

/** Files that are remembered, at most; the ones that were opened last. */
const most = 20;

/** @throws what the file system says. */
export async function keepStackText(folder: string, name: string, kept: KeptStackText): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${name}.json`);
  await replaceFile(file, JSON.stringify(kept), `${file}.new`);
  const others = (await readdir(folder)).filter(
    (other) => other.endsWith('.json') && other !== `${name}.json`,
  );
  if (others.length >= most) {
    const aged = await Promise.all(
      others.map(async (other) => ({ other, at: (await stat(path.join(folder, other))).mtimeMs })),
    );
    aged.sort((one, next) => next.at - one.at);
    await Promise.all(aged.slice(most - 1).map(({ other }) => rm(path.join(folder, other), { force: true })));
  }
}

/** Undefined for one that was opened too long ago, and for a file that says something else. */
export async function readKeptStackText(folder: string, name: string): Promise<KeptStackText | undefined> {
  try {
    const result = v.safeParse(schema, JSON.parse(await readFile(path.join(folder, `${name}.json`), 'utf8')));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}
