// R2: what a replay records is equal to what it was replayed from; and two traces are equal if and only if the calls are.
import { hashInput, type JsonValue, RateLimitedError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { type Desk, type DeskOptions, openDesk, traceOf } from "../../test-data/call-desk.ts";
import { type Fate, fates, meet, openBook } from "../../test-data/call-journal.ts";
import type { CallRequest } from "../call/call-host.ts";
import { openReplay } from "../replay/replay.ts";
import { diffTraces, type TraceDiff } from "./diff-traces.ts";
import { readTrace, type Trace } from "./read-trace.ts";
import { traceEntries } from "./trace-entries.ts";

const inert = new Deck(() => {
  throw new Error("a replay has run a tool");
});

/** The text of a trace with these calls in it. */
async function recorded(requests: readonly CallRequest[], options: DeskOptions = {}): Promise<string> {
  const desk = openDesk({ deed: (input) => ({ got: input }), ...options });
  for (const request of requests) await desk.call(request);
  return await closed(desk);
}

async function closed(desk: Desk): Promise<string> {
  await desk.seat.close();
  return await traceOf(desk.seat);
}

/** The same calls answered from a trace, by anybody under other names, and recorded. */
async function replayed(text: string): Promise<Trace> {
  const desk = openDesk({ replay: await openReplay([text]), deck: inert, life: 5 });
  for (const { tool, input } of traceEntries(await readTrace(text))) {
    await desk.call({ tool, input: input ?? {} });
  }
  return await readTrace(await closed(desk));
}

async function diffOf(a: string, b: string): Promise<TraceDiff> {
  return diffTraces(await readTrace(a), await readTrace(b));
}

const write = (n: JsonValue): CallRequest => ({ tool: "notes.write", input: { n } });
const read = (n: JsonValue): CallRequest => ({ tool: "notes.read", input: { n } });

const flows = fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 8 });

async function flowOf(met: readonly Fate[]): Promise<string> {
  const book = openBook();
  for (const [n, fate] of met.entries()) await meet(book, fate, n);
  return await closed(book);
}

