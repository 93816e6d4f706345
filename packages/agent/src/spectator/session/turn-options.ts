import { type RuntimeEvent, refuseUnknown } from "@spfunctions/contracts";
import { bad, requireOneOf } from "../../given-options.ts";
import type { MemoryHit } from "../memory/retrieve-memories.ts";
import type { Wish } from "../turn/ask-wishes.ts";
import type { CondensedSession } from "./condense-session.ts";

/** What goes on in a turn. What its model says is told as it comes, without its blocks. */
export type SpectatorEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "retrieved"; readonly hits: readonly MemoryHit[] }
  | { readonly type: "runtime"; readonly event: RuntimeEvent }
  | { readonly type: "wish"; readonly wish: Wish }
  | { readonly type: "condensed"; readonly condensed: CondensedSession };

export type TurnOptions = {
  /** Cancels the turn. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: SpectatorEvent) => void) | undefined;
  /** `rest`: until it ends, or only a person can take it on, as unless given. `end`: people are waited for. */
  readonly until?: "rest" | "end" | undefined;
};

export function requireTurnOptions(options: TurnOptions): void {
  refuseUnknown(options, ["signal", "onEvent", "until"], "option of a turn");
  const { signal, onEvent, until = "rest" } = options;
  requireOneOf("until", until, ["rest", "end"]);
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw bad("/signal", "signal is an AbortSignal");
  if (onEvent !== undefined && typeof onEvent !== "function") throw bad("/onEvent", "onEvent is a function");
}
