// A model for the tests that says what the objective tells it to: a list of steps, each a text or the calls it proposes. The task of a
// subagent is the same.
import type { ModelAdapter, ModelCompleteInput, ModelCompleteResult } from "@spfunctions/kernel";

export type Saying = string | readonly { readonly name: string; readonly args: object }[];

export const model: ModelAdapter = {
  name: "scripted",
  offline: true,
  complete: async ({ messages }: ModelCompleteInput): Promise<ModelCompleteResult> => {
    const told = messages.find(({ role }) => role === "user")?.text ?? "[]";
    const script = JSON.parse(told) as readonly Saying[];
    const step = messages.filter(({ role }) => role === "assistant").length;
    const said = script[step] ?? "that is all";
    const usage = { inputTokens: 10, outputTokens: 5 };
    if (typeof said === "string") return { text: said, toolCalls: [], finish: "stop", usage };
    const toolCalls = said.map(({ name, args }, at) => ({ id: `t${step}-${at}`, name, args: args as never }));
    return { text: "as I was told", toolCalls, finish: "tool_calls", usage };
  },
};
