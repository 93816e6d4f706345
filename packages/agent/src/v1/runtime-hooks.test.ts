// Hooks have an order, and names that a run goes on by. They can object, and before a call change its input; none can approve.
import type { HookAnswer } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { write } from "../../../kernel/test-data/run-desk.ts";
import {
  anotherRuntime,
  asking,
  runtimeDesk,
  type RuntimeDeskOptions,
} from "../../test-data/runtime-desk.ts";
import type { RuntimeHooks } from "./index.ts";

const yes = { outcome: "allow" } as const;
const says = [[write("a")], "done"] as const;
const replacing = (value: string): HookAnswer => ({
  outcome: "allow",
  patch: [{ op: "replace", path: "/text", value }],
});

// proves RUN-1.4
test("canUseTool is asked first, then each hook in its order sees what the one before has left, and that runs", async () => {
  const seen: string[] = [];
  const hook =
    (name: string) =>
    ({ input }: { input: unknown }) => {
      seen.push(`${name} ${(input as { text: string }).text}`);
      return replacing(name);
    };
  const desk = runtimeDesk({
    says,
    canUseTool: hook("first"),
    hooks: { beforeToolCall: [hook("second"), hook("third")] },
  });
  await desk.runtime.run({ objective: "write" });
  expect(seen).toStrictEqual(["first a", "second first", "third second"]);
  expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"third"}']);
});

describe("canUseTool", () => {
  test.each<[string, RuntimeDeskOptions["canUseTool"], number]>([
    ["true lets it run", () => true, 1],
    ["an answer of a hook's lets it run", () => yes, 1],
    ["later, too", async () => true, 1],
    ["false does not", () => false, 0],
    ["a no with a reason does not", () => ({ outcome: "deny", reason: "no" }), 0],
    ["nothing does not", (() => undefined) as never, 0],
    ["a word does not", (() => "yes") as never, 0],
    ["a number does not", (() => 1) as never, 0],
    ["ask does not: a hook cannot call a person in", (() => ({ outcome: "ask" })) as never, 0],
  ])("%s", async (_what, canUseTool, runs) => {
    const desk = runtimeDesk({ says, ...(canUseTool && { canUseTool }) });
    expect(await desk.runtime.run({ objective: "write" })).toMatchObject({ status: "completed" });
    expect(desk.deck.runs).toHaveLength(runs);
  });

  // proves RUN-12.12
  test("cannot approve: where a person must be asked, one is", async () => {
    const hooks = { beforeToolCall: () => yes, onApproval: () => yes };
    const desk = runtimeDesk({ says, policy: asking, canUseTool: () => true, hooks });
    expect(await desk.runtime.run({ objective: "write" })).toMatchObject({ status: "requires_approval" });
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("what it changes is what a person is asked about, and is judged by every list", async () => {
    const desk = runtimeDesk({ says, policy: asking, canUseTool: () => replacing("b") });
    await desk.runtime.run({ objective: "write" });
    expect(await desk.operator.list()).toMatchObject([{ input: { text: "b" } }]);
  });
});

describe("a hook has a name by which a run goes on:", () => {
  const named = (hooks: RuntimeHooks): RuntimeDeskOptions => ({ says, policy: asking, hooks });
  const left = async (hooks: RuntimeHooks) => {
    const first = runtimeDesk(named(hooks));
    const { runId, approvals } = await first.runtime.run({ objective: "write" });
    await first.runtime.close();
    await first.operator.approve(approvals[0]?.approvalId ?? "");
    return { first, runId };
  };

  test.each<[string, RuntimeHooks, RuntimeHooks]>([
    [
      "its place in its list, unless it has one",
      { beforeToolCall: () => yes },
      { beforeToolCall: [() => yes] },
    ],
    [
      "its own",
      { beforeModel: { id: "look", version: "2", run: () => yes } },
      { beforeModel: [{ id: "look", version: "2", run: () => yes }] },
    ],
  ])("%s", async (_what, before, after) => {
    const { first, runId } = await left(before);
    expect(await anotherRuntime(first, named(after)).runtime.resume(runId)).toMatchObject({
      status: "completed",
    });
  });

  test.each<[string, RuntimeHooks, RuntimeHooks]>([
    ["none", { beforeToolCall: () => yes }, {}],
    ["one more", { beforeToolCall: () => yes }, { beforeToolCall: [() => yes, () => yes] }],
    [
      "another version",
      { onStop: { version: "1", run: () => yes } },
      { onStop: { version: "2", run: () => yes } },
    ],
    [
      "one elsewhere",
      { beforeModel: { id: "x", run: () => yes } },
      { afterModel: { id: "x", run: () => yes } },
    ],
    [
      "one with less time",
      { onStop: { timeoutMs: 9, run: () => yes } },
      { onStop: { timeoutMs: 8, run: () => yes } },
    ],
  ])("where there is %s it does not", async (_what, before, after) => {
    const { first, runId } = await left(before);
    const { runtime } = anotherRuntime(first, named(after));
    expect(await rejectionOf(runtime.resume(runId))).toMatchObject({ code: "invalid_package" });
    expect(first.deck.runs).toStrictEqual([]);
  });

  test("two of one name in one place are refused", async () => {
    const hook = { id: "twice", order: 0, run: () => yes };
    const { runtime } = runtimeDesk(named({ beforeToolCall: [hook, hook] }));
    expect(await rejectionOf(runtime.run({ objective: "write" }))).toMatchObject({
      code: "contract_violation",
    });
  });
});
