// J2: whatever happens between an intent and its result, the effect gets an end in the journal, its key is not stuck in progress
// and nothing is left unhandled. What got no end all the same is not sealed over, and whoever comes next settles it (X1).
import { RecoveryNeededError, UpstreamError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedDeck } from "../../test-data/call-deck.ts";
import {
  codeOf,
  type Desk,
  type DeskOptions,
  installation,
  keptText,
  kindsOf,
  openDesk,
  reopenDesk,
} from "../../test-data/call-desk.ts";
import { countingIds } from "../../test-data/call-ids.ts";
import { type Settlement, settlement, turn, unhandledDuring, until } from "../../test-data/call-waiting.ts";
import { tinySchema } from "../../test-data/tool-samples.ts";
import type { ToolContext } from "./executors.ts";
import type { CallOutcome, CallRequest } from "./call-host.ts";

/** After 79 opaque characters, what is judged of a value ends in the middle of the next one. */
const opaque = `eyJzdWIiOiIxMjM0NTY3ODkwIn0${"a".repeat(32)}eyJhbGciOiJIUzI1NiJ9`;
const odd = `token ${opaque}\u{1f600}.`;
const keyed = { tool: "notes.write", input: { text: "a" }, idempotencyKey: "k" };
const ended = ["segment.opened", "call.intended", "call.settled", "call.repeated"];

/** Calls with a key and once more with the same, and says what is left of it. */
async function whatBecomesOf(desk: Desk, request: CallRequest = keyed) {
  let told: Settlement = { state: "pending" };
  const unhandled = await unhandledDuring(async () => {
    told = await settlement(desk.call(request));
  });
  const again = await settlement(desk.call(request));
  return { told: saidBy(told), again: saidBy(again), unhandled, kinds: await kindsOf(desk) };
}

function saidBy(told: Settlement): string {
  if (told.state === "kept") return codeOf(told.value as CallOutcome);
  return told.state === "broken" ? `threw ${String((told.error as { code?: unknown }).code)}` : "pending";
}

describe("an output whose recorded form is odd text", () => {
  test.each<[string, (context: ToolContext) => unknown, string]>([
    ["is an answer", () => odd, "completed"],
    ["inside an object is one", () => ({ note: { text: odd } }), "completed"],
    ["in a key is one", () => ({ [odd]: 1 }), "completed"],
    ["in an error ends the call", () => raise(new Error(odd)), "upstream_error"],
    ["in an error of ours does", () => raise(new UpstreamError(odd)), "upstream_error"],
    ["thrown as it is does", () => raise(odd), "upstream_error"],
    ["may be all that is known", () => raise(new RecoveryNeededError(odd)), "recovery_needed"],
    [
      "can be an operation's name",
      ({ external }) => external({ operationId: odd, reconciliationRef: odd }),
      "completed",
    ],
    ["can be said on the way", ({ progress }) => progress(odd), "completed"],
  ])("%s", async (_, act, code) => {
    for (const deed of [act, later(act)]) {
      const desk = openDesk({ deed: (_input, context) => deed(context) });
      const became = await whatBecomesOf(desk);
      expect(became).toStrictEqual({ told: code, again: code, unhandled: [], kinds: ended });
      expect((await keptText(desk.store.inner)).isWellFormed()).toBe(true);
    }
  });

  test("cut anywhere is kept as text", async () => {
    const anyOdd = fc
      .record({
        name: fc.constantFrom("token ", "password=", "api_key: ", "Bearer ", "?key=", "https://user:"),
        length: fc.integer({ min: 70, max: 90 }),
        character: fc.constantFrom("\u{1f600}", "\u{1d4b3}\u{1f600}", "日本"),
        end: fc.constantFrom(".", "", "\n", "@host/", " and more"),
      })
      .map(({ name, length, character, end }) => name + opaque.repeat(2).slice(0, length) + character + end);
    await fc.assert(
      fc.asyncProperty(anyOdd, async (text) => {
        const desk = openDesk({ deed: () => ({ text }) });
        expect(saidBy(await settlement(desk.call(keyed)))).toBe("completed");
        await desk.seat.close();
        expect((await desk.seat.verify()).status).toBe("ok");
      }),
      { numRuns: 200 },
    );
  });
});

