import type { KeyedHash } from "@spfunctions/contracts";
import type { CallHooks } from "../call/call-host.ts";
import type { PolicyAnswer } from "../judge/input-gates.ts";
import type { Hooks, Objection } from "./hooks.ts";
import { reviseInput } from "./revise-input.ts";

/** The hooks about calls, as a call asks them. */
export function callHooks(hooks: Hooks, keyedHash: KeyedHash): CallHooks {
  return {
    revise: async (proposed, view) => await reviseInput(hooks, proposed, view, keyedHash),
    objectionToAsking: async (view, signal) => denialOf(await hooks.objection("on_approval", view, signal)),
    ...(hooks.has("after_tool_call") && {
      objectionToOutput: async (view, signal) =>
        denialOf(await hooks.objection("after_tool_call", view, signal)),
    }),
  };
}

function denialOf(objection: Objection | undefined): PolicyAnswer | undefined {
  return objection && { outcome: "deny", reason: `${objection.by}: ${objection.reason}` };
}
