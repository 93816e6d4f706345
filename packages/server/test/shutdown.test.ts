// An end without loss: what has begun comes to its end and is journaled, nothing new begins, what takes too long is cancelled, and
// what could not be journaled is settled by whoever opens the store next.
import {
  AccountJournals,
  createMemoryStore,
  randomIds,
  registerPacks,
  Seat,
  type Store,
  systemClock,
  type Unit,
  unknownEffects,
  verifyAccount,
} from "@spfunctions/kernel";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { kindsIn } from "../../kernel/test-data/call-store.ts";
import { turn } from "../../kernel/test-data/call-waiting.ts";
import type { LogLine } from "../src/log-line.ts";
import { listen } from "../src/listen/listen.ts";
import { openPlatform } from "../src/open-platform.ts";
import { gatedPack } from "../test-data/gated-pack.ts";
import { answersOn, openSocket } from "../test-data/raw-request.ts";
import { ask, installation, testPlatform } from "../test-data/test-platform.ts";
import { watchedStore } from "../test-data/watched-store.ts";

async function stateOf(store: Store, accountId: string): Promise<string> {
  return (await verifyAccount(store, accountId, [installation.signer.publicKey])).status;
}

const endsCall = (unit: Unit) => kindsIn(unit).includes("call.settled");

