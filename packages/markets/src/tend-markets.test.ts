import { describe, expect, test } from "vitest";
import { processInstallation } from "@spfunctions/kernel";
import { armedIntent } from "../test-data/armed-intent.ts";
import { day } from "../test-data/quiet-markets.ts";
import { tradingFloor } from "../test-data/trading-floor.ts";
import { until } from "../test-data/waiting.ts";
import type { Exchange, Ledger } from "./exchange/exchange.ts";
import { keysPerRound } from "./intents/armed-keys.ts";
import { unkept, writeIntent } from "./intents/intent-documents.ts";
import { type Tending, tendMarkets } from "./tend-markets.ts";
import type { VenueRows } from "./world/rows-by-tick.ts";

/** A turn that the test lets end when it likes. */
class Gate {
  readonly begun: string[] = [];
  #ends: (() => void)[] = [];
  #fails: ((fault: Error) => void)[] = [];

  pass(what: string): Promise<void> {
    this.begun.push(what);
    return new Promise((resolve, reject) => {
      this.#ends.push(resolve);
      this.#fails.push(reject);
    });
  }

  async let(count = 1): Promise<void> {
    for (let left = count; left > 0; left--) {
      await until(() => this.#ends.length > 0);
      this.#fails.shift();
      this.#ends.shift()?.();
    }
  }

  async fail(fault: Error): Promise<void> {
    await until(() => this.#fails.length > 0);
    this.#ends.shift();
    this.#fails.shift()?.(fault);
  }
}

const nothing: VenueRows = { rows: [], unavailable: [], synthetic: true, at: 0 };
const mayCall = async () => true;
const answerable = { mayCall, fire: async () => undefined, proves: processInstallation().keyHash };

/** Markets whose two ledgers go through a gate, on a real store. */
function tended(options: Tending = {}) {
  const floor = tradingFloor();
  const gate = new Gate();
  const through = (ledger: Ledger): Exchange =>
    Object.assign(floor.open({ ledger }), { advance: () => gate.pass(ledger) });
  const host = { ...floor, live: through("live"), paper: through("paper"), readers: [], ...answerable };
  const rows = { current: async () => nothing, known: async () => nothing };
  const stop = tendMarkets(host, { rows }, { everyMs: 1000, ...options });
  return { ...floor, gate, stop };
}

/** Once a round has ended and the next is waited for. */
const rests = ({ clock }: ReturnType<typeof tended>) => until(() => clock.waiting === 1);

describe("tending", () => {
  test("goes round after round, and no round begins before the one before has ended", async () => {
    const tending = tended();
    const { gate, clock, stop } = tending;
    await gate.let();
    clock.advance(60_000);
    await until(() => gate.begun.length === 2);
    clock.advance(60_000);
    expect([gate.begun, clock.waiting]).toStrictEqual([["live", "paper"], 0]);
    await gate.let();
    await rests(tending);
    clock.advance(999);
    expect(gate.begun).toStrictEqual(["live", "paper"]);
    clock.advance(1);
    await gate.let(2);
    await rests(tending);
    expect(gate.begun).toStrictEqual(["live", "paper", "live", "paper"]);
    await stop();
    expect(clock.waiting).toBe(0);
  });

  test("is stopped once the round that is under way has ended, and begins nothing more", async () => {
    const { gate, clock, stop } = tended();
    await until(() => gate.begun.length === 1);
    let isStopped = false;
    const stopping = stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    await gate.let();
    await stopping;
    clock.advance(3_600_000);
    await stop();
    expect([gate.begun, clock.waiting]).toStrictEqual([["live"], 0]);
  });

  test("is stopped between two rounds", async () => {
    const tending = tended();
    await tending.gate.let(2);
    await rests(tending);
    await tending.stop();
    tending.clock.advance(3_600_000);
    expect([tending.gate.begun, tending.clock.waiting]).toStrictEqual([["live", "paper"], 0]);
  });

  test("tells what could not be done, goes on with the rest, and tries again in the next round", async () => {
    const told: unknown[] = [];
    const tending = tended({ onFault: (what, fault) => told.push([what, String(fault)]) });
    const { gate, clock, stop } = tending;
    await gate.fail(new Error("no disk"));
    await gate.let();
    await rests(tending);
    expect([told, gate.begun]).toStrictEqual([[["live ledger", "Error: no disk"]], ["live", "paper"]]);
    clock.advance(1000);
    await gate.let(2);
    await rests(tending);
    expect([told.length, gate.begun.length]).toStrictEqual([1, 4]);
    await stop();
  });

  test("tells of a fault once until it changes or is over, and of one that comes back again", async () => {
    const told: unknown[] = [];
    const tending = tended({ onFault: (_, fault) => told.push(String(fault)) });
    const { gate, clock, stop } = tending;
    for (const fault of ["no disk", "no disk", "no room", undefined, "no room", "no room"]) {
      await (fault === undefined ? gate.let() : gate.fail(new Error(fault)));
      await gate.let();
      await rests(tending);
      clock.advance(1000);
    }
    await gate.let(2);
    await rests(tending);
    await stop();
    expect(told).toStrictEqual(["Error: no disk", "Error: no room", "Error: no room"]);
  });

  test("goes on though whoever is told of a fault fails at it", async () => {
    const tending = tended({
      onFault: () => {
        throw new Error("no paper");
      },
    });
    const { gate, clock, stop } = tending;
    await gate.fail(new Error("no disk"));
    await gate.fail(new Error("no disk"));
    await rests(tending);
    clock.advance(1000);
    await gate.let(2);
    await rests(tending);
    expect(gate.begun.length).toBe(4);
    await stop();
  });

  test("tells nothing of what ends because it was stopped", async () => {
    const told: unknown[] = [];
    const { gate, stop } = tended({ onFault: (what) => told.push(what) });
    await until(() => gate.begun.length === 1);
    const stopping = stop();
    await gate.fail(new Error("aborted"));
    await stopping;
    expect(told).toStrictEqual([]);
  });

  test("G1: comes in time to every key that has armed something, however many there are that may still order", async () => {
    const floor = tradingFloor();
    const { clock, open, store } = floor;
    const now = clock.now();
    const documents = Array.from({ length: keysPerRound + 3 }, (_, index) => {
      const facts = { venue: "embedded", ticker: "RAIN", action: "buy", side: "yes", quantity: 1 } as const;
      const trigger = { when: "ask_at_or_below", priceCents: 1 } as const;
      const whose = { intentId: `int_${String(index).padStart(8, "0")}`, keyId: `key-${index}` };
      const intent = armedIntent({ ...facts, trigger }, now, whose);
      return writeIntent(answerable, unkept("ann", intent), intent);
    });
    await store.commit({ durability: "power", now, documents });
    const host = { ...floor, live: open(), paper: open({ ledger: "paper" }), readers: [] };
    const mayStill = new Set(documents.slice(0, keysPerRound).map((_, index) => `key-${index}`));
    const stop = tendMarkets(
      { ...host, ...answerable, mayCall: async (_, keyId) => mayStill.has(keyId) },
      { rows: { current: async () => nothing, known: async () => nothing } },
      { everyMs: 1000 },
    );
    const stopped = async () => {
      await until(() => clock.waiting === 1);
      const query = { kind: "intent", accountId: "ann", status: "stopped", limit: 9 };
      return (await store.documents(query)).length;
    };
    expect(await stopped()).toBe(0);
    clock.advance(1000);
    expect(await stopped()).toBe(3);
    await stop();
  });

  test("settles the markets of both ledgers that have closed", async () => {
    const floor = tradingFloor();
    const { clock, open } = floor;
    const [live, paper] = [open(), open({ ledger: "paper" })];
    const wanted = { ticker: "RAIN", action: "buy", side: "yes", quantity: 1, limitCents: 50 } as const;
    const orders = await Promise.all([live, paper].map((exchange) => exchange.place("ann", "key", wanted)));
    const rows = { current: async () => nothing, known: async () => nothing };
    const stop = tendMarkets({ ...floor, live, paper, readers: [], ...answerable }, { rows });
    await until(() => clock.waiting === 1);
    clock.jump(day);
    clock.advance(5000);
    await until(() => clock.waiting === 1);
    await stop();
    const [one, other] = orders;
    expect([
      await live.writtenOrder("ann", one?.orderId ?? ""),
      await paper.writtenOrder("ann", other?.orderId ?? ""),
    ]).toMatchObject([{ reason: "market_closed" }, { reason: "market_closed" }]);
  });
});
