// B24: whatever a tool throws or returns, its call ends, in a record that is one, and S1: without a secret in it.
import { errorCodes, type ErrorCode, errorFor, heldSecrets, UpstreamError } from "@spfunctions/contracts";
import { afterAll, describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { codeOf, keptText, kindsOf, openDesk, traceOf } from "../../test-data/call-desk.ts";
import { brokenPromises } from "../../test-data/call-events.ts";
import { settlement, turn, unhandledDuring } from "../../test-data/call-waiting.ts";
import { tinySchema } from "../../test-data/tool-samples.ts";
import { readTrace } from "../trace/read-trace.ts";
import { traceEntries } from "../trace/trace-entries.ts";

const write = { tool: "notes.write", input: { text: "a" } };
const secret = "a secret that this process holds";
heldSecrets.add(secret, "held");
afterAll(() => heldSecrets.remove(secret));

/** A schema of a library that does not work. */
const broken = tinySchema({}, () => {
  throw new TypeError("the schema is out of order");
});

/** What a tool may throw. Whatever it is, the call has failed, in a record that is one. */
const thrown: readonly (readonly [string, () => unknown])[] = [
  ["an error", () => new Error("closed")],
  ["undefined", () => undefined],
  ["null", () => null],
  ["a number", () => 7],
  ["a text", () => "closed"],
  ["a symbol", () => Symbol("closed")],
  ["a proxy that throws at everything", () => new Proxy({}, throwingTraps())],
  ["a revoked proxy", () => revoked()],
  [
    "an error whose message cannot be read",
    () => Object.defineProperty(new Error("x"), "message", { get: refuse }),
  ],
  ["a huge message", () => new Error("x".repeat(5_000_000))],
  ["a huge message of our own error", () => new UpstreamError("x".repeat(5_000_000))],
  ["a message that is no whole text", () => new Error(`closed \ud800 ${"x".repeat(1980)}\u{1f600}`)],
  ["a forgery of our error with a code that is none", () => forged({ code: "no_such_code", message: "x" })],
  ["a forgery of our error without words", () => forged({ code: "internal", message: 7 })],
  ["a forgery of our error that cannot be read", () => forged({ message: "x" }, "code")],
  ["our error, changed afterwards", () => Object.assign(new UpstreamError("x"), { code: "weird" })],
];

describe.each([
  ["at once", (error: unknown) => raise(error)],
  [
    "later",
    async (error: unknown) => {
      await turn();
      raise(error);
    },
  ],
])("a tool that throws %s has failed, whatever it throws:", (_when, throwing) => {
  test.each(thrown)("%s", async (_, make) => {
    const desk = openDesk({ deed: () => throwing(make()) });
    const unhandled = await unhandledDuring(async () => {
      const call = await settlement(desk.call(write));
      expect(call).toMatchObject({
        state: "kept",
        value: { type: "failed", error: { code: expect.any(String) } },
      });
    });
    expect(unhandled).toStrictEqual([]);
    expect((await desk.records()).at(-1)).toMatchObject({ kind: "call.settled", status: "failed" });
    await desk.seat.close();
    const trace = await traceOf(desk.seat);
    expect((await readTrace(trace)).verification.status).toBe("ok");
    expect(trace.length).toBeLessThan(50_000);
    expect(brokenPromises(desk.events)).toStrictEqual([]);
  });
});

// proves PORT-1.5, PORT-13.9
describe("of what a tool throws", () => {
  test.each(Object.keys(errorCodes) as ErrorCode[])("our own %s keeps its code", async (code) => {
    const desk = openDesk({
      deed: () => {
        throw errorFor(code, "as the venue says");
      },
    });
    const outcome = await desk.call(write);
    expect(outcome).toMatchObject({ type: "failed", error: { code, message: "as the venue says" } });
    const status = code === "recovery_needed" ? "unknown" : "failed";
    expect((await desk.records()).at(-1)).toMatchObject({ status, error: { code } });
    expect(await desk.seat.unknown()).toHaveLength(code === "recovery_needed" ? 1 : 0);
  });

  // proves PORT-13.11
  test("S1: a secret in what it throws is kept nowhere and shown to nobody", async () => {
    const changed = new UpstreamError("x");
    changed.message = `our own, with ${secret}`;
    const errors = [new Error(`key ${secret}`), `key ${secret}`, new UpstreamError(`key ${secret}`), changed];
    for (const error of [...errors, forged({ code: "upstream_error", message: `key ${secret}` })]) {
      const desk = openDesk({
        deed: () => {
          throw error;
        },
      });
      const outcome = await desk.call(write);
      const seen = [JSON.stringify([outcome, desk.events]), await keptText(desk.store.inner)];
      expect(seen.map((text) => text.includes(secret))).toStrictEqual([false, false]);
    }
  });
});

/** What a tool may return, and what becomes of it. */
const returned: readonly (readonly [string, () => unknown, string])[] = [
  ["undefined is null", () => undefined, "completed"],
  ["NaN", () => Number.NaN, "invalid_output"],
  ["a function", () => () => {}, "invalid_output"],
  ["a bigint", () => 1n, "invalid_output"],
  ["a cycle", () => cycle(), "invalid_output"],
  ["an instance of a class", () => ({ map: new Map() }), "invalid_output"],
  ["a date is its text", () => new Date(0), "completed"],
  ["more than is kept", () => "x".repeat(10 * 1024 * 1024), "invalid_output"],
  ["a million characters", () => "x".repeat(1_000_000), "completed"],
  ["a proxy that can only be waited for", () => new Proxy({}, waitable()), "invalid_output"],
  ["a text that is no whole one", () => "\ud800", "invalid_output"],
  ["a promise of nothing wrong", async () => await Promise.resolve(1), "completed"],
];

// proves PORT-1.5
describe("a tool that returned has run, whatever it returned:", () => {
  test.each(returned)("%s", async (_, make, code) => {
    for (const tool of ["notes.write", "notes.read"]) {
      const desk = openDesk({ deed: make });
      const outcome = await desk.call({ tool });
      expect(codeOf(outcome)).toBe(code);
      expect((await desk.records()).at(-1)).toMatchObject({ status: "completed" });
      expect(brokenPromises(desk.events)).toStrictEqual([]);
    }
  });

  test("an output that does not fit is kept, given to nobody, and not tried again", async () => {
    const desk = openDesk({ deed: () => ({ id: 7, note: "kept-and-not-given" }) });
    const outcome = await desk.call({ tool: "notes.strict", input: { text: "a" } });
    expect(outcome).toMatchObject({
      type: "failed",
      error: { code: "invalid_output", details: { path: "/id", effectExecuted: true } },
    });
    expect(desk.deck.runs).toHaveLength(1);
    expect((await keptText(desk.store.inner)).includes("kept-and-not-given")).toBe(true);
    const entries = traceEntries(await readTrace(await traceOf(desk.seat)));
    const given = JSON.stringify([outcome, desk.events, entries]);
    expect(given.includes("kept-and-not-given")).toBe(false);
  });
});

describe("a library's schema that throws has not said yes:", () => {
  test("of an input: refused, in a record", async () => {
    const deck = new Deck();
    const tool = deck.tool({ name: "pay.out", sideEffect: "user_write", input: broken });
    const desk = openDesk({ deck, packs: [tool] });
    const call = await settlement(desk.call({ tool: "pay.out" }));
    expect(call).toMatchObject({
      state: "kept",
      value: { type: "refused", error: { code: "invalid_input" } },
    });
    expect(deck.runs).toStrictEqual([]);
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.refused"]);
  });

  test("of an output: the effect has run, and its end is written (J2)", async () => {
    const deck = new Deck();
    const tool = deck.tool({ name: "pay.out", sideEffect: "user_write", output: broken });
    const desk = openDesk({ deck, packs: [tool] });
    const call = await settlement(desk.call({ tool: "pay.out" }));
    expect(call).toMatchObject({
      state: "kept",
      value: { type: "failed", error: { code: "invalid_output" } },
    });
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended", "call.settled"]);
  });
});

function refuse(): never {
  return raise(new Error("no"));
}

function raise(error: unknown): never {
  throw error;
}

function throwingTraps(): ProxyHandler<object> {
  return {
    get: refuse,
    has: refuse,
    ownKeys: refuse,
    getOwnPropertyDescriptor: refuse,
    getPrototypeOf: refuse,
  };
}

/** Whatever is returned is asked whether it is a promise. */
function waitable(): ProxyHandler<object> {
  return { ...throwingTraps(), get: (_, key) => (key === "then" ? undefined : refuse()) };
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cycle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

/** What another copy of this package, or somebody who knows its mark, could throw. */
function forged(own: object, unreadable?: string): Error {
  const error = Object.assign(new Error("forged"), own);
  if (unreadable !== undefined) Object.defineProperty(error, unreadable, { get: refuse });
  return Object.defineProperty(error, Symbol.for("@spfunctions/error"), { value: true });
}