describe.each(["socket", "embedded"] as const)("closing (%s)", (way) => {
  test("lets calls end, refuses new ones, ends event streams, and seals every journal", async () => {
    const gated = gatedPack();
    const platform = await testPlatform(way, { packs: [gated.pack] });
    const { store, baseUrl, fetch } = platform;
    const keys = [await platform.key("acct_1"), await platform.key("acct_2")];
    const headers = { authorization: `Bearer ${keys[0]}` };
    const events = await fetch(new Request(`${baseUrl}/api/events`, { headers }));
    const calls = keys.map((key) => ask(platform, "/api/gated/write", { key, body: { text: "x" } }));
    const visits = [await gated.visit(0), await gated.visit(1)];
    const closing = platform.platform.close();
    expect(await events.text()).toMatch(/^id: /);
    for (const key of [keys[0], undefined]) {
      const late = await ask(platform, "/api/gated/write", { key, body: { text: "late" } });
      expect(late).toMatchObject({ status: 503, body: { ok: false, error: { status: 503 } } });
      expect(late.headers.get("retry-after")).toBe("1");
      expect(late.headers.get("x-request-id")).toBe(late.body.meta.requestId);
    }
    for (const { goOn } of visits) goOn();
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200]);
    await closing;
    expect(gated.visits.map(({ text: given }) => given)).toStrictEqual(["x", "x"]);
    expect([await stateOf(store, "acct_1"), await stateOf(store, "acct_2")]).toStrictEqual(["ok", "ok"]);
  });

  test("does not wait for ever: what takes too long is cancelled, journaled, answered and said", async () => {
    const clock = new ManualClock();
    const gated = gatedPack();
    const logged: LogLine[] = [];
    const log = (line: LogLine) => void logged.push(line);
    const platform = await testPlatform(way, { clock, packs: [gated.pack], log, limits: { graceMs: 5000 } });
    const key = await platform.key("acct_1");
    const sent = [
      ask(platform, "/api/gated/write", { key, body: { text: "once" } }),
      ask(platform, "/api/gated/again", { method: "PUT", key, body: { text: "again" } }),
      ask(platform, "/api/gated/read?text=read", { key }),
    ];
    const visits = [await gated.visit(0), await gated.visit(1), await gated.visit(2)];
    const closing = platform.platform.close();
    clock.advance(4999);
    await turn();
    expect(visits.map(({ signal }) => signal.aborted)).toStrictEqual([false, false, false]);
    clock.advance(1);
    const { cut, left } = await closing;
    expect(visits.map(({ signal }) => signal.aborted)).toStrictEqual([true, true, true]);
    const answers = (await Promise.all(sent)).map(
      ({ status, body }) => `${status} ${body.ok ? "ok" : body.error.code} ${body.meta.receipt?.callId}`,
    );
    expect(new Set(answers)).toStrictEqual(new Set(cut.map(({ callId }) => `499 cancelled ${callId}`)));
    expect(answers).toHaveLength(3);
    expect(left).toStrictEqual([]);
    expect(logged).toStrictEqual(
      cut.map((call) => ({
        level: "warn",
        event: "call.cut",
        message: "a call had not ended in time, and was cancelled",
        ...call,
      })),
    );
    expect(new Set(cut.map(({ tool, accountId }) => `${accountId} ${tool}`))).toStrictEqual(
      new Set(["acct_1 gated.again", "acct_1 gated.read", "acct_1 gated.write"]),
    );
    expect(await stateOf(platform.store, "acct_1")).toBe("ok");
    const second = await testPlatform(way, { clock, packs: [gated.pack], store: platform.store });
    expect(second.platform.settled).toStrictEqual([]);
  });

  test("and not for what cannot be journaled either: it is said to be left", async () => {
    const clock = new ManualClock();
    const gated = gatedPack();
    const disk = { ...Promise.withResolvers<void>(), hangs: false };
    const said = Promise.withResolvers<LogLine>();
    const store = watchedStore((unit) => (disk.hangs && endsCall(unit) ? disk.promise : undefined));
    const platform = await testPlatform(way, {
      clock,
      store,
      packs: [gated.pack],
      log: said.resolve,
      limits: { graceMs: 5000, cutMs: 1000 },
    });
    const key = await platform.key("acct_1");
    const sent = ask(platform, "/api/gated/write", { key, body: { text: "once" } });
    const { signal } = await gated.visit(0);
    disk.hangs = true;
    const closing = platform.platform.close();
    const isCut = once(signal, "abort");
    clock.advance(5000);
    await isCut;
    clock.advance(1000);
    expect(await said.promise).toStrictEqual({
      level: "warn",
      event: "call.left",
      message: "a call is left without an end",
      tool: "gated.write",
      accountId: "acct_1",
    });
    disk.resolve();
    expect((await closing).left).toStrictEqual([{ tool: "gated.write", accountId: "acct_1" }]);
    await sent;
  });

  test("what has no end at the end is given one by the next start", async () => {
    const gated = gatedPack();
    const disk = { isBroken: false };
    const store = watchedStore((unit) => {
      if (disk.isBroken && endsCall(unit)) throw new Error("no");
    });
    const first = await testPlatform(way, { store, packs: [gated.pack] });
    const key = await first.key("acct_1");
    const sent = [
      ask(first, "/api/gated/write", { key, body: { text: "once" } }),
      ask(first, "/api/gated/again", { method: "PUT", key, body: { text: "again" } }),
    ];
    const visits = [await gated.visit(0), await gated.visit(1)];
    disk.isBroken = true;
    for (const { goOn } of visits) goOn();
    const late = (await Promise.all(sent)).map(({ body }) => (body.ok ? "ok" : body.error.code));
    expect(late).toStrictEqual(["recovery_needed", "recovery_needed"]);
    await first.platform.close();
    expect(await stateOf(store, "acct_1")).toBe("open");
    disk.isBroken = false;

    const opening = testPlatform(way, { packs: [gated.pack], store });
    (await gated.visit(2)).goOn();
    const second = await opening;
    const outcomes = second.platform.settled.map(({ tool, outcome, by }) => `${tool} ${outcome} ${by}`);
    expect(new Set(outcomes)).toStrictEqual(
      new Set(["gated.again completed retry", "gated.write unknown nobody"]),
    );
    expect(gated.visits.map(({ tool, attempt }) => [tool, attempt]).slice(2)).toStrictEqual([
      ["gated.again", 2],
    ]);
    await second.platform.close();
    expect(await stateOf(store, "acct_1")).toBe("ok");
  });

  test("I1: what a revoked key began is run for nobody: it is unknown, and said", async () => {
    const gated = gatedPack();
    const logged: LogLine[] = [];
    const disk = { isBroken: false };
    const store = watchedStore((unit) => {
      if (disk.isBroken && endsCall(unit)) throw new Error("no");
    });
    const first = await testPlatform(way, { store, packs: [gated.pack] });
    const admin = await first.key("acct_1", { scopes: ["admin"] });
    const key = await first.key("acct_1");
    const sent = ask(first, "/api/gated/again", { method: "PUT", key, body: { text: "x" } });
    const visit = await gated.visit(0);
    const read = await ask(first, "/api/runtime", { key });
    const keyId = read.body.meta.receipt?.principal.keyId;
    const revoked = await ask(first, `/api/keys/${keyId}`, { method: "DELETE", key: admin });
    expect(revoked.status).toBe(200);
    disk.isBroken = true;
    visit.goOn();
    await sent;
    await first.platform.close();
    disk.isBroken = false;
    const second = await testPlatform(way, {
      packs: [gated.pack],
      store,
      log: (line) => void logged.push(line),
    });
    expect(second.platform.settled).toMatchObject([{ tool: "gated.again", outcome: "unknown" }]);
    expect(logged).toMatchObject([
      {
        level: "warn",
        event: "call.unknown",
        message: "nobody knows what became of a call",
        tool: "gated.again",
      },
    ]);
    expect(await unknownEffects(store, "acct_1")).toMatchObject([{ tool: "gated.again" }]);
    expect((await verifyAccount(store, "acct_1")).status).not.toBe("broken");
    expect(gated.visits).toHaveLength(1);
  });
});

