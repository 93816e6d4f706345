// Only a real AbortSignal is taken as one. B24: what it does to a call, the call ends. X1: a key under which nothing has begun can
// be used again; one under which something has cannot.
import { describe, expect, test } from "vitest";
import { codeOf, kindsOf, openDesk, outputOf } from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import {
  gate,
  type Settlement,
  settlement,
  turn,
  unhandledDuring,
  until,
} from "../../test-data/call-waiting.ts";
import type { CallOutcome } from "./call-host.ts";

const keyed = { tool: "notes.write", input: { text: "a" }, idempotencyKey: "k" };

describe("what is no signal is refused before anything is done:", () => {
  test.each<[string, unknown]>([
    ["a likeness", { aborted: false, addEventListener: refuse, removeEventListener: refuse }],
    ["a likeness that cannot be left alone", { aborted: false, addEventListener: refuse }],
    ["a likeness that has aborted", { aborted: true, reason: "x" }],
    ["another target of events", new EventTarget()],
    ["a controller", new AbortController()],
    ["a name", "abort"],
    ["null", null],
    ["what only descends from one", Object.create(AbortSignal.prototype)],
  ])("%s", async (_, signal) => {
    const desk = openDesk();
    const told = await settlement(desk.call({ ...keyed, signal: signal as AbortSignal }));
    expect(told).toMatchObject({
      state: "broken",
      error: { code: "invalid_input", details: { path: "/signal", reason: "bad_request" } },
    });
    expect([desk.deck.runs, await desk.records()]).toStrictEqual([[], []]);
    expect(codeOf(await desk.call(keyed))).toBe("completed");
  });
});

test.each([
  ["of a controller", () => new AbortController().signal],
  ["of a time", () => AbortSignal.timeout(2 ** 30)],
  ["of several", () => AbortSignal.any([new AbortController().signal])],
])("a signal %s is one", async (_, make) => {
  expect(outputOf(await openDesk().call({ ...keyed, signal: make() }))).toStrictEqual({ done: true });
});

describe("X1: the key of a call that was cancelled", () => {
  test("before it was intended is as free as it was", async () => {
    const desk = openDesk();
    const outcome = await desk.call({ ...keyed, signal: AbortSignal.abort() });
    expect([codeOf(outcome), desk.deck.runs]).toStrictEqual(["cancelled", []]);
    expect(outputOf(await desk.call({ ...keyed, input: { text: "another" } }))).toStrictEqual({ done: true });
  });

  test("between its intent and its tool is given back, with the record that says so", async () => {
    const desk = openDesk();
    const controller = new AbortController();
    const held = gate();
    desk.store.fault = atFirst("call.intended", { type: "wait", for: held.promise });
    const call = desk.call({ ...keyed, signal: controller.signal });
    await until(() => desk.store.units.length >= 3, "the intent");
    controller.abort();
    held.resolve();
    expect([codeOf(await call), desk.deck.runs]).toStrictEqual(["cancelled", []]);
    expect((await desk.records()).at(-1)).toMatchObject({ kind: "call.settled", status: "cancelled" });
    const again = await desk.call({ ...keyed, input: { text: "another" } });
    expect(outputOf(again)).toStrictEqual({ done: true });
    expect(again).not.toHaveProperty("result.replayed");
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"another"}']);
    expect(await desk.call({ ...keyed, input: { text: "another" } })).toMatchObject({
      result: { replayed: true },
    });
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
  });

  test("while it ran stays its own: what it had begun may have happened", async () => {
    const desk = openDesk({ deed: async () => await new Promise(() => {}) });
    const controller = new AbortController();
    const call = desk.call({ ...keyed, signal: controller.signal });
    await until(() => desk.deck.runs.length === 1);
    controller.abort();
    expect(codeOf(await call)).toBe("cancelled");
    expect(codeOf(await desk.call(keyed))).toBe("cancelled");
    expect(codeOf(await desk.call({ ...keyed, input: { text: "another" } }))).toBe("idempotency_conflict");
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("by its own tool stays its own, too", async () => {
    const controller = new AbortController();
    const desk = openDesk({
      deed: async () => {
        controller.abort();
        return await new Promise(() => {});
      },
    });
    expect(codeOf(await desk.call({ ...keyed, signal: controller.signal }))).toBe("cancelled");
    expect(codeOf(await desk.call(keyed))).toBe("cancelled");
    expect(desk.deck.runs).toHaveLength(1);
  });
});

/** Real signals, of which somebody has changed what they answer. */
const misbehaving: readonly (readonly [string, (signal: AbortSignal) => unknown])[] = [
  ["throws when it is asked", (signal) => throwsFrom(signal, 1)],
  ["throws when it is asked a second time", (signal) => throwsFrom(signal, 2)],
  ["throws when it is asked a third time", (signal) => throwsFrom(signal, 3)],
  ["cannot be listened to", (signal) => Object.assign(signal, { addEventListener: refuse })],
  ["cannot be left alone again", (signal) => Object.assign(signal, { removeEventListener: refuse })],
];

describe.each([
  ["answers", (): unknown => "done"],
  ["fails", (): unknown => refuse()],
])("a tool that %s later, under a signal that", (_what, act) => {
  test.each(misbehaving)("%s: its call is refused or ends, and its key has an answer", async (_, change) => {
    const { signal } = new AbortController();
    change(signal);
    const desk = openDesk({
      deed: async () => {
        await turn();
        return act();
      },
    });
    let told: Settlement = { state: "pending" };
    const unhandled = await unhandledDuring(async () => {
      told = await settlement(desk.call({ ...keyed, signal }));
    });
    const again = await settlement(desk.call(keyed));
    expect({ told: saidBy(told), again: saidBy(again), unhandled }).toStrictEqual({
      told: expect.stringMatching(/^(?:completed|upstream_error|threw invalid_input)$/),
      again: expect.stringMatching(/^(?:completed|upstream_error)$/),
      unhandled: [],
    });
    const kinds = await kindsOf(desk);
    const count = (kind: string) => kinds.filter((one) => one === kind).length;
    expect(count("call.settled")).toBe(count("call.intended"));
  });
});

function saidBy(told: Settlement): string {
  if (told.state === "kept") return codeOf(told.value as CallOutcome);
  return told.state === "broken" ? `threw ${String((told.error as { code?: unknown }).code)}` : "pending";
}

function refuse(): never {
  throw new Error("no");
}

function throwsFrom(signal: AbortSignal, time: number): void {
  let asked = 0;
  Object.defineProperty(signal, "aborted", {
    get: () => {
      asked += 1;
      return asked >= time ? refuse() : false;
    },
  });
}
