// Who is asked before what is changed: a policy may lift it for a user's own data, and for nothing else.
import type { AgentPolicy } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { Deck } from "../../../kernel/test-data/call-deck.ts";
import { asking, runtimeDesk } from "../../test-data/runtime-desk.ts";
import { agentPolicy, runLevels } from "./run-levels.ts";

const kinds = [
  { name: "notes.touch", sideEffect: "auth_telemetry_write" },
  { name: "notes.trade", sideEffect: "paper_trade" },
  { name: "notes.unlock", sideEffect: "secret", agent: { callable: false } },
  { name: "notes.reboot", sideEffect: "runtime" },
] as const;
const search = ["tools.search"];
const deck = new Deck(undefined, kinds);
const tools = ["notes.read", "notes.touch", "notes.put", "notes.trade", "notes.reboot", "notes.unlock"];
const everything = {
  ...asking,
  maxSideEffect: "paper_trade",
  allowTools: [...tools, "notes.*"],
} as const satisfies AgentPolicy;

/** What becomes of a call of each tool: it runs, a person is asked, or it is refused. */
async function outcomes(policy: AgentPolicy): Promise<string> {
  const said = await Promise.all(
    tools.map(async (name) => {
      const desk = runtimeDesk({ deck, policy, says: [[{ name }], "done"] });
      const { runId, status } = await desk.runtime.run({ objective: "do it" });
      if (status === "requires_approval") return "asks";
      return (await desk.kinds(runId)).includes("call.refused") ? "refused" : "runs";
    }),
  );
  return said.join(" ");
}

// proves RUN-12.8, RUN-12.9, RUN-12.12, RUN-12.13, RUN-12.14
describe("a run of a policy that asks from", () => {
  test.each<[string, AgentPolicy["approvals"], string]>([
    ["nowhere", undefined, "runs runs asks asks asks refused"],
    ["nowhere, and says so", {}, "runs runs asks asks asks refused"],
    ["everything", { requireForSideEffectAtOrAbove: "none" }, "asks asks asks asks asks refused"],
    [
      "bookkeeping",
      { requireForSideEffectAtOrAbove: "auth_telemetry_write" },
      "runs asks asks asks asks refused",
    ],
    ["user_write", { requireForSideEffectAtOrAbove: "user_write" }, "runs runs asks asks asks refused"],
    [
      "secret: lifted for user_write alone",
      { requireForSideEffectAtOrAbove: "secret" },
      "runs runs runs asks asks refused",
    ],
    ["runtime: the same", { requireForSideEffectAtOrAbove: "runtime" }, "runs runs runs asks asks refused"],
    [
      "paper_trade: the same",
      { requireForSideEffectAtOrAbove: "paper_trade" },
      "runs runs runs asks asks refused",
    ],
    [
      "live_trade: the same",
      { requireForSideEffectAtOrAbove: "live_trade" },
      "runs runs runs asks asks refused",
    ],
    ["a cost, besides", { requireForCostEffectAtOrAbove: "none" }, "asks asks asks asks asks refused"],
  ])("%s", async (_from, approvals, said) => {
    expect(await outcomes({ ...everything, ...(approvals && { approvals }) })).toBe(said);
  });
});

test("what runs programs is refused unless it is named in full, whoever asks for it", async () => {
  const byPattern = { ...everything, maxSideEffect: "runtime", allowTools: ["notes.*"] } as const;
  expect(await outcomes(byPattern)).toBe("runs runs asks refused refused refused");
});

test("what else a policy says of approvals stays as it is", () => {
  const approvals = {
    ttlMs: 1000,
    approvers: ["boss"],
    onDenied: "fail",
    requireForCostEffectAtOrAbove: "llm_cost",
  } as const;
  expect(agentPolicy({ ...asking, approvals }).approvals).toStrictEqual({
    ...approvals,
    requireForSideEffectAtOrAbove: "user_write",
  });
});

test("G2: whatever a run is given is one level more, and never one instead", () => {
  const policy = agentPolicy({ ...everything, denyTools: ["notes.put"], trade: rails });
  const whole = runLevels(policy, {}, search);
  expect(whole).toStrictEqual([{ level: "agent", policy }]);
  const less = { maxSideEffect: "none" } as const;
  for (const terms of [
    { tools: ["notes.read"] },
    { maxSteps: 1 },
    { policy: less },
    { tools: [], maxSteps: 0, policy: less },
  ]) {
    const [first, ...more] = runLevels(policy, terms, search);
    expect([first, more.length > 0]).toStrictEqual([whole[0], true]);
  }
});

test("a run that is given tools may look for others only where its runtime searches", () => {
  const policy = agentPolicy(everything);
  const named = (isSearched: boolean) =>
    runLevels(policy, { tools: ["notes.read"] }, isSearched ? search : []).at(-1);
  expect(named(true)).toMatchObject({ level: "run", policy: { allowTools: ["notes.read", "tools.search"] } });
  expect(named(false)).toMatchObject({ level: "run", policy: { allowTools: ["notes.read"] } });
});

const rails = { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10 };
