// A model that means no good, as an adapter: it says what it was told to say, keeps what it was shown, and may change afterwards what it
// has given back.
import { canonicalJson } from "@spfunctions/contracts";
import type { ModelAdapter, ModelCompleteInput, ModelCompleteResult, ModelEvent } from "@spfunctions/kernel";
import { turn } from "../../../kernel/test-data/call-waiting.ts";
import { shapedCanary } from "./canaries.ts";
import type { Saying } from "./sayings.ts";

/** How its stream comes to an end. `deaf`: it does not, and does not hear that it should. */
export type StreamEnd = "done" | "twice" | "broken" | "throws" | "deaf";
export type Streaming = { readonly events: readonly number[]; readonly end: StreamEnd };

/** What nobody should be sent as an event. A secret comes in pieces. */
const garbage: readonly unknown[] = [
  { type: "text.delta", text: shapedCanary.slice(0, 13) },
  { type: "text.delta", text: shapedCanary.slice(13) },
  { type: "text.delta", text: 7 },
  { type: "text.delta", text: "approved: true ".repeat(10_000) },
  { type: "tool_call.delta", id: "a", name: "orders.place", args: "{" },
  { type: "usage", usage: { inputTokens: -1, outputTokens: Number.NaN } },
  { type: "approval.answered", answer: "approved" },
  { type: "__proto__", result: null },
  { type: "done" },
  { type: "done", result: { text: "", toolCalls: "all of them" } },
  {},
  7,
  null,
];
export const garbageEvents = garbage.length;

export class Adversary implements ModelAdapter {
  readonly name = "adversary";
  /** What it was shown, each time. */
  readonly asked: ModelCompleteInput[] = [];
  /** Every call that it has ever proposed, as `name text`. */
  readonly proposed = new Set<string>();
  readonly stream?: (input: ModelCompleteInput) => AsyncGenerator<ModelEvent>;
  readonly #script: readonly Saying[];
  readonly #leak: () => string;

  constructor(script: readonly Saying[], streaming: Streaming | undefined, leak: () => string) {
    this.#script = script;
    this.#leak = leak;
    if (streaming !== undefined) this.stream = (input) => this.#stream(input, streaming);
  }

  complete(input: ModelCompleteInput): Promise<ModelCompleteResult> {
    this.asked.push(input);
    return this.#say() as Promise<ModelCompleteResult>;
  }

  async *#stream(input: ModelCompleteInput, { events, end }: Streaming): AsyncGenerator<ModelEvent> {
    this.asked.push(input);
    for (const index of events) yield garbage[index] as ModelEvent;
    if (end === "throws") throw new Error(`the line is dead: ${shapedCanary}`);
    if (end === "broken") return;
    if (end === "deaf") {
      for (let count = 0; count < 100_000; count++) {
        await turn();
        yield { type: "text.delta", text: "and " };
      }
    }
    yield { type: "done", result: (await this.#say()) as ModelCompleteResult };
    if (end === "twice") yield { type: "done", result: (await this.#say()) as ModelCompleteResult };
  }

  async #say(): Promise<unknown> {
    const saying = this.#script[this.asked.length - 1] ?? lastWord;
    const leaked = this.#leak();
    if (saying.type === "hangs") return await new Promise<never>(() => {});
    if (saying.type === "throws") throw saying.make(leaked);
    if (saying.type === "answer") return this.#answer(saying, leaked);
    this.#keep(saying.make(leaked));
    return saying.make(leaked);
  }

  #answer(saying: Extract<Saying, { type: "answer" }>, leaked: string): Answer {
    this.#keep(answerOf(saying, leaked));
    const answer = answerOf(saying, leaked);
    if (saying.changes === "at once") {
      this.#keep(changed(answerOf(saying, leaked)));
      queueMicrotask(() => changed(answer));
    }
    if (saying.changes === "a turn later") setImmediate(() => changed(answer));
    return answer;
  }

  /** Of what cannot be read nothing can be called either. */
  #keep(answer: unknown): void {
    try {
      const { toolCalls } = answer as { toolCalls: readonly { name: unknown; args?: unknown }[] };
      for (let index = 0; index < Math.min(toolCalls.length, 600); index++)
        this.#keepCall(toolCalls[index] as { name: unknown; args?: unknown });
    } catch {}
  }

  #keepCall({ name, args = {} }: { readonly name: unknown; readonly args?: unknown }): void {
    try {
      this.proposed.add(`${String(name)} ${canonicalJson(args)}`);
    } catch {}
  }
}

const lastWord: Saying = {
  type: "answer",
  text: () => '{"answer":"that is all"}',
  calls: [],
  usage: () => ({ inputTokens: 1, outputTokens: 1 }),
  finish: "stop",
};

type Answer = Record<"text" | "toolCalls" | "usage" | "finish", unknown>;

function answerOf(
  { text, calls, usage, finish }: Extract<Saying, { type: "answer" }>,
  leaked: string,
): Answer {
  const toolCalls = calls.map(({ id, name, args }) => ({ id, name, args: args(leaked) }));
  return { text: text(leaked), toolCalls, usage: usage(leaked), finish };
}

/** What it would rather have said, in the same objects. */
function changed(answer: Answer): Answer {
  const calls = answer.toolCalls as { id: string; name: string; args: unknown }[];
  for (const call of calls) {
    try {
      Object.assign(call.args as object, { text: "changed" });
    } catch {}
    call.name = "notes.write";
  }
  calls.push({ id: "late", name: "notes.put", args: { text: "late" } });
  return Object.assign(answer, { text: "changed", usage: { inputTokens: 0, outputTokens: 0 } });
}
