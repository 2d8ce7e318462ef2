/**
 * Readers of what comes from outside, fed with what no one means: as many inputs as fit into a time. An input that does harm
 * is kept by its seed in seeds.json, and comes first from then on.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { loginToken } from '../../src/api/decode/login.ts';
import { serviceMessage } from '../../src/api/decode/message.ts';
import { patch, patches, section } from '../../src/api/decode/patches.ts';
import { project } from '../../src/api/decode/projects.ts';
import { release } from '../../src/api/decode/releases.ts';
import { stack } from '../../src/api/decode/stacks.ts';
import { ownUser, sshKeys, user } from '../../src/api/decode/users.ts';
import { list, newReport, object, type Reader } from '../../src/api/decode/values.ts';
import { pages } from '../../src/api/paging.ts';
import { mergeText } from '../../src/util/mergeText.ts';
import { RpcPeer, type RpcChannel } from '../../src/protocol/rpc.ts';
import { parseFileDiff } from '../../src/webview/patchDocument/diff/diff.ts';
import type { Attack } from './attack.ts';

type Seed = Pick<fc.Parameters, 'seed' | 'path'>;

const seedFile = path.join(import.meta.dirname, 'seeds.json');

/** Anything, but with the fields that we read. */
const fields = [
  'id', 'login', 'repository_id', 'parent_project', 'permissions', 'projects', 'organizations', 'access_token',
  'fingerprint', 'public_key', 'uuid', 'patches', 'contributors', 'stack_size', 'change_id', 'statistics', 'review',
  'review_all', 'sections', 'position', 'section_type', 'code', 'identifier', 'data', 'diff_patch', 'token', 'user',
  'builds', 'viewed', 'files', 'created_at', 'error', 'errors', 'message',
]; // prettier-ignore
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.double(),
    tie('record'),
    fc.array(tie('value')),
  ),
  record: fc.dictionary(fc.constantFrom(...fields), tie('value'), { maxKeys: 12 }),
})).value;

const readers: Record<string, Reader<unknown>> = {
  user, ownUser, project, stack, patch, patches, section, release, loginToken, sshKeys,
  list: (value, report) => list(value, patch, report),
}; // prettier-ignore

const decode = fc.property(fc.constantFrom(...Object.keys(readers)), anything, (reader, value) => {
  JSON.stringify(readers[reader]!(value, newReport()));
});

const errorBody = fc.property(
  fc.oneof(
    fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
    anything.map((value) => Buffer.from(JSON.stringify(value))),
    fc
      .tuple(fc.constantFrom(...fields), fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }))
      .map(([field, text]) => Buffer.from(JSON.stringify({ [field]: text.repeat(1000) }))),
  ),
  (body) => {
    const { message = '' } = serviceMessage(body);
    assert.ok(message.length <= 1000, 'a message that fits');
    assert.doesNotMatch(
      message,
      /[\u0000-\u0008\u202a-\u202e\u2066-\u2069]/,
      'no marks that turn text around',
    );
  },
);

/** Lists of records with few timestamps, so that many share one, read in pages by services of both kinds. */
const paging = fc.asyncProperty(
  fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 60 }),
  fc.integer({ min: 1, max: 20 }),
  fc.boolean(),
  async (times, pageSize, inclusive) => {
    const records = times
      .map((time, id) => ({ id: String(id), time: 1_767_225_600_000 + time * 1000 }))
      .toSorted((a, b) => b.time - a.time);
    let requests = 0;
    const found: string[] = [];
    const all = pages(
      async ({ since, before, limit }) => {
        assert.ok((requests += 1) < 1000, 'an end');
        const end = before?.getTime() ?? Infinity;
        const items = records
          .filter(({ time }) => (inclusive ? time <= end : time < end))
          .filter(({ time }) => since === undefined || time >= new Date(since).getTime())
          .slice(0, limit);
        return { items, dropped: 0 };
      },
      {
        pageSize,
        identify: ({ id }) => id,
        timestamp: ({ time }) => new Date(time).toISOString(),
      },
    );
    for await (const { id } of all) {
      found.push(id);
    }
    assert.deepEqual(found.toSorted(), records.map(({ id }) => id).toSorted());
  },
);

const line = fc.constantFrom('a', 'b', 'c d', '', '  ', '<<<<<<<', '=======', '\u202e');
const lines = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'))
  .map(([texts, end]) => texts.join(end));
const merge = fc.property(lines, lines, lines, (base, mine, theirs) => {
  assert.deepEqual(mergeText(base, mine, base), { kind: 'merged', text: mine });
  assert.deepEqual(mergeText(base, base, theirs), { kind: 'merged', text: theirs });
  assert.equal(mergeText(base, mine, theirs).kind, mergeText(base, theirs, mine).kind);
});

