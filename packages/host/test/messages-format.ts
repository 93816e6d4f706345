import type { GivenAnswer, Way } from "@spfunctions/kernel/conformance";
import { halvesOf } from "./halves-of.ts";

/** The bytes in which Anthropic's messages API answers. */
export function messagesFormat(answer: GivenAnswer, way: Way): { bytes: Uint8Array; wholeAt: number } {
  const text = way === "stream" ? messagesStream(answer) : `${messagesBody(answer)}\n`;
  const whole = text.slice(0, text.lastIndexOf("}") + 1);
  const encoder = new TextEncoder();
  return { bytes: encoder.encode(text), wholeAt: encoder.encode(whole).length };
}

function reasonOf({ finish, calls }: GivenAnswer): string {
  return finish === "length" ? "max_tokens" : calls === undefined ? "end_turn" : "tool_use";
}

function messagesBody(answer: GivenAnswer): string {
  const { text, calls = [], usage } = answer;
  const uses = calls.map(
    ({ id, name, args }) =>
      `{"type":"tool_use","id":${json(id)},"name":${json(name)},"input":${args || "{}"}}`,
  );
  const content = [
    json({ type: "thinking", thinking: "hm", signature: "x" }),
    ...(text === undefined ? [] : [json({ type: "text", text })]),
    ...uses,
  ];
  const counts = { input_tokens: usage?.inputTokens, output_tokens: usage?.outputTokens };
  return `{"type":"message","role":"assistant","content":[${content.join(",")}],"stop_reason":"${reasonOf(answer)}","usage":${json(counts)}}`;
}

const json = (value: unknown) => JSON.stringify(value);

function messagesStream(answer: GivenAnswer): string {
  const { text, calls = [], usage } = answer;
  const blocks = [
    { start: { type: "thinking", thinking: "" }, deltas: [{ type: "thinking_delta", thinking: "hm" }] },
    ...(text === undefined
      ? []
      : [
          {
            start: { type: "text", text: "" },
            deltas: halvesOf(text).map((half) => ({ type: "text_delta", text: half })),
          },
        ]),
    ...calls.map(({ id, name, args }) => ({
      start: { type: "tool_use", id, name, input: {} },
      deltas: ["", ...halvesOf(args)].map((half) => ({ type: "input_json_delta", partial_json: half })),
    })),
  ];
  const counts = { input_tokens: usage?.inputTokens, output_tokens: 1, cache_read_input_tokens: null };
  const events = [
    { type: "message_start", message: { role: "assistant", content: [], stop_reason: null, usage: counts } },
    { type: "ping" },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: reasonOf(answer), stop_sequence: null },
      usage: { output_tokens: usage?.outputTokens },
    },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${json(event)}\n\n`).join("");
}
