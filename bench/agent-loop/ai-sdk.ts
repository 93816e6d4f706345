import { z } from "zod";
import type { Contender } from "./contender.ts";
import { peer } from "./peer.ts";
import { description, lastWord, objective, type Script } from "./script.ts";

type AiSdk = {
  readonly generateText: (options: object) => Promise<{ readonly text: string }>;
  readonly tool: (definition: object) => object;
  readonly isStepCount: (steps: number) => unknown;
};

const { generateText, tool, isStepCount } = await peer<AiSdk>("ai");

export const inMemory: Contender = (script) => {
  const notesRead = tool({
    description,
    inputSchema: z.object({ id: z.number() }),
    outputSchema: z.object({ text: z.string() }),
    execute: async ({ id }: { id: number }) => script.read(id),
  });
  const model = modelOf(script);
  return {
    run: async () => {
      const result = await generateText({
        model,
        tools: { notes_read: notesRead },
        prompt: objective,
        stopWhen: isStepCount(script.steps + 1),
      });
      return { answer: result.text, result };
    },
  };
};

/** A language model after the provider's specification, version 4. */
function modelOf(script: Script) {
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 10, text: 10, reasoning: undefined },
  };
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "script-1",
    supportedUrls: {},
    doGenerate: async ({ prompt }: { prompt: readonly unknown[] }) => {
      const id = script.next(prompt);
      const content =
        id === undefined
          ? { type: "text", text: lastWord }
          : {
              type: "tool-call",
              toolCallId: `call-${id}`,
              toolName: "notes_read",
              input: JSON.stringify({ id }),
            };
      const unified = id === undefined ? "stop" : "tool-calls";
      return { content: [content], finishReason: { unified, raw: undefined }, usage, warnings: [] };
    },
  };
}
