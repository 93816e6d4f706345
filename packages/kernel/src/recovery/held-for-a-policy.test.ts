// B15: an effect that was begun for a policy to look at its output is held by whoever sees it end, and given to nobody before some
// policy has let it go.
import { describe, expect, test } from "vitest";
import {
  codeOf,
  type Desk,
  type DeskOptions,
  firstTrace,
  kindsOf,
  openDesk,
  outputOf,
  reopenDesk,
} from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import type { EvaluatePostTool } from "../call/ask-policy.ts";
import { openReplay } from "../replay/replay.ts";

const mark = "the-output-nobody-may-see";
const allow: EvaluatePostTool = () => ({ outcome: "allow" });
const keyed = (tool: string) => ({ tool, input: { n: 1 }, idempotencyKey: "k" });

/** A process that dies after an intent of this tool's is written. */
async function crashIn(tool: string, options: DeskOptions): Promise<Desk> {
  const desk = openDesk({ deed: () => null, ...options });
  desk.store.fault = atFirst("call.intended", { type: "die", written: true });
  void desk.call(keyed(tool));
  await desk.store.died.promise;
  desk.deck.deed = () => ({ found: mark });
  desk.deck.reconcile = () => ({ status: "completed", output: { found: mark } });
  return desk;
}

describe("an intent says whether a policy is to look at what comes of it:", () => {
  test.each<[string, DeskOptions, object]>([
    ["where there is one", { evaluatePostTool: allow }, { holdsOutput: true }],
    ["and nothing where there is none", {}, {}],
  ])("%s", async (_, options, said) => {
    const desk = openDesk(options);
    await desk.call({ tool: "notes.write" });
    const [, intent] = await desk.records();
    const { holdsOutput } = intent as { holdsOutput?: true };
    expect(holdsOutput === undefined ? {} : { holdsOutput }).toStrictEqual(said);
  });
});

describe.each([
  ["run again", "notes.put"],
  ["asked for", "notes.check"],
])("what was to be held, and is %s by a process without a policy,", (_, tool) => {
  test("is held, left, and given to nobody until there is one", async () => {
    const desk = await crashIn(tool, { evaluatePostTool: allow });
    const next = reopenDesk(desk, { deck: desk.deck });
    expect((await next.seat.open()).settled).toStrictEqual([
      {
        callId: "call_00000001-0000-4000-8000-000000000001",
        tool,
        outcome: "left",
        by: "nobody",
        reason: "its output is held for a policy of the host's, which is not here",
      },
    ]);
    expect((await next.records()).at(-1)).toMatchObject({ kind: "call.settled", held: true });
    const early = await next.call(keyed(tool));
    expect(codeOf(early)).toBe("idempotency_in_progress");
    expect(JSON.stringify([early, next.events]).includes(mark)).toBe(false);
    await next.seat.close();
    expect((await next.seat.verify()).status).toBe("open");

    const runs = desk.deck.runs.length + desk.deck.asked.length;
    const third = reopenDesk(desk, { deck: desk.deck, life: 3, evaluatePostTool: allow });
    expect((await third.seat.open()).settled).toMatchObject([{ tool, outcome: "released", by: "policy" }]);
    expect(outputOf(await third.call(keyed(tool)))).toStrictEqual({ found: mark });
    expect(desk.deck.runs.length + desk.deck.asked.length).toBe(runs);
    await third.seat.close();
    expect((await third.seat.verify()).status).toBe("ok");
  });

  test("stays held in a replay of what lies there", async () => {
    const desk = await crashIn(tool, { evaluatePostTool: allow });
    const next = reopenDesk(desk, { deck: desk.deck });
    await next.seat.open();
    const trace = await firstTrace(desk.store.inner);
    const replay = openDesk({ deck: desk.deck, life: 9, replay: await openReplay([trace]) });
    const replayed = await replay.call({ tool, input: { n: 1 } });
    expect(codeOf(replayed)).toBe("recovery_needed");
    expect(JSON.stringify([replayed, replay.events]).includes(mark)).toBe(false);
  });

  test("is withheld by one that comes later and says no", async () => {
    const desk = await crashIn(tool, { evaluatePostTool: allow });
    await reopenDesk(desk, { deck: desk.deck }).seat.open();
    const third = reopenDesk(desk, {
      deck: desk.deck,
      life: 3,
      evaluatePostTool: () => ({ outcome: "deny" }),
    });
    expect((await third.seat.open()).settled).toMatchObject([{ tool, outcome: "withheld", by: "policy" }]);
    const told = await third.call(keyed(tool));
    expect(codeOf(told)).toBe("policy_denied");
    expect(JSON.stringify([told, third.events]).includes(mark)).toBe(false);
  });
});

test("what was begun without a policy is held by a process that has one", async () => {
  const desk = await crashIn("notes.put", {});
  const seen: unknown[] = [];
  const next = reopenDesk(desk, {
    deck: desk.deck,
    evaluatePostTool: ({ output }) => {
      seen.push(output);
      return { outcome: "deny" };
    },
  });
  expect((await next.seat.open()).settled).toMatchObject([{ outcome: "withheld", by: "policy" }]);
  expect(seen).toStrictEqual([{ found: mark }]);
  expect(await kindsOf(next)).toStrictEqual([
    "segment.opened",
    "call.intended",
    "call.retried",
    "call.settled",
    "call.withheld",
  ]);
});

test("what was begun without one, and is run again without one, is free", async () => {
  const desk = await crashIn("notes.put", {});
  const next = reopenDesk(desk, { deck: desk.deck });
  expect((await next.seat.open()).settled).toMatchObject([{ outcome: "completed", by: "retry" }]);
  expect(outputOf(await next.call(keyed("notes.put")))).toStrictEqual({ found: mark });
});
