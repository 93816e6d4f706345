import { govern } from "@spfunctions/agent";
import type { AgentPolicy } from "@spfunctions/contracts";
import type { Pack } from "@spfunctions/kernel";
import { briefTools } from "../src/tools/brief-tools.ts";
import { executionTools } from "../src/tools/execution-tools.ts";
import { intentTools } from "../src/tools/intent-tools.ts";
import { listedTools } from "../src/tools/listed-tools.ts";
import type { MarketsHost } from "../src/tools/markets-host.ts";
import { openWorld } from "../src/world/open-world.ts";
import { savedTools } from "../src/tools/saved-tools.ts";

/** Under it every order of these tests passes. */
export const tradingPolicy: AgentPolicy = {
  maxSideEffect: "live_trade",
  maxCostEffect: "llm_cost",
  trade: {
    allowedVenues: ["embedded"],
    maxOrderCostCents: 1_000_000,
    maxQuantity: 10_000,
    requireLimitPrice: false,
    dryRunOnly: false,
    allowAutoExecute: true,
  },
};

/** The account under law: every call is judged and recorded in the desk's own store. */
export function governedDesk(
  host: MarketsHost,
  policy: AgentPolicy = tradingPolicy,
  accountId = "ann",
  trace?: (line: string) => void,
  keyId = "key-1",
) {
  const packs: readonly Pack[] = [
    intentTools(host),
    executionTools(host),
    savedTools(host),
    briefTools(host, openWorld(host)),
    listedTools(),
  ];
  const { store, clock, ids } = host;
  const scopes = ["read", "write", "trade"] as const;
  const principal = { accountId, keyId, scopes, kind: "key" } as const;
  return govern({ packs, policy, principal, store, clock, ids, ...(trace && { trace }) });
}

/** The code and the message of what a call is refused or fails with. */
export async function failureOf(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await call;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
  throw new Error("the call went through");
}
