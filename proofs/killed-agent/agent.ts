import { Spectator } from "@spfunctions/agent/spectator";
import type { Store } from "@spfunctions/kernel";
import { installation, starter, toolsOf } from "../killed-runtime/runtime.ts";
import { constraints, model } from "./plan.ts";

/** The agent of every life: the same tools, policy and model each time. */
export function openAgent(store: Store, server: string): Spectator {
  return new Spectator({
    model,
    packs: [toolsOf(server).filter(({ contract }) => contract.name.startsWith("ledger."))],
    policy: { maxSideEffect: "user_write", approvals: { requireForSideEffectAtOrAbove: "secret" } },
    principal: starter,
    store,
    installation,
    constraints,
    limits: { recentMessages: 16, listItems: 1000 },
  });
}
