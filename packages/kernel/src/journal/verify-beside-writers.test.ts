// Verification takes its time, and others go on writing meanwhile. Whatever they do between two of its steps, what it finds is
// no alarm: an alarm that is false once is not believed when it is true.
import { hashText } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { collected, type Desk, type DeskOptions, openDesk } from "../../test-data/call-desk.ts";
import { meet } from "../../test-data/call-journal.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { DocumentKey, DocumentQuery, Store, StreamRange } from "../store/store.ts";
import { problemsOf, segmentsOf, verifyAccount } from "./verify-account.ts";

const accountId = "acct_1";

/** Lets somebody act before one of the steps, counted from 0. */
class SteppedStore extends FaultyStore {
  steps = 0;
  readonly #before: (step: number, query?: DocumentQuery) => Promise<unknown> | undefined;

  constructor(inner: Store, before: (step: number, query?: DocumentQuery) => Promise<unknown> | undefined) {
    super(inner);
    this.#before = before;
  }

  override async readStream(range: StreamRange) {
    await this.#step();
    return await super.readStream(range);
  }

  override async document(key: DocumentKey) {
    await this.#step();
    return await super.document(key);
  }

  override async documents(query: DocumentQuery) {
    await this.#step(query);
    return await super.documents(query);
  }

  override async documentsById(kind: string, account: string, ids: readonly string[]) {
    await this.#step();
    return await super.documentsById(kind, account, ids);
  }

  async #step(query?: DocumentQuery): Promise<void> {
    const step = this.steps;
    this.steps += 1;
    await this.#before(step, query);
  }
}

/** A process of its own on the same data. Which life it is says where among the others its segment is listed. */
function processOn(inner: Store, life: number, options: DeskOptions = {}): Desk {
  return openDesk({ life, ...options, store: new FaultyStore(inner) });
}

async function callOnce(desk: Desk): Promise<void> {
  await desk.call({ tool: "notes.write" });
}

async function liveOnce(inner: Store, life: number): Promise<void> {
  const desk = processOn(inner, life);
  await callOnce(desk);
  await desk.seat.close();
}

/** What is there before anybody looks: two sealed segments, and one that is being written. */
type Scene = { readonly inner: Store; readonly living: Desk };

async function scene(): Promise<Scene> {
  const inner = createMemoryStore();
  await liveOnce(inner, 4);
  await liveOnce(inner, 6);
  const living = processOn(inner, 5);
  await callOnce(living);
  return { inner, living };
}

type Act = (scene: Scene) => Promise<unknown>;

/** What others may do; each may get something ready first. */
const doings: Readonly<Record<string, (scene: Scene) => Act | Promise<Act>>> = {
  "a segment begins before all others":
    () =>
    async ({ inner }) =>
      await callOnce(processOn(inner, 1)),
  "a segment begins after all others":
    () =>
    async ({ inner }) =>
      await callOnce(processOn(inner, 9)),
  "segments begin and are sealed on both sides":
    () =>
    async ({ inner }) => {
      for (const life of [1, 9, 2, 8]) {
        await liveOnce(inner, life);
      }
    },
  "the living one goes on":
    () =>
    async ({ living }) =>
      await callOnce(living),
  "the living one is sealed":
    () =>
    async ({ living }) =>
      await living.seat.close(),
  "the living one is sealed, and others follow":
    () =>
    async ({ inner, living }) => {
      await living.seat.close();
      await liveOnce(inner, 1);
      await callOnce(processOn(inner, 8));
    },
  "a process fills one segment after the other":
    () =>
    async ({ inner }) => {
      const desk = processOn(inner, 1, { limits: { segmentRecords: 3 } });
      for (let n = 0; n < 4; n++) {
        await callOnce(desk);
      }
    },
  "an effect becomes unknown":
    () =>
    async ({ living }) =>
      await meet(living, "unknown", 1),
  "an effect becomes unknown in a segment that begins":
    () =>
    async ({ inner }) =>
      await meet(processOn(inner, 1), "unknown", 1),
  "somebody decides about an unknown effect": async ({ inner }) => {
    const before = processOn(inner, 7);
    await meet(before, "unknown", 1);
    await before.seat.close();
    return async ({ living }) => {
      const [effect] = await living.seat.unknown();
      await living.seat.resolve(effect?.effectId ?? "", { status: "failed", note: "it is not there" });
    };
  },
  "what a dead process has left is settled": async ({ inner }) => {
    const dead = processOn(inner, 7);
    dead.store.fault = atFirst("call.settled", { type: "die", written: false });
    void dead.call({ tool: "notes.put" });
    await dead.store.died.promise;
    return async () => await processOn(inner, 1).seat.open();
  },
  "somebody erases a call of a sealed segment": async ({ inner }) => {
    const before = processOn(inner, 7);
    await callOnce(before);
    const callId = (await before.records()).findLast((record) => "callId" in record)?.callId ?? "";
    await before.seat.close();
    return async ({ living }) => await living.seat.erase(callId);
  },
};

