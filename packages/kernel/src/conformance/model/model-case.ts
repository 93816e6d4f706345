import assert from "node:assert/strict";
import { isSimpleFunctionsError, type SimpleFunctionsError } from "@spfunctions/contracts";
import type {
  ModelAdapter,
  ModelCompleteInput,
  ModelCompleteResult,
  ModelEvent,
} from "../../model/model-adapter.ts";

/** An answer as a model gave it: the arguments of its calls are text. */
export type GivenAnswer = {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  readonly finish?: "stop" | "length";
  readonly usage?: ModelCompleteResult["usage"];
};

export type Way = "complete" | "stream";

/** What a provider does with a request. */
export type Reply = {
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** The body, in the pieces in which it is sent. */
  readonly pieces: readonly Uint8Array[];
  /** How it ends: as it should, by a connection that breaks, or not at all. */
  readonly ending?: "end" | "break" | "hang";
};

/** The provider behind an adapter, on a real socket. */
export type ModelWire = {
  /** The bytes in which an answer is sent, and how many of them say that it is whole. */
  readonly bytesOf: (
    answer: GivenAnswer,
    way: Way,
  ) => { readonly bytes: Uint8Array; readonly wholeAt: number };
  /** What becomes of every request from now on. */
  readonly reply: (reply: Reply) => void;
  /** The bodies it was asked with, as text. */
  readonly asked: () => readonly string[];
  /** Resolves when a request has come, and all that is to be sent is sent. */
  readonly sent: () => Promise<void>;
  /** Resolves when no request is open on its side. */
  readonly left: () => Promise<void>;
  /** Lets as much time pass as the adapter has patience, without a sign of life. */
  readonly beSilent: () => void;
  /** What the adapter proves itself with. */
  readonly secret: string;
  /** Bytes of an answer that the adapter reads at most. */
  readonly maxAnswerBytes: number;
};

/** An adapter, and what its model says. */
export type OpenedModel = {
  readonly adapter: ModelAdapter;
  /** What it says to every request from now on. */
  readonly says: (answer: GivenAnswer) => void;
  readonly wire?: ModelWire | undefined;
  readonly dispose: () => Promise<void>;
};

/** What not every adapter can be asked for: what lies below it, and what another one's code has in its hands. */
export type ModelAbility =
  | "wire"
  | "bounds"
  | "duplicate_keys"
  | "utf8"
  | "end_mark"
  | "silence"
  | "redirects"
  | "malformed_arguments";

export type ModelCase = {
  readonly name: string;
  readonly needs?: readonly ModelAbility[];
  readonly run: (opened: OpenedModel) => Promise<void>;
};

export const ways: readonly Way[] = ["complete", "stream"];

/** An answer of each kind of part, with characters of one to four bytes. */
export const richAnswer: GivenAnswer = {
  text: 'Añb €, "c" 𝄞\n',
  calls: [
    { id: "call_a", name: "mail_send", args: '{"to":"bänk 𝄞","copies":[1,2]}' },
    { id: "call_b", name: "mail_list", args: "{}" },
  ],
  usage: { inputTokens: 21, outputTokens: 13 },
};

export const richResult: ModelCompleteResult = {
  text: 'Añb €, "c" 𝄞\n',
  toolCalls: [
    { id: "call_a", name: "mail.send", args: { to: "bänk 𝄞", copies: [1, 2] } },
    { id: "call_b", name: "mail.list", args: {} },
  ],
  finish: "tool_calls",
  usage: { inputTokens: 21, outputTokens: 13 },
};

export const plainAnswer: GivenAnswer = { text: "hi", usage: { inputTokens: 1, outputTokens: 1 } };

export function inputOf(given: Partial<ModelCompleteInput> = {}): ModelCompleteInput {
  return {
    messages: [{ role: "user", text: "what now?" }],
    tools: ["mail.send", "mail.list"].map((name) => ({
      name,
      description: `${name} is a tool`,
      input: { type: "object" },
    })),
    signal: new AbortController().signal,
    ...given,
  };
}

export function wireOf({ wire }: OpenedModel): ModelWire {
  assert.ok(wire, "this adapter has no wire: leave the case out, with a reason");
  return wire;
}

/** The answer, by either way. */
export async function askBy(
  adapter: ModelAdapter,
  way: Way,
  input: ModelCompleteInput = inputOf(),
): Promise<ModelCompleteResult> {
  if (way === "complete") return adapter.complete(input);
  const events = await eventsOf(adapter, input);
  const last = events.at(-1);
  assert.equal(last?.type, "done", "a stream that ends says so");
  return last.result;
}

export async function eventsOf(
  adapter: ModelAdapter,
  input: ModelCompleteInput = inputOf(),
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of adapter.stream?.(input) ?? []) events.push(event);
  return events;
}

/** What it failed with; an answer is none. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const came = await work.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  if (!("error" in came)) assert.fail(`this is no answer: ${JSON.stringify(came.answer).slice(0, 500)}`);
  return came.error;
}

/** The provider has refused, so that nothing was spent. */
export async function refusalOf(work: Promise<unknown>): Promise<SimpleFunctionsError> {
  const error = await failureOf(work);
  assert.ok(
    isSimpleFunctionsError(error) && error.code === "provider_failed",
    `no refusal: ${String(error)}`,
  );
  return error;
}

/** Nobody knows what became of it: a failure that says nothing about what was spent. */
export async function unheardOf(work: Promise<unknown>): Promise<Error> {
  const error = await failureOf(work);
  assert.ok(error instanceof Error);
  const isUnclear = !isSimpleFunctionsError(error) || error.code === "timeout" || error.code === "cancelled";
  assert.ok(isUnclear, `this says that nothing was spent: ${error.message}`);
  return error;
}
