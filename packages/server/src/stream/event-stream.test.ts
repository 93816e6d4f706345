import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentEvent, InvalidInputError } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import {
  type Clock,
  createMemoryStore,
  defineTool,
  endOfEvents,
  findRun,
  registerPacks,
  Seat,
  startOfEvents,
  type Store,
  type StreamRange,
} from "@spfunctions/kernel";
import { afterAll, describe, expect, test } from "vitest";
import { eventStream, type EventStreamTerms } from "./event-stream.ts";
import { Wakes } from "./wakes.ts";

const folder = mkdtempSync(join(tmpdir(), "sf-events-"));
const opened: Store[] = [];
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
  rmSync(folder, { recursive: true, force: true });
});

const open = async () => createMemoryStore();
const stores: [string, () => Promise<Store>][] = [
  ["memory", open],
  ["sqlite", () => openSqliteStore({ folder: join(folder, `${opened.length}`) })],
];

/** Calls that wait are let go by hand. */
const held = new Map<string, PromiseWithResolvers<void>>();
const registry = registerPacks([
  [
    defineTool({
      name: "notes.write",
      description: "Writes a note.",
      input: { type: "object" },
      output: {},
      permissions: ["notes"],
      sideEffect: "user_write",
      costEffect: "none",
      run: async (input) => {
        await held.get((input as { note: string }).note)?.promise;
        return input;
      },
    }),
  ],
]);

/** A clock that stands still until it is moved. */
class HandClock implements Clock {
  #time = 0;
  readonly #timers = new Set<{ at: number; act: () => void }>();
  readonly now = () => Date.UTC(2026, 0, 1) + this.#time;
  readonly elapsed = () => this.#time;
  readonly after = (ms: number, act: () => void) => {
    const timer = { at: this.#time + ms, act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  get waiting(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    this.#time += ms;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#time)) {
      this.#timers.delete(timer);
      timer.act();
    }
  }
}

type Message = { readonly id: string; readonly event: string; readonly data: AgentEvent };

/** A platform in small: seats that wake whoever listens once something is written. */
async function openHouse(openStore: () => Promise<Store>, accountId = "acct_1", into?: Store) {
  const store = into ?? (await openStore());
  if (into === undefined) opened.push(store);
  const clock = new HandClock();
  const wakes = new Wakes();
  const seats = ["key_1", "key_2"].map(
    (keyId) =>
      new Seat({
        packs: registry,
        store,
        levels: [{ level: "server", policy: { maxSideEffect: "user_write" } }],
        principal: { accountId, keyId, scopes: ["write"], kind: "key" },
        origin: "direct",
        surface: "plain",
        limits: { segmentRecords: 7 },
      }),
  );
  const shown: AgentEvent[] = [];
  const call = async (note: string, seat = 0) => {
    const input = { note };
    const outcome = await seats[seat]?.call({ tool: "notes.write", input }, (event) => shown.push(event));
    wakes.wake(accountId);
    return outcome;
  };
  const controller = new AbortController();
  const stream = (terms: Partial<EventStreamTerms> = {}) =>
    eventStream({
      store,
      accountId,
      cursor: startOfEvents,
      wakes,
      clock,
      heartbeatMs: 15_000,
      signal: controller.signal,
      ...terms,
    });
  return { store, clock, wakes, seats, shown, call, stream, controller };
}

/** Reads a stream as a client does, a chunk at a time. */
class Client {
  readonly messages: Message[] = [];
  readonly comments: string[] = [];
  readonly starts: string[] = [];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();

  constructor({ body }: Response) {
    this.#reader = (body as ReadableStream<Uint8Array>).getReader();
  }

  /** Whether there was more. */
  async read(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    const text = this.#decoder.decode(value);
    if (/^id: .+\n\n$/.test(text)) {
      this.starts.push(text.slice(4, -2));
      return await this.read();
    }
    for (const block of text.split("\n\n").slice(0, -1)) this.#take(block);
    return true;
  }

  async readUntil(count: number): Promise<void> {
    while (this.messages.length < count && (await this.read()));
  }

  async readAll(): Promise<AgentEvent[]> {
    await this.readUntil(Number.POSITIVE_INFINITY);
    return this.events;
  }

  async leave(): Promise<void> {
    await this.#reader.cancel();
  }

  get events(): AgentEvent[] {
    return this.messages.map(({ data }) => data);
  }

  #take(block: string): void {
    if (block.startsWith(":")) return void this.comments.push(block);
    const [, id = "", event = "", data = ""] = /^id: (.+)\nevent: (.+)\ndata: (.+)$/.exec(block) ?? [];
    this.messages.push({ id, event, data: JSON.parse(data) as AgentEvent });
  }
}

function placeOf(event: AgentEvent): string {
  return `${event.runId} ${"seq" in event ? event.seq * 100 + event.index : ""}`;
}

function byPlace(events: readonly AgentEvent[]): AgentEvent[] {
  return events.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

async function turn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; turns < 2000 && !holds(); turns++) await turn();
  expect(holds()).toBe(true);
}