describe("no false alarm, whenever meanwhile", () => {
  test.each(Object.entries(doings))("%s", async (_, prepare) => {
    const alarms: (readonly [number, string[]])[] = [];
    let steps = 1;
    for (let at = 0; at < steps; at++) {
      const before = await scene();
      const act = await prepare(before);
      const store = new SteppedStore(before.inner, (step) => (step === at ? act(before) : undefined));
      const verification = await verifyAccount(store, accountId);
      steps = store.steps;
      alarms.push([at, problemsOf(verification)]);
      const later = await verifyAccount(before.inner, accountId);
      expect([at, later.status, problemsOf(later)]).not.toContain("broken");
    }
    expect(steps).toBeGreaterThan(6);
    expect(alarms).toStrictEqual(alarms.map(([at]) => [at, []]));
  });

  test("the account's very first segment begins", async () => {
    const alarms: (readonly [number, string[]])[] = [];
    for (let at = 0; at < 8; at++) {
      const inner = createMemoryStore();
      const store = new SteppedStore(inner, (step) => (step === at ? liveOnce(inner, 1) : undefined));
      alarms.push([at, problemsOf(await verifyAccount(store, accountId))]);
    }
    expect(alarms).toStrictEqual(alarms.map(([at]) => [at, []]));
  });
});

const many = 104;

/** Segments under names in no order, one after the other. */
async function manySegments(): Promise<Store> {
  const inner = createMemoryStore();
  for (let life = 0; life < many; life++) {
    let names = 0;
    const unique = () => hashText(`${life} ${names++}`).slice(7, 39);
    const desk = processOn(inner, 1, { ids: { unique, salt: () => `salt-${life}-${names}` } });
    await desk.call({ tool: "notes.read" });
    await desk.seat.close();
  }
  return inner;
}

function named(inner: Store, name: string): Desk {
  let names = 0;
  const unique = () => `${name}-${String(names++).padStart(4, "0")}`;
  return processOn(inner, 1, { ids: { unique, salt: () => `salt-${name}-${names}` } });
}

/** Two begin behind where the listing is, and one that names them ahead of it. */
async function beginOnBothSides(inner: Store): Promise<void> {
  for (const name of ["00000000-behind", "00000000-behind-too"]) {
    const desk = named(inner, name);
    await desk.call({ tool: "notes.write" });
    await desk.seat.close();
  }
  await named(inner, "zzzzzzzz-ahead").call({ tool: "notes.write" });
}

describe("with more segments than are listed at once,", () => {
  test("one that begins behind the listing is found by the one that names it, and looked at", async () => {
    const inner = await manySegments();
    const pages: string[] = [];
    const store = new SteppedStore(inner, async (_, query) => {
      if (query?.kind !== "segment") return;
      pages.push(query.after ?? "");
      if (pages.length === 2) await beginOnBothSides(inner);
    });
    const verification = await verifyAccount(store, accountId);
    expect(pages).toHaveLength(2);
    expect([verification.status, problemsOf(verification)]).toStrictEqual(["open", []]);
    const [behind = "", behindToo = "", ...rest] = await collected(segmentsOf(inner, accountId));
    const seen = verification.segments.map(({ stream }) => stream);
    expect(seen.toSorted()).toStrictEqual([behind, behindToo, ...rest]);
    expect(seen).toHaveLength(many + 3);

    let isBegun = false;
    const again = new SteppedStore(await manySegments(), async (_, query) => {
      if (isBegun || query?.after === undefined || query.after === "") return;
      isBegun = true;
      await beginOnBothSides(again.inner);
    });
    again.tamper = (rows, { stream }) =>
      stream === behind ? rows.map((row) => (row.seq === 2 ? { ...row, text: "{}" } : row)) : rows;
    expect(problemsOf(await verifyAccount(again, accountId))).toStrictEqual([
      `${behind}: record 2 is not a record`,
    ]);
  });
});
