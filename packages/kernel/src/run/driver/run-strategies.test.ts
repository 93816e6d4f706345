// How the calls of one step run together, and in which order a model is told what came of them.
import { describe, expect, test } from "vitest";
import { atFirst } from "../../../test-data/call-store.ts";
import { turn, until } from "../../../test-data/call-waiting.ts";
import {
  atOnce,
  inOrder,
  openRunDesk,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
} from "../../../test-data/run-desk.ts";
import { ask, call, heldBack, pulledBy, untilKind } from "../../../test-data/run-levers.ts";

const sequential = { type: "sequential" } as const;
const strategies = [sequential, atOnce(2), inOrder(2), atOnce(1), inOrder(1)] as const;
const limitOf = (strategy: (typeof strategies)[number]) =>
  strategy.type === "sequential" ? 1 : strategy.maxInFlight;

/** What the model was told in its second step, by the names of the calls. */
const toldIn = ({ model }: RunDesk) =>
  model.asked.at(-1)?.messages.flatMap((one) => (one.role === "tool" ? one.toolCallId : []));

describe.each(strategies)("under %o", (strategy) => {
  // proves PORT-13.15, PORT-17.3, PORT-17.5, PORT-17.11
  test("as many tools are under way as may be, and never more", async () => {
    let under = 0;
    let most = 0;
    const desk = openRunDesk({
      script: saying([call("a"), call("b"), call("c"), call("d")], "done"),
      strategy,
      deed: async () => {
        under += 1;
        most = Math.max(most, under);
        await turn();
        under -= 1;
        return {};
      },
    });
    await (await desk.start()).wait();
    expect(most).toBe(limitOf(strategy));
  });

  test("as many are under way as may be also when approvals come back", async () => {
    let under = 0;
    let most = 0;
    const names = ["a", "b", "c", "d"];
    const levers = Object.fromEntries(names.map((name) => [name, { judged: ask }]));
    const desk = openRunDesk({
      script: saying(
        names.map((name) => call(name)),
        "done",
      ),
      strategy,
      ...pulledBy(levers),
      deed: async () => {
        under += 1;
        most = Math.max(most, under);
        for (let turns = 0; turns < 5; turns++) await turn();
        under -= 1;
        return {};
      },
    });
    const handle = await desk.start();
    for (let rest = await handle.wait({ for: "rest" }); rest.status === "requires_approval"; ) {
      await Promise.all(rest.approvals.map(({ approvalId }) => desk.operator.approve(approvalId)));
      rest = await handle.wait({ for: "rest" });
    }
    expect((await handle.wait()).status).toBe("completed");
    expect(desk.deck.runs).toHaveLength(4);
    expect(most).toBe(limitOf(strategy));
  });

  test("one that waits for a person blocks others only where one comes after the other", async () => {
    const desk = openRunDesk({
      script: saying([call("a"), call("b"), call("c")], "done"),
      strategy,
      ...pulledBy({ a: { judged: ask } }),
    });
    const handle = await desk.start();
    const { approvals } = await handle.wait({ for: "rest" });
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(
      strategy.type === "sequential" ? [] : ['{"text":"b"}', '{"text":"c"}'],
    );
    await desk.operator.approve(approvals[0]?.approvalId ?? "");
    await handle.wait();
    expect(desk.deck.runs).toHaveLength(3);
  });
});

// proves PORT-17.2, PORT-17.4, PORT-17.11
describe("the model is told", () => {
  /** The first of three ends last, the last first. */
  function backwards(strategy: (typeof strategies)[number]): RunDeskOptions {
    const [c, b] = [heldBack<void>(), heldBack<void>()];
    return {
      script: saying([call("a"), call("b"), call("c")], "done"),
      strategy,
      deed: async (input) => {
        const { text } = input as { text: string };
        if (text === "a") await b.held();
        if (text === "b") await c.held();
        if (text === "c") c.let();
        if (text === "b") b.let();
        return { text };
      },
    };
  }

  test.each([
    [atOnce(3), ["t1-2", "t1-1", "t1-0"]],
    [inOrder(3), ["t1-0", "t1-1", "t1-2"]],
  ])("under %o in this order: %o, and the same after a restart", async (strategy, order) => {
    const desk = openRunDesk(backwards(strategy));
    desk.store.fault = (unit) =>
      desk.model.asked.length === 1 && JSON.stringify(unit).includes("model.intended")
        ? { type: "die", written: false }
        : undefined;
    void desk.start().catch(() => undefined);
    await desk.store.died.promise;
    const next = reopenRunDesk(desk, backwards(strategy));
    const [handle] = await next.runs.open();
    await handle?.wait();
    expect(toldIn(next)).toStrictEqual(order);
    expect(next.deck.runs).toStrictEqual([]);
    const undisturbed = openRunDesk(backwards(strategy));
    await (await undisturbed.start()).wait();
    expect(toldIn(undisturbed)).toStrictEqual(order);
  });

  test("of those that end before and after a restart in the order in which they ended", async () => {
    const acts = heldBack<object>();
    const options = {
      script: saying([call("a", "notes.put"), call("b", "notes.put")], "done"),
      strategy: atOnce(2),
    };
    const desk = openRunDesk({
      ...options,
      deed: (input) => ((input as { text: string }).text === "a" ? acts.held() : {}),
    });
    const handle = await desk.start();
    await untilKind(desk, handle.runId, "call.settled");
    await desk.store.die();
    const next = reopenRunDesk(desk, { ...options, deed: () => ({}) });
    await (await next.runs.resume(handle.runId)).wait();
    expect(toldIn(next)).toStrictEqual(["t1-1", "t1-0"]);
  });
});

// proves PORT-17.1, PORT-17.11
test("one after the other, the next begins when the one before is on record", async () => {
  const desk = openRunDesk({ script: saying([call("a"), call("b")], "done") });
  const written = Promise.withResolvers<void>();
  desk.store.fault = atFirst("call.settled", { type: "wait", for: written.promise });
  const handle = await desk.start();
  await until(() => desk.deck.runs.length === 1);
  for (let turns = 0; turns < 10; turns++) await turn();
  expect(desk.deck.runs).toHaveLength(1);
  written.resolve();
  await handle.wait();
  expect(desk.deck.runs).toHaveLength(2);
});
