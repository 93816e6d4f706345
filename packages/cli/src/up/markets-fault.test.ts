import { JournalCorruptError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { marketsFault } from "./markets-fault.ts";

const secret = "sf_live_abcdefghijklmnopqrstuvwxyz012345";
const intentId = "int_b6f0dc13-7d5c-4e8f-9a1b-2c3d4e5f6a7b";
const said = {
  level: "warn",
  event: "markets.behind",
  message: expect.stringContaining("markets: the intents could not"),
};

test.each([
  [
    "one intent",
    { accountId: "ann", intentId, code: "journal_corrupt", message: "it is not what was written" },
    { accountId: "ann", intentId, error: { code: "journal_corrupt", message: "it is not what was written" } },
  ],
  [
    "one rule",
    { accountId: "ann", alertRuleId: "alr_1", code: "timeout" },
    { accountId: "ann", alertRuleId: "alr_1", error: { code: "timeout" } },
  ],
  [
    "one venue",
    { venue: "kalshi", code: "upstream_error" },
    { venue: "kalshi", error: { code: "upstream_error" } },
  ],
  ["all of it", new JournalCorruptError("no"), { error: { code: "journal_corrupt", message: "no" } }],
  ["a strange fault", new Error("odd"), { error: { code: "internal", message: "odd" } }],
  ["no fault at all", undefined, { error: { code: "internal" } }],
])("the operator is told whose it is, what, and why: %s", (_, fault, told) => {
  expect(marketsFault("intents", fault)).toStrictEqual({ ...said, ...told });
});

test("S1: a secret in the words of a fault is not told", () => {
  expect(JSON.stringify(marketsFault("intents", new Error(`bad key ${secret}`)))).not.toContain(secret);
});
