import type { JsonObject } from "@spfunctions/contracts";
import type { ModelCompleteInput, ModelCompleteResult, ModelUsage } from "@spfunctions/kernel";

/** A call that a script proposes; its id is made from its place unless given. */
export type ScriptedCall = {
  readonly name: string;
  readonly id?: string | undefined;
  /** `{}` unless given. */
  readonly args?: JsonObject | undefined;
};

/** A failure. With a status it is the provider's refusal; without one nobody knows what became of the request. */
export type ScriptedError = {
  readonly message: string;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** How often in this process, before the rest of the step is said; always unless given. */
  readonly times?: number | undefined;
};

/** One answer. */
export type ScriptStep = {
  readonly text?: string | undefined;
  /** The pieces in which `stream` gives the text; its words unless given. */
  readonly deltas?: readonly string[] | undefined;
  readonly toolCalls?: readonly ScriptedCall[] | undefined;
  /** What follows from the calls unless given. */
  readonly finish?: ModelCompleteResult["finish"] | undefined;
  /** Nothing unless given. */
  readonly usage?: ModelUsage | undefined;
  readonly error?: ScriptedError | undefined;
};

/** The answers in their order, or what gives the one that follows so many answers. */
export type Script =
  | readonly ScriptStep[]
  | ((input: ModelCompleteInput, step: number) => ScriptStep | Promise<ScriptStep>);
