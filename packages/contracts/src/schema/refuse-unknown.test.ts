import { describe, expect, test } from "vitest";
import { refuseUnknown } from "./refuse-unknown.ts";

const known = ["idempotencyKey", "timeoutMs"];

describe("an option that is not known is not ignored", () => {
  test.each<[string, unknown, string]>([
    [
      "one that is nearly known",
      { idempotencykey: "1" },
      "unknown call option idempotencykey; did you mean idempotencyKey?",
    ],
    ["one like none", { x: undefined }, "unknown call option x; known are idempotencyKey, timeoutMs"],
    ["a text", "key-1", "each call option stands in an object: { idempotencyKey, timeoutMs }"],
    ["nothing", undefined, "each call option stands in an object: { idempotencyKey, timeoutMs }"],
    ["a list", ["key-1"], "unknown call option 0; known are idempotencyKey, timeoutMs"],
  ])("%s", (_, given, message) => {
    expect(() => refuseUnknown(given, known, "call option")).toThrow(message);
  });

  test("what is known is taken, also where it is not said", () => {
    expect(() => {
      refuseUnknown({}, known, "call option");
      refuseUnknown({ timeoutMs: undefined, idempotencyKey: "1" }, known, "call option");
    }).not.toThrow();
  });
});