test("what somebody without a key began, at a command line, is left to them", async () => {
  const gated = gatedPack();
  const store = createMemoryStore();
  const registry = registerPacks([gated.pack]);
  const { digest: manifestDigest } = registry.manifest;
  const journals = new AccountJournals(
    { store, clock: systemClock, ids: randomIds },
    { manifestDigest, segmentRecords: 100 },
  );
  const seat = new Seat({
    packs: registry,
    store,
    journals,
    installation,
    levels: [{ level: "agent", policy: { maxSideEffect: "user_write" } }],
    principal: { accountId: "acct_1", keyId: "cli", scopes: ["read", "write"], kind: "local" },
    origin: "direct",
    surface: "agent",
  });
  const call = seat.call({ tool: "gated.again", input: { text: "x" } });
  const visit = await gated.visit(0);
  await journals.close();
  const { platform } = await testPlatform("embedded", { store, packs: [gated.pack] });
  expect(platform.settled).toMatchObject([{ tool: "gated.again", outcome: "left", keyId: "cli" }]);
  expect(await unknownEffects(store, "acct_1")).toStrictEqual([]);
  visit.goOn();
  await call.catch(() => undefined);
});

test("a request whose body was still on its way when the end began is told to come again, and runs nothing", async () => {
  const { platform, baseUrl, key, deeds } = await testPlatform("socket");
  const socket = await openSocket(baseUrl);
  const answers = answersOn(socket);
  const head = `Host: localhost\r\nConnection: close\r\nAuthorization: Bearer ${await key("acct_1")}\r\n`;
  socket.write(
    `POST /api/notes HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{`,
  );
  await new Promise((resolve) => {
    socket.once("data", resolve);
  });
  await platform.close();
  socket.write("}");
  const last = (await answers).at(-1);
  expect([last?.status, JSON.parse(last?.body ?? "")]).toMatchObject([
    503,
    { ok: false, error: { status: 503 } },
  ]);
  expect(deeds).toStrictEqual([]);
});

describe("the bookkeeping of keys", () => {
  test("that is under way at the end is the last of it", async () => {
    const clock = new ManualClock();
    const state: { gate: Promise<void> | undefined } = { gate: undefined };
    const platform = await testPlatform("embedded", { clock, store: watchedStore(() => state.gate) });
    const key = await platform.key("acct_1");
    await ask(platform, "/api/agent/world", { key });
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    clock.advance(60_000);
    const closing = platform.platform.close();
    resolve();
    await closing;
    await turn();
    expect(clock.waiting).toBe(0);
  });

  test("that fails keeps no journal from being sealed", async () => {
    const failing = { next: false };
    const store = watchedStore(() => {
      if (!failing.next) return;
      failing.next = false;
      throw new Error("no");
    });
    const platform = await openPlatform({ store, installation });
    const { secret } = await platform.createKey("acct_1", { scopes: ["read"] });
    const place = { baseUrl: "http://localhost", fetch: (request: Request) => platform.fetch(request) };
    expect(await ask(place, "/api/runtime", { key: secret })).toMatchObject({ status: 200 });
    failing.next = true;
    await platform.close().catch(() => undefined);
    expect(failing.next).toBe(false);
    expect(await stateOf(store, "acct_1")).toBe("ok");
  });
});

describe("a client that goes away", () => {
  test("during a read ends the read; during a write, the write goes on and is journaled", async () => {
    const gated = gatedPack();
    const platform = await testPlatform("socket", { packs: [gated.pack] });
    const { store, baseUrl } = platform;
    const key = await platform.key("acct_1");
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const [writer, reader] = [new AbortController(), new AbortController()];
    const body = JSON.stringify({ text: "w" });
    const writing = fetch(`${baseUrl}/api/gated/write`, {
      method: "POST",
      headers,
      body,
      signal: writer.signal,
    });
    const write = await gated.visit(0);
    const reading = fetch(`${baseUrl}/api/gated/read?text=r`, { headers, signal: reader.signal });
    const read = await gated.visit(1);
    const ended = once(read.signal, "abort");
    writer.abort();
    await expect(writing).rejects.toThrow("aborted");
    reader.abort();
    await expect(reading).rejects.toThrow("aborted");
    // The one that went later was seen to go, so the other was, too.
    await ended;
    await turn();
    expect(write.signal.aborted).toBe(false);
    write.goOn();
    await platform.platform.close();
    expect(await stateOf(store, "acct_1")).toBe("ok");
  });
});

test("a socket that is closed answers what it was asked, and takes nothing more", async () => {
  const gated = gatedPack();
  const { platform, key } = await testPlatform("embedded", { packs: [gated.pack] });
  const { url, close } = await listen(platform, { port: 0 });
  const headers = { authorization: `Bearer ${await key("acct_1")}` };
  const idle = await openSocket(url);
  const gone = answersOn(idle);
  const call = fetch(`${url}/api/gated/read?text=x`, { headers });
  const visit = await gated.visit(0);
  const closing = close();
  await expect(fetch(`${url}/api/health`)).rejects.toThrow("fetch failed");
  visit.goOn();
  expect((await call).status).toBe(200);
  await Promise.all([closing, gone]);
});
