import { expect, test } from "vitest";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { acceptedBy } from "../../test-data/strict-record.ts";
import { ContractViolationError } from "../error/error-classes.ts";
import {
  type SideEffect,
  sideEffectRank,
  sideEffectSchema,
  sideEffects,
  sideEffectsAllowedByName,
  sideEffectsUnder,
} from "./side-effect.ts";

// proves KEY-9.1, KEY-9.2, KEY-9.3, KEY-9.4, KEY-9.5, KEY-9.6, KEY-9.7
test("the classes are ranked from harmless to live_trade", () => {
  expect(sideEffects.map((effect) => [sideEffectRank(effect), effect])).toStrictEqual([
    [0, "none"],
    [1, "auth_telemetry_write"],
    [2, "user_write"],
    [3, "secret"],
    [4, "runtime"],
    [5, "paper_trade"],
    [6, "live_trade"],
  ]);
});

// proves KEY-9.13
test("a ceiling stands for its rank and below, without secret and runtime, plus itself", () => {
  const table = Object.fromEntries(sideEffects.map((ceiling) => [ceiling, [...sideEffectsUnder(ceiling)]]));
  expect(table).toStrictEqual({
    none: ["none"],
    auth_telemetry_write: ["none", "auth_telemetry_write"],
    user_write: ["none", "auth_telemetry_write", "user_write"],
    secret: ["none", "auth_telemetry_write", "user_write", "secret"],
    runtime: ["none", "auth_telemetry_write", "user_write", "runtime"],
    paper_trade: ["none", "auth_telemetry_write", "user_write", "paper_trade"],
    live_trade: ["none", "auth_telemetry_write", "user_write", "paper_trade", "live_trade"],
  });
});

test("only secret and runtime are allowed by name", () => {
  expect([...sideEffectsAllowedByName]).toStrictEqual(["secret", "runtime"]);
});

// proves KEY-8.1
test("G1: an unknown class is no class, and a cost is no side effect", () => {
  const words = ["llm_cost", "api_cost", "None", "none ", "", "constructor", "__proto__", 0, null, undefined];
  expect(acceptedBy(sideEffectSchema, words)).toStrictEqual([]);
});

test("G1: an unknown class has no rank, and an unknown ceiling stands for nothing: both are a fault", () => {
  const message =
    "unknown effect class; there are none, auth_telemetry_write, user_write, secret, runtime, paper_trade, live_trade";
  for (const word of ["everything", "llm_cost", "", "None", "constructor", "__proto__", 0, null, undefined]) {
    for (const act of [
      () => sideEffectRank(word as SideEffect),
      () => sideEffectsUnder(word as SideEffect),
    ]) {
      const error = refusalOf(act);
      expect(error).toBeInstanceOf(ContractViolationError);
      expect(error.message).toBe(message);
    }
  }
});
