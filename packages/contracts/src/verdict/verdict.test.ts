import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowingVerdict, gateReports, verdict, verdictStoppedAt } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { errorCodes } from "../error/error-codes.ts";
import { errorCodeSchema, type Gate, gateReportSchema, gates, verdictSchema } from "./verdict.ts";

// proves KEY-14.1
// proves PORT-20.2
test("the gates are these, in the order they are asked; the first eleven need no input", () => {
  expect(gates).toStrictEqual([
    "tool.exists",
    "tool.status",
    "agent.callable",
    "identity",
    "forbidden.risk",
    "deny",
    "allow",
    "max.sideEffect",
    "max.costEffect",
    "user_data.auth",
    "budget",
    "input",
    "trade",
    "capability",
    "pre_tool",
    "approval",
  ]);
});

// proves PORT-20.1
describe("the shape of a decision", () => {
  keepsItsShape("verdict", verdictSchema, verdict, { optional: ["remedy", "toolDigest"] });
  keepsItsShape("verdict that allows", verdictSchema, allowingVerdict, { optional: ["toolDigest"] });
  keepsItsShape(
    "gate report",
    gateReportSchema,
    { gate: "budget", result: "stopped", detail: "3 of 3 steps" },
    { optional: ["detail"] },
  );

  // proves PORT-20.3
  test("an outcome is allow, deny or ask; a result passed, stopped, not_applicable or not_checked", () => {
    expect(verdictSchema.shape.outcome.options).toStrictEqual(["allow", "deny", "ask"]);
    expect(gateReportSchema.shape.result.options).toStrictEqual([
      "passed",
      "stopped",
      "not_applicable",
      "not_checked",
    ]);
  });

  // proves PORT-20.4
  test("its code is allowed, or any error code, and nothing else", () => {
    const codes = ["allowed", ...Object.keys(errorCodes)];
    const others = ["", "ok", "Allowed", "constructor", "__proto__", null];
    expect(acceptedBy(verdictSchema.shape.code, [...codes, ...others])).toStrictEqual(codes);
    expect(errorCodeSchema.options).toStrictEqual(Object.keys(errorCodes));
  });

  test("G1: an unknown gate, outcome or result is no decision (B15)", () => {
    const malformed = [
      { outcome: "permit" },
      { outcome: true },
      { outcome: ["allow"] },
      { gate: "max.sideeffect" },
      { gates: gateReports("max.sideEffect").with(3, { gate: "identity", result: "skipped" }) },
      { gates: gateReports("max.sideEffect").with(3, { gate: "constructor" as Gate, result: "passed" }) },
      { gates: null },
      { policyDigest: "" },
    ];
    const decisions = malformed.map((changes) => ({ ...verdict, ...changes }));
    expect(acceptedBy(verdictSchema, decisions)).toStrictEqual([]);
  });
});

describe("G1: a decision that its own gates do not bear out is no decision (B15)", () => {
  const reports = gateReports("max.sideEffect");

  test("any gate can stop a call, to deny it or to ask, with any code of a refusal", () => {
    const decisions = gates.flatMap((gate) => [
      verdictStoppedAt(gate, "internal", "deny"),
      verdictStoppedAt(gate, "approval_required", "ask"),
    ]);
    const refusals = errorCodeSchema.options.map((code) => verdictStoppedAt("deny", code));
    expect(acceptedBy(verdictSchema, [...decisions, ...refusals])).toStrictEqual([...decisions, ...refusals]);
  });

  test.each([
    ["none", []],
    ["one left out", reports.toSpliced(10, 1)],
    ["the last left out", reports.slice(0, -1)],
    ["one twice", reports.toSpliced(1, 0, ...reports.slice(0, 1))],
    ["one instead of another", reports.with(15, { gate: "pre_tool", result: "not_checked" })],
    ["two in another order", reports.with(0, reports[1] ?? fail()).with(1, reports[0] ?? fail())],
    ["all backwards", reports.toReversed()],
  ])("all 16 gates are reported, once and in order: %s", (_, changed) => {
    expect(problemsOf({ gates: changed })).toStrictEqual([
      "gates: every gate is reported once, in the order they are asked",
    ]);
  });

  test("the gate named is the first that stopped, and there is none where none stopped", () => {
    const twice = reports.with(5, { gate: "deny", result: "stopped" });
    const cases: [changes: object, whole: object][] = [
      [{ gate: "deny" }, verdict],
      [{ gate: undefined }, verdict],
      [{ gates: twice }, verdict],
      [{ gates: gateReports() }, verdict],
      [{ gate: "approval" }, allowingVerdict],
      [{ gates: reports }, allowingVerdict],
    ];
    for (const [changes, whole] of cases) {
      expect(problemsOf(changes, whole)).toStrictEqual([
        "gate: the gate that decided is the first that stopped",
      ]);
    }
    expect(problemsOf({ gates: twice, gate: "deny" })).toBeUndefined();
  });

  test("allow means that no gate stopped", () => {
    const said = ["outcome: allow means that no gate stopped"];
    expect(problemsOf({ outcome: "allow" })).toStrictEqual(said);
    expect(problemsOf({ outcome: "allow", code: "allowed" })).toStrictEqual(said);
    expect(problemsOf({ outcome: "deny" }, allowingVerdict)).toStrictEqual(said);
    expect(problemsOf({ outcome: "ask", code: "approval_required" }, allowingVerdict)).toStrictEqual(said);
  });

  test("allowed is the code of allow and of nothing else", () => {
    const said = ["code: allowed is the code of allow and of nothing else"];
    expect(problemsOf({ code: "allowed" })).toStrictEqual(said);
    expect(problemsOf({ code: "allowed", outcome: "ask" })).toStrictEqual(said);
    for (const code of errorCodeSchema.options) {
      expect(problemsOf({ code }, allowingVerdict)).toStrictEqual(said);
    }
  });

  test("for any decision: it is accepted exactly when a plain reading of it holds", () => {
    const results = gateReportSchema.shape.result.options;
    const decision = fc.record(
      {
        outcome: fc.constantFrom(...verdictSchema.shape.outcome.options),
        gate: fc.constantFrom(...gates.slice(0, 3)),
        code: fc.constantFrom("allowed", "policy_denied", "approval_required"),
        stops: fc.subarray([0, 1, 2], { maxLength: 2 }),
        others: fc.constantFrom(...results.filter((result) => result !== "stopped")),
      },
      { requiredKeys: ["outcome", "code", "stops", "others"] },
    );
    let accepted = 0;
    fc.assert(
      fc.property(decision, ({ stops, others, ...said }) => {
        const all = gates.map((gate, at) => ({ gate, result: stops.includes(at) ? "stopped" : others }));
        const isSound =
          stops[0] === undefined
            ? said.outcome === "allow" && said.code === "allowed" && said.gate === undefined
            : said.outcome !== "allow" && said.code !== "allowed" && said.gate === gates[stops[0]];
        const whole = { reason: "", gates: all, policyDigest: verdict.policyDigest, ...said };
        expect(verdictSchema.safeParse(whole).success).toBe(isSound);
        if (isSound) accepted += 1;
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});

function problemsOf(changes: object, whole: object = verdict): string[] | undefined {
  const { error } = verdictSchema.safeParse({ ...whole, ...changes });
  return error?.issues.map(({ path, message }) => `${path.join("/")}: ${message}`);
}

function fail(): never {
  throw new Error("there is no such gate");
}
