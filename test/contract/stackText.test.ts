/** A patch stack as a markdown file: what somebody writes into it is what the service has then, by as few requests as can be. */
import assert from 'node:assert/strict';
import type { ApiClient } from '../../src/api/client.ts';
import type { AskService } from '../../src/model/askService.ts';
import { Model } from '../../src/model/model.ts';
import { PendingChanges } from '../../src/model/pending/pendingChanges.ts';
import { planEdits } from '../../src/model/stackText/planEdits.ts';
import { readStackMarkdown, type EditedStack } from '../../src/model/stackText/readStackMarkdown.ts';
import { sendEdits, type SentEdits, type StackPlace } from '../../src/model/stackText/sendEdits.ts';
import { diffLines, stackAsMarkdown } from '../../src/model/stackText/stackAsMarkdown.ts';
import type { StackText } from '../../src/model/stackText/stackText.ts';
import { writtenStackText } from '../../src/model/stackText/writtenStackText.ts';
import type { LocalService } from '../../src/service/service.ts';
import { ExampleService } from '../support/exampleService.ts';
import type { FaultServer } from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import { isFull } from '../support/full.ts';
import { Random } from '../support/random.ts';

/** Edits one after the other, which are the same in each run. */
const edits = isFull ? 200 : 60;

describe('a patch stack as a markdown file', function () {
  this.timeout(180_000);
  let example: ExampleService;
  let service: LocalService;
  let client: ApiClient;
  let proxy: FaultServer;
  let throughProxy: ApiClient;
  let model: Model;
  let pendingChanges: PendingChanges;
  let place: StackPlace;

  before(async () => {
    example = await ExampleService.start();
    ({ service, proxy, client, throughProxy } = example);
    const [project] = (await client.projects.list()).items;
    const projectId = project!.repositoryId;
    const { branchId, uuid } = (await client.stacks.list(projectId)).items.find(
      ({ patches = [] }) => patches.length > 1,
    )!;
    place = { projectId, branchId, stackUuid: uuid };
  });

  after(() => example.stop());

  beforeEach(async () => {
    proxy.use(forwardTo(service.url));
    const ask: AskService = (operation) => operation(throughProxy);
    model = new Model(ask);
    pendingChanges = new PendingChanges({ ask, model, writeDelayMs: 0 });
    await pendingChanges.activate(await example.accountFolder());
  });

  afterEach(() => pendingChanges.close());

  /** The stack as the service has it, and as its file. */
  async function read(): Promise<{ text: StackText; content: string }> {
    const { stackUuid } = place;
    const stack = (await client.stacks.list(place.projectId, { status: 'all' })).items.find(
      ({ uuid }) => uuid === stackUuid,
    )!;
    const patches = await Promise.all(
      stack.patches!.map(({ changeId }) => client.patches.get(stackUuid, changeId)),
    );
    const { text, linesOfPart } = writtenStackText(stack, patches, pendingChanges.shown(), (section) =>
      section.sectionType === 'diff'
        ? diffLines(section.identifier, section.diffPatch ?? '', (count) => `${count} more`)
        : [],
    );
    return { text, content: stackAsMarkdown(text, 'A stack -- as a file', linesOfPart) };
  }

  function edited(content: string, base: StackText): EditedStack {
    const result = readStackMarkdown(content, base);
    assert.equal(result.kind, 'stack', JSON.stringify(result));
    return result.stack;
  }

  async function save(content: string, base: StackText): Promise<SentEdits> {
    return sendEdits(pendingChanges, place, base, planEdits(base, edited(content, base)), 'Text');
  }

  const writes = (): number => proxy.seen.filter(({ method }) => method !== 'GET').length;

  it(`has, after each of ${edits} edits, what was written, by as few requests as can be`, async () => {
    const random = new Random(22);
    const writer = new Writer(random);
    let { text: base, content } = await read();
    for (let edit = 0; edit < edits; edit += 1) {
      const typed = writer.edit(content);
      const wanted = edited(typed, base);
      proxy.seen.length = 0;
      const sent = await save(typed, base);
      assert.deepEqual(sent.unsent, [], typed);
      assert.equal(writes(), fewest(base, wanted), `${content}\n=====\n${typed}`);
      const now = await read();
      assert.deepEqual(outline(now.text), outline(wanted), `${content}\n=====\n${typed}`);
      // Whoever goes on writing before the file was read again has the same.
      assert.deepEqual(outline(sent.text), outline(wanted));
      assert.deepEqual(codes(sent.text), codes(now.text));
      assert.deepEqual(
        planEdits(now.text, edited(now.content, now.text)).patches.filter((plan) => plan.texts.length > 0),
        [],
      );
      ({ text: base, content } = now);
    }
    assert.deepEqual(pendingChanges.list(), []);
  });

  it('joins what somebody else has written, and keeps what it could not send', async () => {
    const { text: base, content } = await read();
    const { changeId, sections } = base.patches[0]!;
    const { code } = await client.patches.createSection(place.stackUuid, changeId, {
      type: 'text',
      text: 'One.\n\nTwo.\n\nThree.',
    });
    const begun = await read();
    await client.patches.updateSection(place.stackUuid, changeId, code, { text: 'One.\n\nTwo.\n\nThird.' });
    const typed = begun.content.replace('One.\n\nTwo.', 'First.\n\nTwo.');
    assert.deepEqual((await save(typed, begun.text)).unsent, []);
    assert.match((await read()).content, /First\.\n\nTwo\.\n\nThird\./);
    assert.equal(sections.length + 1, (await read()).text.patches[0]!.sections.length);
    assert.ok(!content.includes('First.'));

    const before = await read();
    await proxy.stop();
    const lost = before.content
      .replace('First.', 'Lost.')
      .replace(/(<!-- diff [\s\S]*?\n```\n)/, '$1\nNew here.\n');
    const { unsent, text } = await save(lost, before.text);
    assert.equal(unsent.length, 2);
    const waiting = await read();
    assert.match(waiting.content, /Lost\.[\s\S]*New here\.|New here\.[\s\S]*Lost\./);
    assert.deepEqual(codes(waiting.text), codes(text));
    // Written once more, it is still the same text that is to be added.
    assert.equal(pendingChanges.list().length, 2);
    await save(waiting.content.replace('New here.', 'Newer here.'), waiting.text);
    assert.deepEqual(
      pendingChanges
        .list()
        .map(({ content: kept }) => ('text' in kept ? kept.text : ''))
        .toSorted(),
      ['Lost.\n\nTwo.\n\nThird.', 'Newer here.'],
    );
  });
});

/** All that can be seen of a stack. */
function outline({ title, description, patches }: StackText | EditedStack): unknown {
  return {
    title,
    description,
    patches: patches.map(({ changeId, sections }) => ({
      changeId,
      sections: sections.map((section) =>
        section.kind === 'fixed' ? { diff: section.identifier } : section.text,
      ),
    })),
  };
}

function codes({ patches }: StackText): string[][] {
  return patches.map(({ sections }) => sections.map(({ code }) => code));
}

/** The smallest number of requests that there can be, by trying all ways to take new texts for others of sections that are gone. */
function fewest(base: StackText, wanted: EditedStack): number {
  const fields = base.title !== wanted.title || base.description !== wanted.description ? 1 : 0;
  return base.patches.reduce((sum, { sections }, index) => {
    const typed = wanted.patches[index]!.sections;
    const kept = new Set(typed.flatMap((section) => (section.kind === 'added' ? [] : [section.code])));
    const gone = sections.filter(({ code }) => !kept.has(code));
    const added = typed.filter(({ kind }) => kind === 'added');
    const costs = pairings(
      added.length,
      gone.map(({ code }) => code),
    ).map((pairing) => {
      let next = 0;
      const becomes = typed.map((section) =>
        section.kind === 'added'
          ? { code: pairing[next++], text: section.text }
          : { code: section.code, text: section.kind === 'text' ? section.text : '' },
      );
      const order = becomes.flatMap(({ code }) => code ?? []);
      const left = new Set(order);
      const isMoved = sections
        .filter(({ code }) => left.has(code))
        .some(({ code }, at) => order[at] !== code);
      const changed = becomes.filter(({ code, text }) => {
        const was = sections.find((section) => section.code === code);
        return was?.kind === 'text' && was.text.trim() !== text.trim();
      });
      return (
        changed.length +
        (sections.length - left.size) +
        becomes.filter(({ code }) => code === undefined).length +
        (isMoved ? 1 : 0)
      );
    });
    return sum + Math.min(...costs);
  }, fields);
}

/** All ways to give some of these codes to so many texts. */
function pairings(count: number, left: readonly string[]): (string | undefined)[][] {
  if (count === 0) {
    return [[]];
  }
  return [undefined, ...left].flatMap((code) =>
    pairings(
      count - 1,
      left.filter((other) => other !== code),
    ).map((rest) => [code, ...rest]),
  );
}

const words = ['pool', 'queue', 'lock', 'retry', 'größer', '`code`', '**bold**', '<b>', '# no', '\\', '日本'];
const lines = [
  '',
  '    indented',
  '<!-- text -->',
  '\\<!-- patch x -->',
  '<!-- diff a -->',
  '```',
  '- item  ',
  '> quote',
];

/** Writes into a stack's file at random, as people do: into the lines between the marks, and with whole blocks. */
class Writer {
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  edit(content: string): string {
    const [head = '', ...patches] = content.split(/^(?=<!-- patch )/mu);
    const typed = patches.map((patch) => (this.#random.oneIn(2) ? this.#patch(patch) : patch));
    return [this.#random.oneIn(4) ? this.#head(head) : head, ...typed].join('');
  }

  #head(head: string): string {
    const [first = '', blank = '', title = '', ...description] = head.split('\n');
    return this.#random.oneIn(2)
      ? [first, blank, `# Title ${this.#next()}`, ...description].join('\n')
      : [first, blank, title, '', this.#text(), ''].join('\n');
  }

  #patch(patch: string): string {
    const random = this.#random;
    const [heading = '', ...blocks] = patch.split(/^(?=<!-- (?:text|diff)[ \w./%-]* -->$)/mu);
    const isText = (block: string): boolean => block.startsWith('<!-- text');
    for (let left = 1 + random.below(3); left > 0; left -= 1) {
      const at = random.below(blocks.length);
      const block = blocks[at] ?? '';
      switch (random.below(6)) {
        case 0:
          blocks.splice(at, 0, `<!-- text -->\n${this.#text()}\n`);
          break;
        case 1:
          // Behind a diff nothing need say that it is a text.
          blocks[at] = isText(block) ? block : `${block}${this.#text()}\n\n`;
          break;
        case 2:
          if (isText(block)) {
            blocks.splice(at, 1);
          }
          break;
        case 3:
          if (isText(block)) {
            blocks[at] = `${block.trimEnd()}\n\n${this.#text()}\n`;
          }
          break;
        case 4:
          if (isText(block)) {
            blocks[at] = `${block.split('\n')[0] ?? ''}\n\n\n${this.#text()}\n\n`;
          }
          break;
        default:
          blocks.splice(at, 1);
          blocks.splice(random.below(blocks.length + 1), 0, block);
      }
    }
    return [heading, ...blocks].map((block) => (block.endsWith('\n') ? block : `${block}\n`)).join('');
  }

  #text(): string {
    const random = this.#random;
    const some = Array.from({ length: 1 + random.below(3) }, () => random.pick(words) ?? '');
    const text = [`Text ${this.#next()} ${some.join(' ')}`];
    for (let left = random.below(3); left > 0; left -= 1) {
      const line = random.pick(lines) ?? '';
      text.push(line.includes('<!--') ? `\\${line}` : line);
    }
    return [...text, `end ${this.#next()}`].join('\n');
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}
