// G4: what is called is what was named. Options are how a call is made, never which call, whoever wrote them; a misspelt one is no option.
import { describe, expect, test } from "vitest";
import type { CallOptions } from "./typed-tools.ts";
import { defineTool, govern } from "./index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "local" } as const;

function governed(ran: unknown[]) {
  const tool = <const Name extends string>(name: Name, sideEffect: "none" | "user_write") =>
    defineTool({
      name,
      description: "Says its own name.",
      input: {},
      output: {},
      permissions: [],
      sideEffect,
      costEffect: "none",
      run: (input: unknown) => {
        ran.push([name, input]);
        return name;
      },
    });
  const packs = [tool("notes.read", "none"), tool("notes.write", "user_write")] as const;
  return govern({ packs, policy: { maxSideEffect: "user_write" }, principal });
}

type Governed = ReturnType<typeof governed>;
const ways: readonly (readonly [string, (on: Governed, options: CallOptions) => Promise<unknown>])[] = [
  ["call", async (on, options) => await on.call("notes.write", {}, options)],
  ["stream", async (on, options) => await on.stream("notes.write", {}, options).result],
  ["a tool as a function", async (on, options) => await on.tools.notes.write({}, options)],
];

describe.each(ways)("an option that is none is refused, and nothing runs: %s", (_, call) => {
  test.each<[string, string, string]>([
    [
      "a key that is misspelt",
      '{"idempotencykey":"once"}',
      "unknown call option idempotencykey; did you mean idempotencyKey?",
    ],
    ["another tool", '{"tool":"notes.read"}', "unknown call option tool; known are signal, "],
    ["another input", '{"input":{"x":1}}', "unknown call option input; known are signal, "],
    ["a text", '"once"', "each call option stands in an object: { signal, "],
  ])("%s", async (_what, json, message) => {
    const ran: unknown[] = [];
    const options = JSON.parse(json) as CallOptions;
    await expect(call(governed(ran), options)).rejects.toThrow(message);
    expect(ran).toStrictEqual([]);
  });

  test("what is one is taken", async () => {
    const ran: unknown[] = [];
    const on = governed(ran);
    const options = { idempotencyKey: "once", timeoutMs: 5000, asking: "return" } as const;
    await call(on, options);
    await call(on, options);
    expect(ran).toStrictEqual([["notes.write", {}]]);
  });
});
