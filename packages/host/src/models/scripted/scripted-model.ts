// What it says follows from how many answers it sees, and from nothing that a process forgets: after a crash it says the same.
import { CancelledError, ProviderFailedError, refuseUnknown } from "@spfunctions/contracts";
import type { ModelAdapter, ModelCompleteInput, ModelCompleteResult, ModelEvent } from "@spfunctions/kernel";
import { refusal } from "../wire/refusal.ts";
import { UnheardError } from "../wire/unheard-error.ts";
import { readScript } from "./read-script.ts";
import { readStep } from "./read-step.ts";
import type { Script, ScriptedError, ScriptStep } from "./script-step.ts";

export type ScriptedModelOptions = {
  /** What records call it; `scripted` unless given. */
  readonly name?: string | undefined;
};

/** A model that says what it is told to: by a list of steps, by a function, or by a file of them. */
export function scriptedModel(script: Script | string, options: ScriptedModelOptions = {}): ModelAdapter {
  refuseUnknown(options, ["name"], "model option");
  const given = typeof script === "string" ? readScript(script) : script;
  const { name = "scripted" } = options;
  if (typeof given === "function") return new ScriptedModel(name, given);
  const steps = given.map((step, index) => readStep(step, `step ${index + 1}`));
  return new ScriptedModel(name, (_, index) => {
    const step = steps[index];
    if (step !== undefined) return step;
    throw new ProviderFailedError(
      `the script has ${steps.length} steps and was asked for step ${index + 1}; add what it says then`,
      { details: { reason: "script_ended" }, retry: "never" },
    );
  });
}

class ScriptedModel implements ModelAdapter {
  readonly name: string;
  readonly offline = true;
  readonly #stepOf: Exclude<Script, readonly unknown[]>;
  /** How often a step has failed so far. */
  readonly #failures = new Map<number, number>();

  constructor(name: string, stepOf: Exclude<Script, readonly unknown[]>) {
    this.name = name;
    this.#stepOf = stepOf;
  }

  async complete(input: ModelCompleteInput): Promise<ModelCompleteResult> {
    return (await this.#answer(input)).result;
  }

  async *stream(input: ModelCompleteInput): AsyncGenerator<ModelEvent> {
    const { step, result } = await this.#answer(input);
    for (const text of step.deltas ?? result.text?.match(/\s*\S+\s*|\s+/g) ?? []) {
      refuseCancelled(input.signal);
      yield { type: "text.delta", text };
    }
    for (const { id, name, args } of result.toolCalls)
      yield { type: "tool_call.delta", id, name, args: JSON.stringify(args) };
    yield { type: "usage", usage: result.usage };
    refuseCancelled(input.signal);
    yield { type: "done", result };
  }

  async #answer(input: ModelCompleteInput): Promise<{ step: ScriptStep; result: ModelCompleteResult }> {
    refuseCancelled(input.signal);
    const index = input.messages.filter(({ role }) => role === "assistant").length;
    const step = readStep(await this.#stepOf(input, index), `step ${index + 1}`);
    refuseCancelled(input.signal);
    if (step.error !== undefined) this.#fail(step.error, index);
    const text = step.text ?? step.deltas?.join("");
    const toolCalls = (step.toolCalls ?? []).map(({ id, name, args = {} }, place) => ({
      id: id ?? `call_${index + 1}_${place + 1}`,
      name,
      args,
    }));
    const { finish = toolCalls.length > 0 ? "tool_calls" : "stop", usage } = step;
    const spent = usage ?? { inputTokens: 0, outputTokens: 0 };
    const result = { ...(text !== undefined && { text }), toolCalls, finish, usage: spent };
    return { step, result };
  }

  #fail(
    { message, status, retryAfterMs, times = Number.POSITIVE_INFINITY }: ScriptedError,
    index: number,
  ): void {
    const before = this.#failures.get(index) ?? 0;
    if (before >= times) return;
    this.#failures.set(index, before + 1);
    if (status === undefined) throw new UnheardError(message);
    throw refusal(this.name, { status, words: message, retryAfterMs });
  }
}

function refuseCancelled({ aborted }: AbortSignal): void {
  if (aborted) throw new CancelledError("cancelled while the scripted model was asked");
}