describe.each(stores)("over %s,", (_name, openStore) => {
  test("everything that was written and is written comes once, each with its type and the cursor after it", async () => {
    const { call, stream, shown, controller } = await openHouse(openStore);
    for (let n = 0; n < 4; n++) {
      await call(`before ${n}`, n % 2);
    }
    const response = await stream({ pageEvents: 5 });
    expect([response.status, Object.fromEntries(response.headers)]).toStrictEqual([
      200,
      { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
    ]);
    const client = new Client(response);
    const reading = client.readUntil(shown.length + 24);
    await Promise.all([call("a", 0), call("b", 1), call("c", 0), call("d", 1)]);
    await reading;
    expect(byPlace(client.events)).toStrictEqual(byPlace(shown));
    for (const { event, data } of client.messages) expect(event).toBe(data.type);
    controller.abort();
    expect(await client.read()).toBe(false);
  });

  test("whoever comes again with the last id goes on exactly after it, wherever that was", async () => {
    const { call, stream, shown, controller } = await openHouse(openStore);
    for (let n = 0; n < 5; n++) {
      await call(`note ${n}`, n % 2);
    }
    const first = new Client(await stream({ pageEvents: 4 }));
    await first.readUntil(shown.length);
    for (const [at, { id }] of first.messages.slice(0, -1).entries()) {
      const again = new Client(await stream({ cursor: id, pageEvents: 3 }));
      await again.readUntil(shown.length - at - 1);
      expect(byPlace(again.events)).toStrictEqual(byPlace(first.events.slice(at + 1)));
    }
    controller.abort();
  });

  test("a run's stream has that run alone and ends after its last event; come again, there is nothing", async () => {
    const { store, call, stream, shown, wakes } = await openHouse(openStore);
    held.set("slow", Promise.withResolvers());
    const slow = call("slow");
    await until(() => shown.length === 4);
    const runId = shown[0]?.runId as string;
    await call("other", 1);
    const cursor = (await findRun(store, "acct_1", runId, { segments: 5 })) as string;
    const client = new Client(await stream({ runId, cursor }));
    await client.read();
    const reading = client.readAll();
    await call("another", 1);
    held.get("slow")?.resolve();
    await slow;
    const own = shown.filter((event) => event.runId === runId);
    expect(await reading).toStrictEqual(own);
    expect(own.at(-1)?.type).toBe("run.completed");
    expect(wakes.accounts).toBe(0);
    for (const [at, { id }] of client.messages.entries()) {
      const again = await stream({ runId, cursor: id, headers: { "x-request-id": "req_1" } });
      const rest = own.slice(at + 1);
      expect(again.status).toBe(rest.length === 0 ? 204 : 200);
      expect(again.headers.get("x-request-id")).toBe("req_1");
      expect(again.body === null ? [] : await new Client(again).readAll()).toStrictEqual(rest);
    }
    expect(wakes.accounts).toBe(0);
  });

  test("a key's stream has what that key did", async () => {
    const { call, stream, shown, controller } = await openHouse(openStore);
    await call("mine", 0);
    const mine = [...shown];
    await call("theirs", 1);
    const client = new Client(await stream({ keyId: "key_1" }));
    await client.readUntil(mine.length);
    expect(client.events).toStrictEqual(mine);
    controller.abort();
    expect(await client.readAll()).toStrictEqual(mine);
  });

  test("another account's cursor is refused before anything is answered (I1)", async () => {
    const theirs = await openHouse(openStore, "acct_2");
    const mine = await openHouse(openStore, "acct_1", theirs.store);
    await theirs.call("theirs");
    const cursor = await endOfEvents(theirs.store, "acct_2");
    await mine.call("mine");
    await expect(mine.stream({ cursor })).rejects.toBeInstanceOf(InvalidInputError);
    await expect(mine.stream({ cursor: "seg_nobody-has-it:1.0" })).rejects.toBeInstanceOf(InvalidInputError);
    expect(mine.wakes.accounts).toBe(0);
  });
});

test("says first where it begins, so that whoever is cut off before the first event misses none", async () => {
  const { stream, call, store, controller } = await openHouse(open);
  await call("before");
  const now = await endOfEvents(store, "acct_1");
  const client = new Client(await stream({ cursor: now }));
  const reading = client.read();
  await until(() => client.starts.length === 1);
  expect(client.starts).toStrictEqual([now]);
  controller.abort();
  await reading;
});

describe("when nothing happens", () => {
  test("a heartbeat comes when it is due, and what others wrote without waking anybody within 425 ms", async () => {
    const { clock, seats, stream, shown, controller } = await openHouse(open);
    const client = new Client(await stream());
    const first = client.read();
    await until(() => clock.waiting === 2);
    clock.advance(14_999);
    await turn();
    expect(client.comments).toStrictEqual([]);
    clock.advance(1);
    await first;
    expect(client.comments).toStrictEqual([expect.stringMatching(/^: still here\nid: start$/)]);
    const second = client.readUntil(6);
    await until(() => clock.waiting === 2);
    await seats[0]?.call({ tool: "notes.write", input: { note: "quiet" } }, (event) => shown.push(event));
    clock.advance(425);
    await second;
    expect(client.events).toStrictEqual(shown);
    controller.abort();
  });

  test("heartbeats come for a run that is silent while the account is busy", async () => {
    const { clock, call, stream, store, shown, controller } = await openHouse(open);
    held.set("silent", Promise.withResolvers());
    const silent = call("silent");
    await until(() => shown.length === 4);
    const runId = shown[0]?.runId as string;
    const client = new Client(await stream({ runId, cursor: await endOfEvents(store, "acct_1") }));
    const reading = client.read();
    for (let n = 0; n < 16; n++) {
      await call(`busy ${n}`, 1);
      clock.advance(1000);
    }
    await reading;
    expect([client.comments, client.messages]).toStrictEqual([
      [expect.stringMatching(/^: still here\nid: /)],
      [],
    ]);
    controller.abort();
    held.get("silent")?.resolve();
    await silent;
  });

  test("whoever may not listen any more is told nothing further, though there is always something to tell", async () => {
    const { clock, call, stream, wakes } = await openHouse(open);
    let isOver = false;
    const client = new Client(await stream({ isOver: async () => isOver }));
    await call("one");
    await client.readUntil(6);
    isOver = true;
    clock.advance(15_000);
    await call("two");
    expect(await client.read()).toBe(false);
    expect(client.messages).toHaveLength(6);
    expect(wakes.accounts).toBe(0);
  });
});

describe("whoever", () => {
  test("reads slowly is not read ahead for: a page at a time, when it is asked for", async () => {
    const { store, call, stream, shown, controller } = await openHouse(open);
    for (let n = 0; n < 60; n++) {
      await call(`note ${n}`);
    }
    const ranges: StreamRange[] = [];
    const watched = watching(store, ranges);
    const client = new Client(await stream({ store: watched, pageEvents: 10 }));
    const seen: [number, boolean][] = [];
    for (let n = 1; n <= 4; n++) {
      await client.read();
      const before = ranges.length;
      for (let turns = 0; turns < 20; turns++) await turn();
      seen.push([client.messages.length, ranges.length === before]);
    }
    expect(seen).toStrictEqual([
      [10, true],
      [20, true],
      [30, true],
      [40, true],
    ]);
    await client.readUntil(shown.length);
    expect(client.events).toStrictEqual(shown);
    controller.abort();
  });

  test("leaves, in the middle of waiting or reading, leaves nothing behind", async () => {
    const { clock, call, stream, wakes } = await openHouse(open);
    await call("one");
    let ended = 0;
    const client = new Client(await stream({ ended: () => void ended++ }));
    await client.readUntil(6);
    const reading = client.read();
    await until(() => clock.waiting === 2);
    await client.leave();
    expect([await reading, ended]).toStrictEqual([false, 1]);
    await until(() => clock.waiting === 0);
    expect(wakes.accounts).toBe(0);
    // Never read at all.
    const unread = await stream({ ended: () => void ended++ });
    await unread.body?.cancel();
    expect([wakes.accounts, ended]).toStrictEqual([0, 2]);
  });

  test.each(["before it is read", "while it waits", "between chunks"])(
    "closes everything ends a stream %s",
    async (when) => {
      const { clock, call, stream, wakes, controller } = await openHouse(open);
      await call("one");
      let ended = 0;
      const client = new Client(await stream({ pageEvents: 2, ended: () => void ended++ }));
      if (when !== "before it is read") await client.read();
      const waiting = when === "while it waits" ? client.readAll() : undefined;
      if (waiting !== undefined) await until(() => clock.waiting === 2);
      controller.abort();
      await waiting;
      expect(await client.read()).toBe(false);
      expect([wakes.accounts, ended]).toStrictEqual([0, 1]);
      await until(() => clock.waiting === 0);
    },
  );

  test("comes when everything is closed already gets an end", async () => {
    const { call, stream, wakes } = await openHouse(open);
    await call("one");
    const client = new Client(await stream({ signal: AbortSignal.abort() }));
    expect(await client.readAll()).toStrictEqual([]);
    expect(wakes.accounts).toBe(0);
  });

  test("reads when the store fails is cut off, not told that it is over", async () => {
    const { store, call, stream, wakes } = await openHouse(open);
    await call("one");
    let isDown = false;
    const failing = watching(store, [], () => {
      if (isDown) throw new Error("the disk does not answer");
    });
    let ended = 0;
    const client = new Client(await stream({ store: failing, pageEvents: 2, ended: () => void ended++ }));
    await client.read();
    isDown = true;
    await expect(client.read()).rejects.toThrow("the disk does not answer");
    expect([wakes.accounts, ended]).toStrictEqual([0, 1]);
  });
});

/** A store whose reads are seen. */
function watching(store: Store, ranges: StreamRange[], before: () => void = () => {}): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member = target[name as keyof Store] as (...given: unknown[]) => unknown;
      if (name !== "readStream") return member.bind(target);
      return async (range: StreamRange) => {
        before();
        ranges.push(range);
        return await target.readStream(range);
      };
    },
  });
}
