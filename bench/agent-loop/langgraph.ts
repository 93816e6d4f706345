// The agent that LangGraph has ready made, with the state of every step kept by one of its checkpointers. The one of LangChain, which
// is to replace it, runs on the same graph and takes longer. better-sqlite3 is a newer one than the checkpointer asks for
// (`overrides` in package.json): the older one aborts the process when Node 24 collects its statements.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Contender, Loop } from "./contender.ts";
import { peer } from "./peer.ts";
import { description, lastWord, objective, type Script } from "./script.ts";

type Message = { readonly text: string };
type State = { readonly messages: readonly Message[] };
type Agent = { invoke(input: object, config: object): Promise<State> };
type RunTool = (input: { readonly id: number }) => Promise<unknown>;
type SqliteSaver = { readonly db: { close(): void } };

const { BaseChatModel } = await peer<{
  readonly BaseChatModel: new (fields: object) => object;
}>("@langchain/core/language_models/chat_models");
const { AIMessage } = await peer<{
  readonly AIMessage: new (fields: object) => Message;
}>("@langchain/core/messages");
const { tool } = await peer<{
  readonly tool: (run: RunTool, definition: object) => object;
}>("@langchain/core/tools");
const { MemorySaver } = await peer<{ readonly MemorySaver: new () => object }>("@langchain/langgraph");
const { createReactAgent } = await peer<{
  readonly createReactAgent: (options: object) => Agent;
}>("@langchain/langgraph/prebuilt");

export const inMemory: Contender = (script) => loopWith(new MemorySaver(), script);

/** Nothing of it where its native driver does not load. */
export async function openSqlite(): Promise<Contender> {
  const { SqliteSaver } = await peer<{
    readonly SqliteSaver: { fromConnString(file: string): SqliteSaver };
  }>("@langchain/langgraph-checkpoint-sqlite");
  SqliteSaver.fromConnString(":memory:").db.close();
  return async (script) => {
    const folder = await mkdtemp(join(tmpdir(), "sf-bench-"));
    const checkpointer = SqliteSaver.fromConnString(join(folder, "checkpoints.db"));
    return {
      ...loopWith(checkpointer, script),
      close: async () => {
        checkpointer.db.close();
        await rm(folder, { recursive: true });
      },
    };
  };
}

function loopWith(checkpointer: object, script: Script): Loop {
  const notesRead = tool(async ({ id }) => script.read(id), {
    name: "notes_read",
    description,
    schema: z.object({ id: z.number() }),
  });
  const agent = createReactAgent({ llm: new ScriptedModel(script), tools: [notesRead], checkpointer });
  // A step is two turns of the graph: the model's and the tool's.
  const config = { configurable: { thread_id: "bench" }, recursionLimit: 2 * script.steps + 10 };
  return {
    run: async () => {
      const result = await agent.invoke({ messages: [{ role: "user", content: objective }] }, config);
      return { answer: result.messages.at(-1)?.text, result };
    },
  };
}

class ScriptedModel extends BaseChatModel {
  readonly #script: Script;

  constructor(script: Script) {
    super({});
    this.#script = script;
  }

  _llmType(): string {
    return "script";
  }

  bindTools(): this {
    return this;
  }

  async _generate(messages: readonly unknown[]) {
    const id = this.#script.next(messages);
    const message = new AIMessage(
      id === undefined ? { content: lastWord } : { content: "", tool_calls: [callFor(id)] },
    );
    return { generations: [{ text: message.text, message }] };
  }
}

function callFor(id: number) {
  return { type: "tool_call", id: `call-${id}`, name: "notes_read", args: { id } };
}
