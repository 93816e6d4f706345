// X1, I1: within an account and a tool the same key with the same input runs once; whoever comes again gets the recorded answer.
import { RecoveryNeededError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import {
  codeOf,
  type Desk,
  kindsOf,
  openDesk,
  outputOf,
  principalOf,
  reopenDesk,
} from "../../test-data/call-desk.ts";
import { brokenPromises } from "../../test-data/call-events.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { settlement, until } from "../../test-data/call-waiting.ts";

const keyed = { tool: "notes.write", input: { text: "a" }, idempotencyKey: "order-1" };

/** Tools that count how often they ran. */
const counting = () => {
  let ran = 0;
  return () => {
    ran += 1;
    return { ran };
  };
};

describe("the same key with the same input", () => {
  // proves PORT-8.8, PORT-18.7
  test("runs once, and is answered with what is recorded", async () => {
    const desk = openDesk({ deed: counting() });
    const first = await desk.call(keyed);
    const second = await desk.call({ ...keyed, input: { text: "a" } });
    expect(outputOf(first)).toStrictEqual({ ran: 1 });
    if (first.type !== "completed" || second.type !== "completed") throw new Error("no answer");
    expect(second.result).toStrictEqual({ ...first.result, replayed: true });
    expect(first.result).not.toHaveProperty("replayed");
    expect(desk.deck.runs).toMatchObject([{ idempotencyKey: "order-1", attempt: 1 }]);
  });

  test("is told of a failure that it is the recorded one, and that the same key runs nothing", async () => {
    const desk = openDesk({
      deed: () => {
        throw new Error("the other side is busy");
      },
    });
    expect(codeOf(await desk.call(keyed))).toBe("upstream_error");
    expect(await desk.call(keyed)).toMatchObject({
      type: "failed",
      replayed: true,
      error: {
        code: "upstream_error",
        retry: "never",
        details: { replayed: true },
        message: "notes.write failed: the other side is busy",
      },
    });
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("gives a secret once: a repeated answer is the recorded form", async () => {
    const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    const desk = openDesk({ deed: () => ({ token: secret }) });
    expect(outputOf(await desk.call(keyed))).toStrictEqual({ token: secret });
    const again = outputOf(await desk.call(keyed)) as { token: string };
    expect(again.token).toMatch(/^\[redacted:/);
  });

  test("is the same where defaults make it so", async () => {
    const desk = openDesk({ deed: () => ({ id: "1" }) });
    const strict = { tool: "notes.strict", idempotencyKey: "k" };
    await desk.call({ ...strict, input: { text: "a" } });
    expect(await desk.call({ ...strict, input: { count: 1, text: "a" } })).toMatchObject({
      result: { replayed: true },
    });
  });

  test("runs once though a hundred come at once", async () => {
    const release = Promise.withResolvers<unknown>();
    const desk = openDesk({ deed: () => release.promise });
    const calls = Array.from({ length: 100 }, async () => await desk.call(keyed));
    await until(() => desk.deck.runs.length === 1, "the first run");
    release.resolve({ ran: 1 });
    const outcomes = await Promise.all(calls);
    const codes = outcomes.map((one) =>
      one.type === "completed" && one.result.replayed === true ? "replayed" : codeOf(one),
    );
    expect(codes.filter((code) => code === "completed")).toHaveLength(1);
    expect(new Set(codes)).toStrictEqual(new Set(["completed", "idempotency_in_progress"]));
    expect(desk.deck.runs).toHaveLength(1);
    expect(await desk.call(keyed)).toMatchObject({ result: { output: { ran: 1 }, replayed: true } });
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
  });

  // proves PORT-8.8
  test("runs once in two seats on one store", async () => {
    const desk = openDesk({ deed: counting() });
    const beside = openDesk({ store: new FaultyStore(desk.store.inner), life: 2, deck: desk.deck });
    const both = await Promise.all([desk.call(keyed), beside.call(keyed)]);
    expect(desk.deck.runs).toHaveLength(1);
    expect(both.map(codeOf).filter((code) => code === "completed").length).toBeGreaterThan(0);
    expect(await beside.call(keyed)).toMatchObject({ result: { output: { ran: 1 }, replayed: true } });
    expect(await desk.call(keyed)).toMatchObject({ result: { output: { ran: 1 }, replayed: true } });
  });

  // proves PORT-8.8
  test("is remembered after a restart", async () => {
    const desk = openDesk({ deed: counting() });
    await desk.call(keyed);
    await desk.seat.close();
    const next = reopenDesk(desk);
    expect(await next.call(keyed)).toMatchObject({ result: { output: { ran: 1 }, replayed: true } });
    expect(next.deck.runs).toStrictEqual([]);
  });

  test("however long the answer is that was kept", async () => {
    const long = "\u754c".repeat(5_700_000);
    const desk = openDesk({ deed: () => long });
    await desk.call(keyed);
    const again = outputOf(await desk.call(keyed));
    expect(again === long).toBe(true);
  });

  test("for a read, too", async () => {
    const desk = openDesk({ deed: counting() });
    const read = { tool: "notes.read", idempotencyKey: "k" };
    await desk.call(read);
    expect(await desk.call(read)).toMatchObject({ result: { output: { ran: 1 }, replayed: true } });
  });
});

describe("a refusal for the key's sake is a decision like any other:", () => {
  test("the key was used for another input", async () => {
    const desk = openDesk();
    await desk.call(keyed);
    desk.events.length = 0;
    const other = await desk.call({ ...keyed, input: { text: "b" } });
    expect(other).toMatchObject({
      type: "refused",
      error: { code: "idempotency_conflict", details: { tool: "notes.write" } },
    });
    expect(desk.deck.runs).toHaveLength(1);
    expect((await kindsOf(desk)).at(-1)).toBe("call.refused");
    expect(brokenPromises(desk.events)).toStrictEqual([]);
    expect(other).toHaveProperty("receipt");
  });

  test("the output of the call with the key is still held", async () => {
    const decided = Promise.withResolvers<{ outcome: "allow" }>();
    const desk = openDesk({ evaluatePostTool: () => decided.promise });
    const first = desk.call(keyed);
    await until(() => desk.events.some(({ type }) => type === "tool.completed"), "the result");
    expect(codeOf(await desk.call(keyed))).toBe("idempotency_in_progress");
    decided.resolve({ outcome: "allow" });
    expect(codeOf(await first)).toBe("completed");
    expect(await desk.call(keyed)).toMatchObject({ result: { replayed: true } });
  });

  test("the call with the key has not ended", async () => {
    const desk = openDesk({ deed: async () => await new Promise(() => {}) });
    const first = desk.call(keyed);
    await until(() => desk.deck.runs.length === 1);
    desk.events.length = 0;
    const second = await desk.call(keyed);
    expect(second).toMatchObject({
      type: "refused",
      error: { code: "idempotency_in_progress", retry: "after_wait" },
    });
    expect((await kindsOf(desk)).at(-1)).toBe("call.refused");
    expect(brokenPromises(desk.events)).toStrictEqual([]);
    desk.clock.advance(60_000);
    await first;
  });
});

describe("a key is independent (I1)", () => {
  test("of the same key for another tool", async () => {
    const desk = openDesk({ deed: counting() });
    await desk.call(keyed);
    expect(await desk.call({ ...keyed, tool: "notes.put", input: { text: "b" } })).toMatchObject({
      result: { output: { ran: 2 } },
    });
  });

  test("of the same key in another account", async () => {
    const desk = openDesk({ deed: counting() });
    await desk.call(keyed);
    const stranger = openDesk({
      store: new FaultyStore(desk.store.inner),
      life: 2,
      deck: desk.deck,
      principal: principalOf("acct_2"),
    });
    expect(outputOf(await stranger.call({ ...keyed, input: { text: "b" } }))).toStrictEqual({ ran: 2 });
    expect(outputOf(await desk.call(keyed))).toStrictEqual({ ran: 1 });
  });

  test("of what it was before the tool's contract changed: then it is used for something else", async () => {
    const desk = openDesk();
    await desk.call(keyed);
    const changed = desk.deck.tool({
      name: "notes.write",
      sideEffect: "user_write",
      description: "Another.",
    });
    const next = openDesk({ store: new FaultyStore(desk.store.inner), life: 2, packs: [changed] });
    expect(codeOf(await next.call(keyed))).toBe("idempotency_conflict");
  });
});

describe("a repeated key is answered as its call ended, and its events say the same:", () => {
  const ends: readonly (readonly [string, string, Parameters<typeof openDesk>[0]])[] = [
    [
      "failed",
      "upstream_error",
      {
        deed: () => {
          throw new Error("closed");
        },
      },
    ],
    [
      "unknown",
      "recovery_needed",
      {
        deed: () => {
          throw new RecoveryNeededError("nobody saw it");
        },
      },
    ],
    ["withheld", "policy_denied", { evaluatePostTool: () => ({ outcome: "deny" }) }],
  ];
  test.each(ends)("%s", async (_, code, options) => {
    const desk = openDesk(options);
    const first = await desk.call(keyed);
    desk.events.length = 0;
    const second = await desk.call(keyed);
    expect([codeOf(first), codeOf(second)]).toStrictEqual([code, code]);
    expect(desk.deck.runs).toHaveLength(1);
    expect(desk.events.at(-1)).toMatchObject({ type: "run.failed", error: { code } });
    const [before, after] = [first, second].map((one) => (one.type === "completed" ? undefined : one));
    expect(after?.receipt).toStrictEqual(before?.receipt);
    // Of an unknown end there are no words to give again.
    const isSaid = code === "recovery_needed" || after?.error.message === before?.error.message;
    expect(isSaid).toBe(true);
  });

  test("an output that does not fit", async () => {
    const desk = openDesk();
    const strict = { tool: "notes.strict", input: { text: "a" }, idempotencyKey: "k" };
    const codes = [codeOf(await desk.call(strict)), codeOf(await desk.call(strict))];
    expect(codes).toStrictEqual(["invalid_output", "invalid_output"]);
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("timed out", async () => {
    const desk = openDesk({ deed: async () => await new Promise(() => {}) });
    const first = desk.call(keyed);
    await until(() => desk.deck.runs.length === 1);
    desk.clock.advance(60_000);
    expect([codeOf(await first), codeOf(await desk.call(keyed))]).toStrictEqual(["timeout", "timeout"]);
  });

  test("unknown, until a person says what became of it", async () => {
    const desk = openDesk({
      deed: () => {
        throw new RecoveryNeededError("nobody saw it");
      },
    });
    await desk.call(keyed);
    const [effect] = await desk.seat.unknown();
    await desk.seat.resolve(effect?.effectId ?? "", { status: "failed", note: "not at the venue" });
    const again = await desk.call(keyed);
    expect(again).toMatchObject({ type: "failed", error: { details: { reason: "failed" } } });
  });
});

describe("a key is kept", () => {
  test("until its time is over, by the clock", async () => {
    const desk = openDesk({ deed: counting(), limits: { claimMs: 1000 } });
    await desk.call(keyed);
    desk.clock.advance(999);
    expect(await desk.call(keyed)).toMatchObject({ result: { output: { ran: 1 }, replayed: true } });
    desk.clock.advance(1);
    expect(outputOf(await desk.call(keyed))).toStrictEqual({ ran: 2 });
  });

  test("a week, unless said otherwise", async () => {
    const desk = openDesk({ deed: counting() });
    await desk.call(keyed);
    desk.clock.advance(7 * 24 * 3_600_000 - 1);
    expect(await desk.call(keyed)).toMatchObject({ result: { output: { ran: 1 } } });
    desk.clock.advance(1);
    expect(outputOf(await desk.call(keyed))).toStrictEqual({ ran: 2 });
  });

  test("and how its call ended is true though the key has run out in the meantime", async () => {
    const desk = openDesk({
      limits: { claimMs: 10, callMs: 1000 },
      deed: async () => await new Promise(() => {}),
    });
    const call = desk.call(keyed);
    await until(() => desk.deck.runs.length === 1);
    desk.clock.advance(1000);
    expect(codeOf(await call)).toBe("timeout");
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended", "call.settled"]);
  });
});

test("the intent and its key are one commit: a crash leaves both or neither", async () => {
  for (const written of [false, true]) {
    const desk = openDesk({ deed: counting() });
    desk.store.fault = atFirst("call.intended", { type: "die", written });
    void desk.call({ ...keyed, tool: "notes.put" });
    await desk.store.died.promise;
    const next = reopenDesk(desk, { deck: desk.deck });
    const outcome = await next.call({ ...keyed, tool: "notes.put" });
    expect(outcome).toMatchObject({ result: { output: { ran: 1 } } });
    expect(outcome.type === "completed" && outcome.result.replayed === true).toBe(written);
    expect(desk.deck.runs).toHaveLength(1);
  }
});

// proves PORT-1.13
describe("a key that is none is refused before anything is done:", () => {
  const bad: readonly unknown[] = ["", " ", "a b", "é", "x".repeat(257), "a\n", "\u0000", 7, null, {}];
  test.each(bad.map((key) => [JSON.stringify(key), key]))("%s", async (_, key) => {
    const desk = openDesk();
    const told = await settlement(desk.call({ ...keyed, idempotencyKey: key as string }));
    expect(told).toMatchObject({ state: "broken", error: { code: "invalid_input" } });
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("a good one is any printable text without spaces", async () => {
    for (const idempotencyKey of ["!", "~", "x".repeat(256), "__proto__", "a:b/c?d"]) {
      const desk: Desk = openDesk();
      expect(codeOf(await desk.call({ ...keyed, idempotencyKey }))).toBe("completed");
    }
  });
});
