import type { ModelAdapter } from "@spfunctions/kernel";

/** A model that always says the same and reaches for nothing: for tests, examples, and until there is a real one. */
export function fixedAnswerModel(text: string): ModelAdapter {
  return {
    name: "fixed-answer",
    offline: true,
    complete: () =>
      Promise.resolve({
        text,
        toolCalls: [],
        finish: "stop",
        usage: { inputTokens: 0, outputTokens: 0 },
      }),
  };
}
