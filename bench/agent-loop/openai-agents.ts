import { z } from "zod";
import type { Contender } from "./contender.ts";
import { peer } from "./peer.ts";
import { description, lastWord, objective, type Script } from "./script.ts";

type OpenAiAgents = {
  readonly Agent: new (options: object) => object;
  readonly Usage: new (usage: object) => object;
  readonly run: (agent: object, input: string, options: object) => Promise<{ readonly finalOutput: unknown }>;
  readonly setTracingDisabled: (isDisabled: boolean) => void;
  readonly tool: (definition: object) => object;
};

const { Agent, Usage, run, setTracingDisabled, tool } = await peer<OpenAiAgents>("@openai/agents");
setTracingDisabled(true);

export const inMemory: Contender = (script) => {
  const notesRead = tool({
    name: "notes_read",
    description,
    parameters: z.object({ id: z.number() }),
    execute: async ({ id }: { id: number }) => script.read(id),
  });
  const agent = new Agent({
    name: "bench",
    instructions: "Do as you are told.",
    model: modelOf(script),
    tools: [notesRead],
  });
  return {
    run: async () => {
      const result = await run(agent, objective, { maxTurns: script.steps + 5 });
      return { answer: result.finalOutput, result };
    },
  };
};

function modelOf(script: Script) {
  return {
    getResponse: async ({ input }: { input: readonly unknown[] }) => {
      const usage = new Usage({ requests: 1, inputTokens: 10, outputTokens: 10, totalTokens: 20 });
      const id = script.next(input);
      return { usage, output: [id === undefined ? saidLast : callFor(id)] };
    },
    getStreamedResponse: () => {
      throw new Error("nothing is streamed here");
    },
  };
}

const saidLast = {
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: lastWord }],
};

function callFor(id: number) {
  return {
    type: "function_call",
    callId: `call-${id}`,
    name: "notes_read",
    status: "completed",
    arguments: JSON.stringify({ id }),
  };
}