/** Standard Schema results that cannot be read. */
const unreadable: readonly (readonly [string, (value: unknown) => unknown])[] = [
  [
    "issues that throw",
    (value) => ({
      value,
      get issues() {
        return refuse();
      },
    }),
  ],
  [
    "a value that throws",
    () => ({
      get value() {
        return refuse();
      },
    }),
  ],
  ["a value that cannot be compared", () => ({ value: new Proxy({}, { ownKeys: refuse, get: refuse }) })],
  ["issues that are no list of any", () => ({ issues: new Proxy([], { get: refuse }) })],
  [
    "a path that throws",
    () => ({
      issues: [
        {
          get path() {
            return refuse();
          },
        },
      ],
    }),
  ],
  ["nothing that can be asked", () => new Proxy({}, { has: refuse })],
  ["a promise that is broken", async () => await Promise.reject(new Error("offline"))],
];

test.each(unreadable)(
  "a library that answers with %s has not said yes, and the effect has ended",
  async (_, answer) => {
    const deck = sharedDeck();
    const tool = deck.tool({ name: "pay.out", sideEffect: "user_write", output: tinySchema({}, answer) });
    const became = await whatBecomesOf(openDesk({ deck, packs: [tool] }), { ...keyed, tool: "pay.out" });
    expect(became).toStrictEqual({
      told: "invalid_output",
      again: "invalid_output",
      unhandled: [],
      kinds: ended,
    });
  },
);

test("an output that cannot be put into its recorded form is given to nobody, and the effect has ended", async () => {
  for (const held of [false, true]) {
    const options: DeskOptions = held ? { evaluatePostTool: () => ({ outcome: "allow" }) } : {};
    const desk = openDesk({ ...options, deed: giveUnhashable, installation: unsure });
    const became = await whatBecomesOf(desk);
    expect(became).toStrictEqual({
      told: "invalid_output",
      again: "invalid_output",
      unhandled: [],
      kinds: ended,
    });
    expect((await desk.records())[2]).toMatchObject({ kind: "call.settled", status: "completed" });
    expect(await keptText(desk.store.inner)).not.toContain("unhashable");
  }
});

/** What a tool may throw that reads badly. */
const hostile: readonly (readonly [string, () => unknown])[] = [
  ["a stack that throws", () => Object.defineProperty(new Error("x"), "stack", { get: refuse })],
  ["a cause that throws", () => Object.defineProperty(new Error("x"), "cause", { get: refuse })],
  ["a cause that is itself", () => selfCaused()],
  ["details of ours that throw", () => ours({ details: new Proxy({}, { ownKeys: refuse, get: refuse }) })],
  ["a retry of ours that is none", () => ours({ retry: { toString: refuse } })],
  ["a text of ours that is none", () => ours({ message: { toString: refuse } })],
  ["a name that is none", () => Object.assign(new Error(""), { name: Symbol("x") })],
  ["a function", () => refuse],
  ["what is no text either", () => ({ toString: refuse, valueOf: refuse, message: "x" })],
];

test.each(hostile)("a tool that throws %s has failed, and the effect has ended", async (_, make) => {
  for (const deed of [() => raise(make()), later(() => raise(make()))]) {
    const became = await whatBecomesOf(openDesk({ deed }));
    const code = "upstream_error";
    expect(became).toStrictEqual({ told: code, again: code, unhandled: [], kinds: ended });
  }
});

/** What a tool may throw, and what is told of it. */
const spoken: readonly (readonly [string, () => unknown, string])[] = [
  ["an error", () => new Error("no such order"), "no such order"],
  ["a text", () => "no such order", "no such order"],
  ["what only looks like an error", () => ({ message: "busy" }), "busy"],
  [
    "one with a cause",
    () => new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:1") }),
    "fetch failed (connect ECONNREFUSED 127.0.0.1:1)",
  ],
  ["several", () => new AggregateError([new Error("one"), "two"]), "AggregateError (one; two)"],
  ["one without words", () => new RangeError(), "RangeError"],
  ["a number", () => 7, "it threw something that says nothing"],
];

test.each(spoken)("of %s that a tool throws it is told what it says", async (_, make, words) => {
  const outcome = await openDesk({ deed: () => raise(make()) }).call({ tool: "notes.write" });
  expect(outcome).toMatchObject({ type: "failed", error: { message: `notes.write failed: ${words}` } });
});

type Done = (value: unknown) => void;

/** What a tool may return that is waited for and reads badly. */
const waitedFor: readonly (readonly [string, () => unknown])[] = [
  ["cannot be asked whether it is one", () => thenable({ get: refuse })],
  ["is one only when first asked", () => thenable({ get: onceOnly() })],
  ["throws when it is waited for", () => thenable({ value: refuse })],
  ["answers, and then throws", () => thenable({ value: (done: Done) => [done(1), refuse()] })],
  ["answers twice", () => thenable({ value: (done: Done) => [done(1), done(2)] })],
];

