// B16: what is guarded is the effect. Which name, namespace or alias leads to it makes no difference.
import { sideEffects } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { decisionOf, judgeWith, openPolicy, somebody, verdictOn } from "../../test-data/judge-samples.ts";
import { orderSpec, toolWith } from "../../test-data/tool-samples.ts";
import { Seat } from "../seat/seat.ts";

const names = ["files.write", "files.read", "notes.append", "mcp.files.write", "shell.cat", "world.read"];

describe("B16: the same write under any name", () => {
  test.each(names)("%s is refused by a ceiling of none, also where it is allowed by name", (name) => {
    const tool = toolWith({ name, sideEffect: "user_write", permissions: [] });
    const namespace = `${name.split(".")[0]}.*`;
    for (const policy of [{}, { allowTools: [name] }, { allowTools: [namespace] }, { allow: [] }]) {
      expect(decisionOf(verdictOn(tool, { policies: [policy], input: {} }))).toStrictEqual({
        outcome: "deny",
        gate: "max.sideEffect",
        code: "policy_denied",
        reason: "its side effect is user_write, and the agent's policy allows none",
        remedy: 'set maxSideEffect to "user_write"',
      });
    }
  });

  test.each(sideEffects)("%s is decided alike for every name under every ceiling", (sideEffect) => {
    const tools = names.map((name) =>
      toolWith(
        sideEffect === "live_trade" ? orderSpec({ name, input: {} }) : { name, sideEffect, input: {} },
      ),
    );
    for (const maxSideEffect of sideEffects) {
      const view = { surface: "plain", policies: [{ ...openPolicy, maxSideEffect }] } as const;
      expect(new Set(tools.map((tool) => verdictOn(tool, view).outcome)).size).toBe(1);
    }
  });

  test("a permission denied is denied to every tool that needs it", () => {
    for (const name of names) {
      const tool = toolWith({ name, permissions: ["files:write"] });
      expect(verdictOn(tool, { policies: [{ deny: ["files:write"] }] })).toMatchObject({
        outcome: "deny",
        gate: "deny",
      });
    }
  });

  test("approval is asked for the effect, whatever the name", () => {
    const approvals = { requireForSideEffectAtOrAbove: "user_write" } as const;
    for (const name of names) {
      const tool = toolWith({ name, sideEffect: "user_write" });
      expect(verdictOn(tool, { policies: [{ ...openPolicy, approvals }], input: {} }).outcome).toBe("ask");
    }
  });
});

describe("an alias leads nowhere", () => {
  const ran: string[] = [];
  const tool = toolWith({
    name: "files.write",
    title: "Write a file",
    sideEffect: "user_write",
    run: () => ran.push("files.write"),
  });
  const aliases = [
    tool.contract.compatName,
    tool.contract.title,
    tool.contract.digest,
    "Files.Write",
    "files.write ",
    " files.write",
    "files.write\u0000",
    "files.writе",
    "files..write",
    "files/write",
    "files.*",
    "write",
    "tool.files.write",
  ];

  // proves KEY-12.15
  test.each(aliases)("%j is never resolved, under the most open policy", (alias) => {
    const { verdict } = judgeWith([tool]).judge({ tool: alias, origin: "direct" });
    expect(verdict).toMatchObject({ outcome: "deny", gate: "tool.exists", code: "unknown_tool" });
  });

  test("and nothing runs by one", async () => {
    const seat = new Seat({
      packs: [tool],
      levels: [{ level: "agent", policy: openPolicy }],
      principal: somebody,
      origin: "direct",
      surface: "agent",
    });
    const outcomes = await Promise.all(aliases.map((alias) => seat.call({ tool: alias, input: {} })));
    expect(outcomes.map((outcome) => outcome.type === "refused" && outcome.error.code)).toStrictEqual(
      aliases.map(() => "unknown_tool"),
    );
    expect(ran).toStrictEqual([]);
    await seat.close();
  });

  test("a list that names an alias names nothing", () => {
    expect(() => verdictOn(tool, { policies: [{ ...openPolicy, denyTools: ["files_write"] }] })).toThrow(
      "expected a canonical tool name or a namespace pattern",
    );
  });
});
