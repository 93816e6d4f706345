// G4: what is called is what was named. Options are how a call is made, never which call, whoever wrote them.
import { describe, expect, test } from "vitest";
import type { CallOptions } from "./typed-tools.ts";
import { defineTool, govern } from "./index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "local" } as const;
const forged = JSON.parse('{"tool":"notes.write","input":{"x":1}}') as CallOptions;

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
const ways: readonly (readonly [string, (on: Governed, input?: unknown) => Promise<{ tool: string }>])[] = [
  ["call", async (on, input) => await on.call("notes.read", input, forged)],
  ["stream", async (on, input) => await on.stream("notes.read", input, forged).result],
  ["a tool as a function", async (on, input) => await on.tools.notes.read(input, forged)],
];

describe.each(ways)("options cannot name another tool or another input: %s", (_, call) => {
  test.each<[string, unknown, unknown]>([
    ["with an input", { a: 1 }, { a: 1 }],
    ["without one", undefined, {}],
  ])("%s", async (_what, input, expected) => {
    const ran: unknown[] = [];
    const { tool } = await call(governed(ran), input);
    expect([tool, ran]).toStrictEqual(["notes.read", [["notes.read", expected]]]);
  });
});
