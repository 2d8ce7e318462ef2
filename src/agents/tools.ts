/** All tools of agents behind one door: whoever calls, a person's chat or a program, gets in here and nowhere else. */
import { AgentReadings } from './agentFingerprint.ts';
import type { ToolAnswer } from './answer.ts';
import { ReadingTools, type ToolParts } from './readingTools.ts';
import {
  agentTools,
  isAgentTool,
  readInput,
  ToolRefusal,
  type AgentToolName,
  type ToolInput,
} from './toolTable.ts';
import { WritingTools, type Proposal, type WritingToolName } from './writingTools.ts';

interface ToolsContext extends ToolParts {
  /** The access token of whoever is signed in, which no answer may have in it. */
  token: () => Promise<string | undefined>;
  /** Told of what was proposed. */
  onPropose: (proposal: Proposal) => void;
}

type Run = { [N in AgentToolName]: (input: ToolInput<N>) => Promise<ToolAnswer> };

/** See the module. */
export class Tools {
  readonly #context: ToolsContext;
  readonly #reading: ReadingTools;
  readonly #writing: WritingTools;

  constructor(context: ToolsContext) {
    this.#context = context;
    const read = new AgentReadings();
    this.#reading = new ReadingTools(context, read);
    this.#writing = new WritingTools(context, { reading: this.#reading, read, onPropose: context.onPropose });
  }

  /** Runs a tool. Whatever goes wrong is an answer too: an agent is told, and never a person. */
  async call(name: string, input: unknown): Promise<ToolAnswer> {
    const answer = await this.#call(name, input).catch((error: unknown): ToolAnswer => ({
      // The service may have said anything in an error.
      text: error instanceof ToolRefusal ? error.message : "The tool couldn't be run.",
      isRefusal: true,
    }));
    const token = await this.#context.token();
    return token ? { ...answer, text: answer.text.replaceAll(token, '(access token)') } : answer;
  }

  /** Says what a writing tool would write; undefined for one that only reads. @throws {ToolRefusal} why it would be refused. */
  async describe(name: string, input: unknown): Promise<Proposal | undefined> {
    if (!isAgentTool(name) || !agentTools[name].writes) {
      return undefined;
    }
    const writing = name as WritingToolName;
    return this.#writing.describe(writing, readInput(writing, input));
  }

  async #call(name: string, input: unknown): Promise<ToolAnswer> {
    if (!isAgentTool(name)) {
      throw new ToolRefusal('There is no such tool.');
    }
    const [reading, writing] = [this.#reading, this.#writing];
    const run: Run = {
      listStacks: (read) => reading.listStacks(read),
      readStack: (read) => reading.readStack(read),
      readPatch: (read) => reading.readPatch(read),
      readChangesSinceRead: (read) => reading.readChangesSinceRead(read),
      coverage: (read) => reading.coverage(read),
      draftSection: (read) => writing.draftSection(read),
      editSection: (read) => writing.editSection(read),
      proposeOrder: (read) => writing.proposeOrder(read),
    };
    return (run[name] as (input: unknown) => Promise<ToolAnswer>)(readInput(name, input));
  }
}