const message = fc.oneof(
  anything,
  fc.record(
    {
      rpc: fc.oneof(fc.constantFrom('request', 'result', 'error', 'cancel'), anything),
      id: fc.oneof(fc.integer({ min: 0, max: 3 }), anything),
      method: fc.oneof(fc.constantFrom('echo', 'constructor', '__proto__', 'toString'), anything),
      parameters: anything,
      message: anything,
    },
    { requiredKeys: [] },
  ),
);
const protocol = fc.asyncProperty(fc.array(message, { maxLength: 20 }), async (messages) => {
  interface Echo {
    echo: (parameters: unknown) => unknown;
  }
  const listeners: ((received: unknown) => void)[] = [];
  const posted: unknown[] = [];
  const channel: RpcChannel = {
    post: (sent) => void posted.push(sent),
    listen: (listener) => {
      listeners.push(listener);
      return { dispose: () => listeners.splice(0) };
    },
  };
  const peer = new RpcPeer<Echo, Echo>(channel, { echo: (value) => value }, () => ({ message: 'no' }));
  for (const received of messages) {
    listeners.forEach((listener) => listener(received));
  }
  listeners.forEach((listener) =>
    listener({ rpc: 'request', id: 'last', method: 'echo', parameters: 'here' }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(
    posted.some((sent) => JSON.stringify(sent) === '{"rpc":"result","id":"last","result":"here"}'),
    'an answer after all',
  );
  const answers = posted.filter((sent) => object(sent)?.['rpc'] === 'result');
  const asked = messages.filter((received) => object(received)?.['method'] === 'echo');
  assert.ok(answers.length <= asked.length + 1, 'no answer of a method that nobody has made');
  peer.dispose();
});

const diffLine = fc.oneof(
  fc.constantFrom(
    'diff --git a/x b/y',
    '--- a/x',
    '+++ b/y',
    '--- /dev/null',
    '@@ -1,3 +1,3 @@ f()',
    '@@ -1 +1 @@',
    '@@ -99999999999999999999,1 +0,0 @@',
    '-old',
    '+new',
    ' same',
    '\\ No newline at end of file',
    'rename from x',
    'GIT binary patch',
    'Binary files a/x and b/y differ',
    'old mode 100644',
  ),
  fc.string({ unit: 'binary' }),
);
const diff = fc.property(
  fc.array(diffLine, { maxLength: 40 }).map((texts) => texts.join('\n')),
  (text) => {
    const parsed = parseFileDiff(text);
    assert.ok((parsed?.rows.length ?? 0) <= text.split('\n').length, 'no row from nowhere');
  },
);

/** The dice of the short form, always the same: a change is judged by what it does, not by luck. New ones are thrown in full. */
const dice = 20_261_121;

/** A fuzzer runs what did harm before, and then what is new, for a time. */
export function fuzzer<T>(name: string, property: fc.IRawProperty<T>): Attack {
  return {
    name: `fuzzing: ${name}`,
    async run(full) {
      const seeds = JSON.parse(readFileSync(seedFile, 'utf8')) as Record<string, Seed[]>;
      const known = seeds[name] ?? [];
      const failures: string[] = [];
      let tried = 0;
      const check = async (parameters: fc.Parameters<T>): Promise<boolean> => {
        const details = await fc.check(property, parameters);
        tried += details.numRuns;
        if (details.failed) {
          const { seed, counterexamplePath, counterexample, errorInstance } = details;
          const example = fc.stringify(counterexample).slice(0, 300);
          const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
          failures.push(`seed ${seed}, path ${counterexamplePath}: ${example}: ${reason.slice(0, 600)}`);
          seeds[name] = [...known, { seed, ...(counterexamplePath && { path: counterexamplePath }) }];
        }
        return !details.failed;
      };
      for (const seed of known) {
        await check({ ...seed, endOnFailure: true });
      }
      const goesOn = await check({
        ...(!full && { seed: dice }),
        numRuns: 1_000_000,
        plugins: [fc.interruptAfterTimeLimit(full ? 60_000 : 3_000) as fc.Plugin<T>],
      });
      if (!goesOn) {
        writeFileSync(seedFile, `${JSON.stringify(seeds, undefined, 2)}\n`);
      }
      return { tried, failures };
    },
  };
}

export const attacks: readonly Attack[] = [
  fuzzer('answers', decode),
  fuzzer('error bodies', errorBody),
  fuzzer('paging', paging),
  fuzzer('merging', merge),
  fuzzer('messages of pages', protocol),
  fuzzer('diffs', diff),
];
