// Where calls are only inspected, they are explained by the same law, and nothing is called, tried again or written.
import { describe, expect, test } from "vitest";
import { openDesk, principalOf, reopenDesk, storedIn } from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";

const inspects = { inspects: true } as const;
const nothing = { segments: 0, settled: [], living: 0 };

describe("a seat that only inspects", () => {
  test("explains as one that calls does, but for who calls: nobody is asked", () => {
    const [live, inspecting] = [openDesk(), openDesk(inspects)].map(({ seat }) => seat);
    for (const [tool, input] of [
      ["notes.read", { n: 1 }],
      ["notes.strict", { text: 5 }],
      ["notes.write", undefined],
      ["no.such_tool", {}],
    ] as const) {
      const [one, other] = [live, inspecting].map((seat) => seat?.explain(tool, input));
      const asked = new Set(["identity", "user_data.auth"]);
      const gates = (verdict: typeof one) => verdict?.gates.filter(({ gate }) => !asked.has(gate));
      expect([other?.outcome, other?.gate, gates(other)]).toStrictEqual([
        one?.outcome === "allow" ? "unchecked" : one?.outcome,
        one?.gate,
        gates(one),
      ]);
    }
    const { gates = [] } = inspecting?.explain("notes.read") ?? {};
    expect(gates.filter(({ gate }) => gate === "identity")).toStrictEqual([
      { gate: "identity", result: "not_checked" },
    ]);
  });

  test("explains to nobody in particular what needs somebody", () => {
    const principal = principalOf("acct_1", { kind: "anonymous", scopes: ["read"] });
    const [live, inspecting] = [openDesk({ principal }), openDesk({ principal, ...inspects })];
    expect(live.seat.explain("notes.search")).toMatchObject({ outcome: "deny", gate: "identity" });
    expect(inspecting.seat.explain("notes.search")).toMatchObject({ outcome: "unchecked" });
  });

  test("still says what the policy does not allow", () => {
    const { seat } = openDesk({ ...inspects, levels: [{ level: "agent", policy: {} }] });
    expect(seat.explain("notes.write", {})).toMatchObject({ outcome: "deny", gate: "max.sideEffect" });
  });

  test("calls nothing and writes nothing, also where it replays", async () => {
    const replay = { contracts: [], names: new Set<string>(), take: () => undefined };
    for (const options of [inspects, { ...inspects, replay }]) {
      const desk = openDesk(options);
      for (const tool of ["notes.read", "notes.write", "no.such_tool"])
        expect(await settlement(desk.call({ tool }))).toMatchObject({
          state: "broken",
          error: { code: "live_disabled" },
        });
      await desk.seat.close();
      expect([desk.deck.runs, await storedIn(desk.store.inner), desk.events]).toStrictEqual([[], [], []]);
    }
  });
});

describe.each([
  ["only inspects", inspects],
  ["replays (R1)", { replay: { contracts: [], names: new Set<string>(), take: () => undefined } }],
] as const)("a seat that %s", (_, options) => {
  test("leaves what a crash has left as it is: it neither runs nor ends it", async () => {
    for (const tool of ["notes.put", "notes.write"]) {
      const desk = openDesk();
      desk.store.fault = atFirst("call.settled", { type: "die", written: false });
      void desk.call({ tool });
      await desk.store.died.promise;
      const before = await storedIn(desk.store.inner);
      const next = reopenDesk(desk, options);
      expect([await next.seat.open(), await next.seat.giveUp("effect_1")]).toStrictEqual([nothing, nothing]);
      expect([await storedIn(desk.store.inner), next.deck.runs]).toStrictEqual([before, []]);
    }
  });
});
