import { expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { installation, principalOf } from "../../test-data/call-desk.ts";
import { ScriptedModel, saying } from "../../test-data/run-desk.ts";
import { Runs } from "../run/runs.ts";
import { Seat } from "../seat/seat.ts";
import { createMemoryStore } from "../store/memory-store.ts";

const asks = { maxSideEffect: "user_write", approvals: { requireForSideEffectAtOrAbove: "user_write" } };
const lasting = () => Object.assign(createMemoryStore(), { lasts: () => true });
const shared = (policy: object) =>
  ({
    packs: [new Deck().tools],
    levels: [{ level: "agent", policy }],
    principal: principalOf(),
  }) as const;
const open = {
  seat: (policy: object, more: object) =>
    new Seat({ ...shared(policy), origin: "direct", surface: "agent", ...more }),
  runs: (policy: object, more: object) =>
    new Runs({
      ...shared(policy),
      agentId: "scribe",
      model: { adapter: new ScriptedModel(saying("done")) },
      ...more,
    }),
};

test.each(["seat", "runs"] as const)(
  "%s: where answers are kept longer than the secret that proves them, nobody is asked for any",
  (way) => {
    expect(() => open[way](asks, { store: lasting() })).toThrow(/loadInstallation/);
    expect(() => open[way](asks, { store: lasting(), installation })).not.toThrow();
    expect(() => open[way](asks, { store: createMemoryStore() })).not.toThrow();
    expect(() => open[way]({ maxSideEffect: "user_write" }, { store: lasting() })).not.toThrow();
  },
);
