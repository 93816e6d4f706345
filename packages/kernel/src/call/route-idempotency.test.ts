// Idempotency belongs to the route: the contract gives its default, and what was declared when an effect was begun is what counts.
import { describe, expect, test } from "vitest";
import { codeOf, openDesk, reopenDesk } from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { defineTool, type Tool } from "../tool/define-tool.ts";
import { describedTool } from "../tool/described-tool.ts";
import { idempotencyOf, type ToolContext } from "./executors.ts";

const { contract } = defineTool({
  name: "far.write",
  description: "Writes, far away.",
  input: { type: "object" },
  output: {},
  permissions: [],
  sideEffect: "user_write",
  costEffect: "none",
  run: () => null,
});
const byKey = { type: "key", keyRetentionMs: 1000 } as const;

/** The same contract on a way of its own, and what was told on it. */
function route(idempotency: typeof byKey | undefined, run: () => unknown = () => "done") {
  const contexts: ToolContext[] = [];
  const tool: Tool = describedTool(contract, {
    ...(idempotency && { idempotency }),
    run: (_, context) => {
      contexts.push(context);
      return run();
    },
  });
  return { tool, contexts };
}

test("it is the contract's own unless the way says otherwise, and is not in the digest", () => {
  expect(contract.idempotency).toStrictEqual({ type: "none" });
  expect(idempotencyOf(route(undefined).tool)).toStrictEqual({ type: "none" });
  expect(idempotencyOf(route(byKey).tool)).toStrictEqual(byKey);
  expect(route(byKey).tool.contract.digest).toBe(contract.digest);
});

const died = async (idempotency: typeof byKey | undefined) => {
  const { tool, contexts } = route(idempotency);
  const desk = openDesk({ packs: [tool] });
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  void desk.call({ tool: "far.write" });
  await desk.store.died.promise;
  return { desk, contexts };
};

describe("an effect whose process died before its end was written", () => {
  // proves PORT-8.9, PORT-13.12
  test("is tried again under its key where the way honours it, with the same key and the next number", async () => {
    const { desk, contexts } = await died(byKey);
    const { tool, contexts: again } = route(byKey);
    const { settled } = await reopenDesk(desk, { packs: [tool] }).seat.open();
    expect(settled).toMatchObject([{ outcome: "completed", by: "retry" }]);
    const facts = [...contexts, ...again].map(({ idempotencyKey, attempt, origin }) => [
      idempotencyKey,
      attempt,
      origin,
    ]);
    const key = contexts[0]?.effectId;
    expect(facts).toStrictEqual([
      [key, 1, "direct"],
      [key, 2, "direct"],
    ]);
  });

  test("is not where it does not", async () => {
    const { desk } = await died(undefined);
    const { tool, contexts } = route(undefined);
    const { settled } = await reopenDesk(desk, { packs: [tool] }).seat.open();
    expect([settled, contexts]).toMatchObject([[{ outcome: "unknown", by: "nobody" }], []]);
  });

  test("X1: is not where it did not when it was begun, whatever the way does today", async () => {
    const { desk } = await died(undefined);
    const { tool, contexts } = route(byKey);
    const { settled } = await reopenDesk(desk, { packs: [tool] }).seat.open();
    expect([settled, contexts]).toMatchObject([[{ outcome: "unknown", by: "nobody" }], []]);
  });

  test("X1: is not once its key may be forgotten: half of what the way keeps it for", async () => {
    for (const [wait, outcome] of [
      [500, "completed"],
      [501, "unknown"],
    ] as const) {
      const { desk } = await died(byKey);
      desk.clock.jump(wait);
      const next = reopenDesk(desk, { packs: [route(byKey).tool], clock: desk.clock });
      expect((await next.seat.open()).settled).toMatchObject([{ outcome }]);
    }
  });
});

const fails = () => {
  throw new Error("closed");
};

test("whether a failure is worth repeating is said by the way it took", async () => {
  const advice: unknown[] = [];
  for (const idempotency of [undefined, byKey]) {
    const desk = openDesk({ packs: [route(idempotency, fails).tool] });
    const outcome = await desk.call({ tool: "far.write" });
    advice.push([codeOf(outcome), outcome.type === "completed" ? "" : outcome.error.retry]);
  }
  expect(advice).toStrictEqual([
    ["upstream_error", "never"],
    ["upstream_error", "after_wait"],
  ]);
});

test.each(["direct", "model", "subagent", "mcp", "spectator"] as const)(
  "a tool is told through which entry point its call came in: %s",
  async (origin) => {
    const { tool, contexts } = route(byKey);
    const desk = openDesk({ packs: [tool], origin });
    await desk.call({ tool: "far.write" });
    expect(contexts.map((context) => context.origin)).toStrictEqual([origin]);
    const intended = (await desk.records()).find(({ kind }) => kind === "call.intended");
    expect(intended).toMatchObject({ origin });
  },
);
