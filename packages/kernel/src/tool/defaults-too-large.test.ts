// G4: what was judged is what runs, with its defaults. An input that they make too large or too deep is refused like any other that
// does not fit, in a record, and explained the same, each time.
import type { JsonValue } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { codeOf, kindsOf, openDesk } from "../../test-data/call-desk.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import type { CallOutcome } from "../call/call-host.ts";

/** Objects in each other, so many deep. */
function nested(depth: number, key = "a"): JsonValue {
  let value: JsonValue = {};
  for (let level = 0; level < depth; level++) value = { [key]: value };
  return value;
}

const rows = {
  type: "object",
  properties: {
    rows: {
      type: "array",
      items: { type: "object", properties: { note: { type: "string", default: "x".repeat(1000) } } },
    },
  },
};
const chain = {
  type: "object",
  properties: { next: { $ref: "#" }, meta: { type: "object", default: { a: { b: { c: 1 } } } } },
};
/** A default whose own members have defaults, each as deep again. */
const deep = {
  type: "object",
  properties: { top: { $ref: "#/$defs/outer", default: nested(130) } },
  $defs: {
    outer: {
      type: "object",
      properties: { end: { type: "object", default: nested(130) } },
      additionalProperties: { $ref: "#/$defs/outer" },
    },
  },
};
/** A default twice in a default, forty times over. */
const levels = Array.from({ length: 40 }, (_, level) => {
  const next = { $ref: `#/$defs/level${level + 1}`, default: {} };
  return [`level${level}`, { type: "object", properties: { a: next, b: next } }] as const;
});
const doubled = {
  $ref: "#/$defs/level0",
  $defs: Object.fromEntries([...levels, ["level40", { type: "object" }]]),
};
const large = {
  type: "array",
  items: { type: "object", properties: { note: { type: "string", default: "x".repeat(1_000_000) } } },
};

const deck = new Deck(undefined, [
  { name: "grow.rows", sideEffect: "user_write", input: rows },
  { name: "grow.chain", sideEffect: "user_write", input: chain },
  { name: "grow.deep", sideEffect: "user_write", input: deep },
  { name: "grow.doubled", sideEffect: "user_write", input: doubled },
  {
    name: "grow.large",
    sideEffect: "user_write",
    input: { type: "object", properties: { rows: large } },
  },
]);

const tooMuch: readonly (readonly [string, string, JsonValue])[] = [
  ["defaults make too large", "grow.rows", { rows: Array.from({ length: 9000 }, () => ({})) }],
  ["defaults make too deep", "grow.chain", nested(253, "next")],
  ["defaults of a default make too deep", "grow.deep", {}],
  ["defaults of defaults make larger than any memory", "grow.doubled", {}],
  [
    "defaults make larger than any memory",
    "grow.large",
    { rows: Array.from({ length: 100_000 }, () => ({})) },
  ],
];

describe.each(tooMuch)("an input that %s", (_, tool, input) => {
  test("is refused, in a record, and nothing runs, however often it comes", async () => {
    deck.runs.length = 0;
    const desk = openDesk({ deck });
    for (let time = 0; time < 3; time++) {
      const told = await settlement(desk.call({ tool, input, idempotencyKey: "k" }));
      expect(told).toMatchObject({
        state: "kept",
        value: { type: "refused", error: { code: "invalid_input" }, receipt: { tool } },
      });
    }
    expect(deck.runs).toStrictEqual([]);
    const refused = "call.refused";
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", refused, refused, refused]);
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
  });

  test("is explained as it is refused", async () => {
    const desk = openDesk({ deck });
    const before = attempt(() => desk.seat.explain(tool, input));
    const told = await settlement(desk.call({ tool, input }));
    const after = attempt(() => desk.seat.explain(tool, input));
    const [, refused] = await desk.records();
    const verdict = refused?.kind === "call.refused" ? refused.verdict : undefined;
    expect(verdict).toMatchObject({ outcome: "deny", gate: "input", code: "invalid_input" });
    expect([before, after]).toStrictEqual([verdict, verdict]);
    expect(codeOf((told as { value: CallOutcome }).value)).toBe("invalid_input");
  });
});

test("as much as can be kept runs with its defaults, the second time as the first", async () => {
  deck.runs.length = 0;
  const desk = openDesk({ deck });
  const fitting = { rows: Array.from({ length: 8000 }, () => ({})) };
  for (let time = 0; time < 2; time++) {
    expect(codeOf(await desk.call({ tool: "grow.rows", input: fitting }))).toBe("completed");
    expect(codeOf(await desk.call({ tool: "grow.chain", input: nested(252, "next") }))).toBe("completed");
  }
  const [first, second] = deck.inputsOf("grow.rows");
  expect([first?.length, second === first]).toStrictEqual([8000 * 1011 + 7999 + 11, true]);
  const [shallow, again] = deck.inputsOf("grow.chain");
  expect([shallow?.split("meta").length, again === shallow]).toStrictEqual([254, true]);
});

function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