test.each(waitedFor)("a promise that %s ends its call", async (_, make) => {
  const { told, again, ...rest } = await whatBecomesOf(openDesk({ deed: make }));
  expect(["completed", "upstream_error"]).toContain(told);
  expect({ again, ...rest }).toStrictEqual({ again: told, unhandled: [], kinds: ended });
});

describe("a result that comes too late is noted or dropped, and nothing is left unhandled:", () => {
  test.each<[string, () => unknown, Record<string, unknown>]>([
    ["odd text", () => odd, { status: "completed" }],
    [
      "what is no JSON",
      () => ({ n: Number.NaN }),
      { status: "completed", error: { code: "invalid_output" } },
    ],
    ["an error with odd text", () => raise(new Error(odd)), { status: "failed" }],
    ["a hostile error", () => raise(ours({ message: { toString: refuse } })), { status: "failed" }],
    ["nothing", () => undefined, { status: "completed" }],
  ])("%s", async (_, act, noted) => {
    const answer = Promise.withResolvers<void>();
    const desk = openDesk({
      deed: async () => {
        await answer.promise;
        return act();
      },
    });
    const unhandled = await unhandledDuring(async () => {
      const call = desk.call(keyed);
      await until(() => desk.deck.runs.length === 1);
      desk.clock.advance(60_000);
      expect(codeOf(await call)).toBe("timeout");
      const written = desk.store.units.length;
      answer.resolve();
      await until(() => desk.store.units.length > written, "the note");
    });
    expect(unhandled).toStrictEqual([]);
    expect((await desk.records()).at(-1)).toMatchObject({ kind: "call.late", ...noted });
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
  });

  test("after its seat was closed", async () => {
    const answer = Promise.withResolvers<unknown>();
    const desk = openDesk({ deed: () => answer.promise });
    const unhandled = await unhandledDuring(async () => {
      const call = desk.call(keyed);
      await until(() => desk.deck.runs.length === 1);
      desk.clock.advance(60_000);
      await call;
      await desk.seat.close();
      answer.reject(new Error(odd));
      await turn();
    });
    expect(unhandled).toStrictEqual([]);
    expect((await desk.seat.verify()).status).toBe("ok");
  });
});

describe("a call that got no end is not sealed over, and whoever comes next settles it (X1):", () => {
  test.each([
    ["when its seat is closed", {}],
    ["when its segment is full", { limits: { segmentRecords: 2 } }],
  ])("%s", async (_, options) => {
    const ids = countingIds();
    let isBroken = false;
    const desk = openDesk({
      ...options,
      ids: { unique: ids.unique, salt: () => (isBroken ? refuse() : ids.salt()) },
      deed: (input) => {
        isBroken = (input as { text: string }).text === "a";
        return null;
      },
    });
    expect((await settlement(desk.call(keyed))).state).toBe("broken");
    isBroken = false;
    expect(codeOf(await desk.call({ ...keyed, input: { text: "b" }, idempotencyKey: "l" }))).toBe(
      "completed",
    );
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("open");
    const next = reopenDesk(desk);
    expect((await next.seat.open()).settled).toMatchObject([
      { tool: "notes.write", outcome: "unknown", by: "nobody" },
    ]);
    expect((await next.seat.verify()).status).toBe("ok");
    expect(codeOf(await next.call(keyed))).toBe("recovery_needed");
  });
});

/** An installation that cannot hide everything. */
const unsure = {
  ...installation,
  redaction: (secret: string) => (secret.includes("unhashable") ? refuse() : installation.redaction(secret)),
};

function giveUnhashable(): string {
  return "password=unhashable-0123456789";
}

function refuse(): never {
  return raise(new Error("no"));
}

function raise(error: unknown): never {
  throw error;
}

/** The same, a turn later. */
function later<Given extends unknown[]>(act: (...given: Given) => unknown) {
  return async (...given: Given) => {
    await turn();
    return act(...given);
  };
}

function selfCaused(): Error {
  const error = new Error("x");
  return Object.assign(error, { cause: error, errors: [error] });
}

/** An error of ours, of which somebody has changed something. */
function ours(changes: Record<string, unknown>): Error {
  const error = new UpstreamError("closed");
  for (const [key, value] of Object.entries(changes)) Object.defineProperty(error, key, { value });
  return error;
}

function thenable(then: PropertyDescriptor): object {
  // oxlint-disable-next-line unicorn/no-thenable -- a tool may return one
  return Object.defineProperty({}, "then", then);
}

function onceOnly(): () => unknown {
  let isAsked = false;
  return () => {
    if (isAsked) refuse();
    isAsked = true;
    return () => {};
  };
}
