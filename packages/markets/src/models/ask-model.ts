// A model is outside: it is asked once, waited for no longer than its call lasts, and what it answers is read like anything from outside.
import {
  cutText,
  type ErrorCode,
  errorFor,
  isSimpleFunctionsError,
  ProviderFailedError,
  type SimpleFunctionsError,
  strictObject,
  TimeoutError,
} from "@spfunctions/contracts";
import { type ModelAdapter, type ModelMessage, type ModelUsage, unlessAborted } from "@spfunctions/kernel";
import { z } from "zod";

const tokens = z.int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const resultSchema = z.object({
  text: z.string().optional(),
  toolCalls: z.array(z.unknown()),
  finish: z.enum(["stop", "tool_calls", "length", "error"]),
  usage: strictObject({ inputTokens: tokens, outputTokens: tokens }),
});

export type Asking = {
  readonly messages: readonly ModelMessage[];
  readonly maxTokens: number;
  /** Where the text is cut, whatever was asked for. */
  readonly maxChars: number;
  readonly signal: AbortSignal;
};

export type ModelText = { readonly text: string; readonly truncated: boolean; readonly usage: ModelUsage };

/** A text of a model. One that fails, says nothing, or wants something else is `provider_failed`. */
export async function askForText(model: ModelAdapter, asking: Asking): Promise<ModelText> {
  const { maxChars, signal, messages, maxTokens } = asking;
  const complete = async () => await model.complete({ messages, tools: [], maxTokens, signal });
  const answer = await unlessAborted(readResult(model, complete), signal, reasonOf);
  const { finish, toolCalls, usage } = answer;
  if (toolCalls.length > 0 || finish === "tool_calls")
    throw failed(model, "it asked for tools, and was offered none");
  if (finish === "error") throw failed(model, "it said that it failed");
  const whole = (answer.text ?? "").slice(0, maxChars + 1).trim();
  if (whole === "") throw failed(model, "it answered nothing");
  const text = cutText(whole, maxChars).trimEnd();
  const isCut = (answer.text ?? "").length > maxChars;
  return { text, truncated: isCut || finish === "length", usage };
}

/** What a model may say besides that it failed. The error's own words are not passed on: they are somebody else's. */
const passedOn: ReadonlyMap<ErrorCode, string> = new Map([
  ["rate_limited", "it is asked too often; ask again later"],
  ["timeout", "it took too long; ask again"],
  ["cancelled", "it was called off"],
]);

async function readResult(model: ModelAdapter, complete: () => Promise<unknown>) {
  try {
    return resultSchema.parse(await complete());
  } catch (cause) {
    throw saidBy(model, cause) ?? failed(model, "it threw, or answered in no form that can be read", cause);
  }
}

function saidBy({ name }: ModelAdapter, cause: unknown): SimpleFunctionsError | undefined {
  if (!isSimpleFunctionsError(cause)) return undefined;
  const { code, details } = cause;
  const words = passedOn.get(code);
  if (words === undefined) return undefined;
  const { retryAfterMs } = details ?? {};
  const model = nameOf(name);
  return errorFor(code, `the model ${model} gave no text: ${words}`, {
    details: { model, ...(typeof retryAfterMs === "number" && { retryAfterMs }) },
    cause,
  });
}

function reasonOf({ reason }: AbortSignal): Error {
  return isSimpleFunctionsError(reason)
    ? reason
    : new TimeoutError("the model had not answered when its time was over; ask again");
}

function failed({ name }: ModelAdapter, why: string, cause?: unknown): ProviderFailedError {
  return new ProviderFailedError(
    `the model ${nameOf(name)} gave no text: ${why}; ask again, or another model`,
    {
      details: { model: nameOf(name) },
      cause,
    },
  );
}

/** As it may be shown. */
export function nameOf(name: unknown): string {
  return typeof name === "string" ? cutText(name, 100) : "without a name";
}