describe("R2: recording a replay gives an equal trace", () => {
  test("of any flow, whatever its calls have come to", async () => {
    await fc.assert(
      fc.asyncProperty(flows, async (met) => {
        const text = await flowOf(met);
        const { equal, differences, calls } = diffTraces(await readTrace(text), await replayed(text));
        expect({ equal, differences }).toStrictEqual({ equal: true, differences: [] });
        expect(calls.a).toBe(calls.b);
      }),
      { numRuns: 20 },
    );
  });

  test("of a flow that is cut anywhere: in the middle of a call, before anybody decided about an output", async () => {
    await fc.assert(
      fc.asyncProperty(flows, fc.nat(), async (met, at) => {
        const lines = (await flowOf(met)).trimEnd().split("\n");
        const cut = `${lines.slice(0, 3 + (at % (lines.length - 2))).join("\n")}\n`;
        const diff = diffTraces(await readTrace(cut), await replayed(cut));
        expect(diff.differences).toStrictEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test("of one whose outputs were erased, and of one whose inputs hold secrets", async () => {
    const desk = openDesk({ deed: () => ({ password: "correct-horse-9f8e7d" }) });
    await desk.call({ tool: "notes.read", input: { apiKey: "ghp_0123456789abcdefghijklmnopqrstuvwxyz" } });
    const text = await closed(desk);
    expect(diffTraces(await readTrace(text), await replayed(text)).differences).toStrictEqual([]);
    const lost = withoutOutputs(text);
    const trace = await readTrace(lost);
    expect(traceEntries(trace).map(({ erased }) => erased)).toStrictEqual([["output"]]);
    expect(diffTraces(trace, await replayed(lost)).differences).toStrictEqual([]);
    // The same record with its output and without it is the same call: the salted digest says so.
    expect((await diffOf(text, lost)).differences).toStrictEqual([]);
  });
});

/** As after an erasure: text and salt of every output are gone. */
function withoutOutputs(text: string): string {
  return text.replaceAll(/\{"ref":"([^"]*-output)","salt":"[^"]*","text":"(?:[^"\\]|\\.)*"\}/g, (_, ref) =>
    JSON.stringify({ erased: true, ref: String(ref) }),
  );
}

/** Said the other way round: the calls as their entries have them. */
async function tuplesOf(text: string): Promise<unknown[]> {
  return traceEntries(await readTrace(text)).map(({ tool, inputHash, status, output, error }) => [
    tool,
    inputHash,
    status,
    hashInput(output),
    error?.code,
  ]);
}

describe("two traces", () => {
  const anyCalls = fc.array(
    fc.record({
      tool: fc.constantFrom("notes.read", "notes.write", "notes.strict", "notes.none"),
      input: fc.record({ n: fc.nat(2) }),
    }),
    { maxLength: 6 },
  );

  test("are equal if and only if their calls are, one by one; and every call is told of once", async () => {
    await fc.assert(
      fc.asyncProperty(anyCalls, anyCalls, fc.boolean(), async (one, other, isChanged) => {
        const deed = (input: JsonValue) => ({ got: isChanged ? 1 : input });
        const a = await recorded([read(0), ...one]);
        const b = await recorded([read(0), ...other], { deed, life: 3 });
        const diff = await diffOf(a, b);
        const [before, after] = [await tuplesOf(a), await tuplesOf(b)];
        expect(diff.equal).toBe(JSON.stringify(before) === JSON.stringify(after));
        const placesOf = (side: "a" | "b") =>
          diff.differences.flatMap((found) => (side in found ? [found[side as never]] : [])) as {
            place: number;
          }[];
        for (const [side, tuples] of [
          ["a", before],
          ["b", after],
        ] as const) {
          const places = placesOf(side).map(({ place }) => place);
          expect(new Set(places).size).toBe(places.length);
          expect(places.every((place) => place >= 1 && place <= tuples.length)).toBe(true);
        }
        // What is not told of is the same on both sides, in its order.
        const rest = (tuples: readonly unknown[], side: "a" | "b") =>
          tuples.filter((_, at) => !placesOf(side).some(({ place }) => place === at + 1));
        expect(rest(before, "a")).toStrictEqual(rest(after, "b"));
      }),
      { numRuns: 40 },
    );
  });

  test("are not different for ids, times, callers, sessions or words", async () => {
    const a = await recorded([write(1)]);
    const b = await recorded([write(1)], {
      life: 9,
      principal: { accountId: "acct_2", keyId: "other", scopes: ["write"], kind: "key" },
    });
    const diff = await diffOf(a, b);
    expect(diff).toStrictEqual({ equal: true, calls: { a: 1, b: 1 }, differences: [], law: [] });
  });

  test("differ where a call has another input, output, status or error, and it is said where", async () => {
    const deck = new Deck((input) => {
      if ((input as { n: number }).n === 3) throw new Error("closed");
      return { list: [1, { deep: "new" }], more: true };
    });
    const a = await recorded([write(1), write(2), write(3)], {
      deed: () => ({ list: [1, { deep: "old" }] }),
    });
    const b = await recorded([write(1), write({ to: 2 }), write(3)], { deck, life: 2 });
    const { equal, differences, law } = await diffOf(a, b);
    const output = [
      { path: "/output/list/1/deep", a: "old", b: "new" },
      { path: "/output/more", b: true },
    ];
    expect({ equal, differences, law }).toStrictEqual({
      equal: false,
      differences: [
        { type: "changed", a: standing(1, 3), b: standing(1, 3), fields: output },
        {
          type: "changed",
          a: standing(2, 5),
          b: standing(2, 5),
          fields: [{ path: "/input/n", a: 2, b: { to: 2 } }, ...output],
        },
        {
          type: "changed",
          a: standing(3, 7),
          b: standing(3, 7),
          fields: [
            { path: "/status", a: "completed", b: "failed" },
            { path: "/output", a: { list: [1, { deep: "old" }] } },
            { path: "/error/code", b: "upstream_error" },
            { path: "/error/message", b: "notes.write failed: closed" },
          ],
        },
      ],
      law: [],
    });
  });

  test("differ where a call has failed for another reason", async () => {
    const a = await recorded([write(1)], failing(new Error("closed")));
    const b = await recorded([write(1)], { ...failing(new RateLimitedError("later")), life: 2 });
    const { equal, differences } = await diffOf(a, b);
    expect({ equal, differences }).toMatchObject({
      equal: false,
      differences: [
        {
          type: "changed",
          fields: [
            { path: "/error/code", a: "upstream_error", b: "rate_limited" },
            { path: "/error/message" },
          ],
        },
      ],
    });
  });

  test("differ by what only one of them has, and by what stands elsewhere", async () => {
    const a = await recorded([read(1), write(1), write(2), read(9)]);
    const b = await recorded([read(1), write(2), write(1), { tool: "notes.put", input: {} }, read(9)]);
    const { differences } = await diffOf(a, b);
    expect(differences.map(({ type, ...sides }) => [type, placeOf(sides, "a"), placeOf(sides, "b")])).toEqual(
      [
        ["moved", 2, 3],
        ["only_b", undefined, 4],
      ],
    );
    const back = await diffOf(b, a);
    expect(back.differences.map(({ type }) => type)).toEqual(["moved", "only_a"]);
  });

  test("do not take an answer that was given again for a second deed", async () => {
    const twice = [write(1), write(1)];
    const once = twice.map((request) => ({ ...request, idempotencyKey: "k" }));
    const { differences } = await diffOf(await recorded(twice), await recorded(once, { life: 2 }));
    expect(differences).toMatchObject([
      { type: "changed", b: { place: 2 }, fields: [{ path: "/status", a: "completed", b: "repeated" }] },
    ]);
  });

  test("tell contracts, policies and verdicts apart from what was called and became of it", async () => {
    const other = new Deck((input) => ({ got: input }));
    const tool = other.tool({ name: "notes.write", sideEffect: "user_write", description: "Otherwise." });
    const levels = [{ level: "agent", policy: { maxSideEffect: "paper_trade" } }] as const;
    const a = await recorded([write(1)]);
    const b = await recorded([write(1)], { deck: other, packs: [tool], levels, life: 2 });
    const { equal, law } = await diffOf(a, b);
    expect(equal).toBe(true);
    expect(law.map(({ fields }) => fields.map(({ path }) => path))).toStrictEqual([
      ["/toolDigest", "/policyDigest"],
    ]);
    const none = await recorded([write(1)], { levels: [{ level: "agent", policy: {} }], life: 3 });
    const refused = await diffOf(a, none);
    expect(refused.law).toMatchObject([
      {
        fields: [
          { path: "/policyDigest" },
          { path: "/verdict/outcome", a: "allow", b: "deny" },
          { path: "/verdict/gate", b: "max.sideEffect" },
          { path: "/verdict/code", a: "allowed", b: "policy_denied" },
        ],
      },
    ]);
    expect(refused.differences).toMatchObject([
      { fields: [{ path: "/input" }, { path: "/status" }, { path: "/output" }, { path: "/error/code" }, {}] },
    ]);
  });

  test("with an erased payload on either side are not said to be equal, but where nobody can tell it is said", async () => {
    const a = await recorded([read(1)]);
    const b = await recorded([read(1)], { life: 2 });
    expect((await diffOf(a, b)).equal).toBe(true);
    const [lostA, lostB] = [withoutOutputs(a), withoutOutputs(b)];
    expect((await diffOf(lostA, lostA)).equal).toBe(true);
    const fields = async (one: string, other: string) =>
      (await diffOf(one, other)).differences.map((found) => "fields" in found && found.fields);
    expect(await fields(lostA, b)).toStrictEqual([
      [{ path: "/output", b: { got: { n: 1 } }, erased: ["a"] }],
    ]);
    expect(await fields(lostA, lostB)).toStrictEqual([[{ path: "/output", erased: ["a", "b"] }]]);
  });

  test("list no more places of a call than can be looked at, and count the rest", async () => {
    const a = await recorded([read(1)], { deed: () => numbers(0) });
    const b = await recorded([read(1)], { deed: () => numbers(1), life: 2 });
    const [found] = (await diffOf(a, b)).differences;
    expect(found).toMatchObject({ type: "changed", moreFields: 450 });
    expect(found?.type === "changed" && found.fields.length).toBe(50);
  });

  test("B22: are not held against each other where one of them is not what was written", async () => {
    const a = await recorded([read(1)]);
    const broken = await readTrace(a.replace(String.raw`{\"n\":1}`, String.raw`{\"n\":2}`));
    const whole = await readTrace(a);
    const refusal = /^the (?:first|second) trace cannot be trusted: record 2 has content that was changed$/;
    expect(() => diffTraces(broken, whole)).toThrow(refusal);
    expect(() => diffTraces(whole, broken)).toThrow(refusal);
  });
});

function placeOf(sides: object, side: "a" | "b"): number | undefined {
  return (sides as Partial<Record<"a" | "b", { place: number }>>)[side]?.place;
}

function standing(place: number, seq: number): object {
  return expect.objectContaining({ place, seq, tool: "notes.write" }) as object;
}

function numbers(from: number): number[] {
  return Array.from({ length: 500 }, (_, index) => from + index);
}

function failing(error: Error): DeskOptions {
  return {
    deed: () => {
      throw error;
    },
  };
}
