import type { GivenAnswer, Way } from "@spfunctions/kernel/conformance";
import { halvesOf } from "./halves-of.ts";

/** The bytes in which a server of chat completions answers. */
export function chatFormat(answer: GivenAnswer, way: Way): { bytes: Uint8Array; wholeAt: number } {
  const text = way === "stream" ? chatStream(answer) : `${chatBody(answer)}\n`;
  // The last that it says is what it has cost; the end mark says nothing more.
  const whole = text.slice(0, text.lastIndexOf("}") + 1);
  const encoder = new TextEncoder();
  return { bytes: encoder.encode(text), wholeAt: encoder.encode(whole).length };
}

const usageOf = ({ usage }: GivenAnswer) =>
  usage && { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens, total_tokens: 0 };

function reasonOf({ finish, calls }: GivenAnswer): string {
  return finish ?? (calls === undefined ? "stop" : "tool_calls");
}

function chatBody(answer: GivenAnswer): string {
  const tool_calls = answer.calls?.map(({ id, name, args }) => ({
    id,
    type: "function",
    function: { name, arguments: args },
  }));
  const message = { role: "assistant", content: answer.text ?? null, reasoning: "hm", tool_calls };
  const choices = [{ index: 0, message, finish_reason: reasonOf(answer) }];
  return JSON.stringify({ id: "chatcmpl-1", object: "chat.completion", choices, usage: usageOf(answer) });
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason }],
});

function chatStream(answer: GivenAnswer): string {
  const callChunks = (answer.calls ?? []).flatMap(({ id, name, args }, index) => [
    chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    ...halvesOf(args).map((half) => chunk({ tool_calls: [{ index, function: { arguments: half } }] })),
  ]);
  const chunks = [
    chunk({ role: "assistant", content: "" }),
    ...halvesOf(answer.text ?? "").map((content) => chunk({ content })),
    ...callChunks,
    chunk({}, reasonOf(answer)),
    { id: "chatcmpl-1", choices: [], usage: usageOf(answer) },
  ];
  return `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")}data: [DONE]\n\n`;
}
