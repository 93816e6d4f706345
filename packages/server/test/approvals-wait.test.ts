// Waiting for a person over HTTP: a request is held open for a while, by one listener to the store for all of them, and answered
// when somebody has decided.
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { approvalIn, askingAccount, dataIn, errorIn } from "../test-data/asking-account.ts";
import { ask, generous, testPlatform } from "../test-data/test-platform.ts";

/** A store that says how many listen to it, and how often a document was read. */
function countedStore() {
  const store = createMemoryStore();
  const counts = { listening: 0, reads: 0 };
  let isOpen = false;
  const listen: Store["listen"] = (hear) => {
    // The first is the platform's own, for what others leave in its inbox.
    if (!isOpen) {
      isOpen = true;
      return store.listen(hear);
    }
    counts.listening += 1;
    const stop = store.listen(hear);
    return () => {
      counts.listening -= 1;
      stop();
    };
  };
  const document: Store["document"] = async (key) => {
    if (key.kind === "approval") counts.reads += 1;
    return await store.document(key);
  };
  const counted = new Proxy(store, {
    get: (target, name) => {
      if (name === "listen") return listen;
      if (name === "document") return document;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { store: counted, counts };
}

/** Until something has come about that nobody tells of. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(1);
}

describe.each(["socket", "embedded"] as const)("a request that waits (%s)", (way) => {
  test("is answered when somebody decides, and not before", async () => {
    const { store, counts } = countedStore();
    const { agent, operator, asked, answer, request } = await askingAccount(way, { store });
    const { approvalId } = await asked();
    let isAnswered = false;
    const waiting = request(`/api/approvals/${approvalId}?waitMs=25000`, { key: agent }).finally(() => {
      isAnswered = true;
    });
    await until(() => counts.listening === 1);
    await request("/api/approvals", { key: operator });
    expect(isAnswered).toBe(false);
    const before = counts.reads;
    await answer(approvalId, operator, { answer: "denied", note: "no" });
    expect(dataIn((await waiting).body)).toMatchObject({ status: "denied", note: "no" });
    // Twice by whoever answered, once by whoever waited: nobody asks again and again.
    expect(counts.reads - before).toBeLessThanOrEqual(4);
    expect(counts.listening).toBe(0);
  });

  test("is answered with how things stand when its time is over", async () => {
    const { agent, asked, request } = await askingAccount(way);
    const { approvalId } = await asked();
    const { body } = await request(`/api/approvals/${approvalId}?waitMs=20`, { key: agent });
    expect(dataIn(body).status).toBe("pending");
  });

  test("ends with whoever asked", async () => {
    const { store, counts } = countedStore();
    const { platform, agent, asked } = await askingAccount(way, { store });
    const { approvalId } = await asked();
    const gone = new AbortController();
    const url = `${platform.baseUrl}/api/approvals/${approvalId}?waitMs=25000`;
    const headers = { authorization: `Bearer ${agent}` };
    const waiting = platform.fetch(new Request(url, { headers, signal: gone.signal })).catch(() => undefined);
    await until(() => counts.listening === 1);
    gone.abort();
    await until(() => counts.listening === 0);
    await waiting;
    expect(counts.listening).toBe(0);
  });

  test("ends when the platform closes, with how things stand", async () => {
    const { store, counts } = countedStore();
    const { platform, agent, asked, request } = await askingAccount(way, { store });
    const { approvalId } = await asked();
    const waiting = request(`/api/approvals/${approvalId}?waitMs=25000`, { key: agent });
    await until(() => counts.listening === 1);
    await platform.platform.close();
    expect(dataIn((await waiting).body).status).toBe("pending");
    expect(counts.listening).toBe(0);
  });

  test("is told nothing once its key has ended", async () => {
    const { store, counts } = countedStore();
    const { platform, operator, answer, request } = await askingAccount(way, { store });
    const doomed = await platform.platform.createKey("acct_1", {
      scopes: ["write"],
      approvals: { requireForSideEffectAtOrAbove: "user_write" },
    });
    const { body } = await request("/api/notes", { key: doomed.secret, body: { text: "milk" } });
    const approvalId = approvalIn(body);
    const waiting = request(`/api/approvals/${approvalId}?waitMs=25000`, { key: doomed.secret });
    await until(() => counts.listening === 1);
    await request(`/api/keys/${doomed.key.keyId}`, { key: operator, method: "DELETE" });
    await answer(approvalId, operator, { answer: "approved" });
    const { status, body: told } = await waiting;
    expect([status, errorIn(told).code]).toStrictEqual([401, "invalid_api_key"]);
  });

  test.each(["25001", "-1", "1e3", "1.5", "", "99999999999999999999", "Infinity", "0x10", "1&waitMs=2"])(
    "for %s ms is refused, and holds nothing",
    async (waitMs) => {
      const { agent, asked, request } = await askingAccount(way);
      const { approvalId } = await asked();
      const { status, body } = await request(`/api/approvals/${approvalId}?waitMs=${waitMs}`, { key: agent });
      expect([status, errorIn(body).code]).toStrictEqual([400, "invalid_input"]);
    },
  );
});

test("a thousand wait with one listener, and all are told", async () => {
  const { store, counts } = countedStore();
  const { agent, operator, asked, answer, request } = await askingAccount("embedded", { store });
  const { approvalId } = await asked();
  const path = `/api/approvals/${approvalId}?waitMs=25000`;
  const waiting = Array.from({ length: 1000 }, () => request(path, { key: agent }));
  await until(() => counts.reads >= 2000);
  expect(counts.listening).toBe(1);
  const oneMore = await request(path, { key: agent });
  expect([oneMore.status, errorIn(oneMore.body).details?.["reason"]]).toStrictEqual([429, "waits"]);
  expect((await request(`/api/approvals/${approvalId}`, { key: agent })).status).toBe(200);
  await answer(approvalId, operator, { answer: "approved" });
  const told = await Promise.all(waiting);
  expect(new Set(told.map(({ body }) => dataIn(body).status))).toStrictEqual(new Set(["approved"]));
  expect(counts.listening).toBe(0);
  // Whoever has gone counts no more.
  expect((await request(path, { key: agent })).status).toBe(200);
});

test("whoever waits at one platform hears of an answer that was given at another on the same store", async () => {
  const { store, counts } = countedStore();
  const first = await askingAccount("embedded", { store });
  const second = await testPlatform("embedded", { store });
  const { approvalId } = await first.asked();
  const waiting = first.request(`/api/approvals/${approvalId}?waitMs=25000`, { key: first.agent });
  await until(() => counts.listening === 2);
  const path = `/api/approvals/${approvalId}/answer`;
  await ask(second, path, { key: first.operator, body: { answer: "approved" } });
  expect(dataIn((await waiting).body).status).toBe("approved");
});

test("whoever waits for a while waits no longer for a clock that was set back meanwhile", async () => {
  const clock = new ManualClock(Date.now());
  const { store, counts } = countedStore();
  const { agent, request, asked } = await askingAccount("embedded", { clock, store, limits: generous });
  const { approvalId } = await asked();
  const waiting = request(`/api/approvals/${approvalId}?waitMs=5000`, { key: agent });
  await until(() => counts.listening === 1 && clock.waits.includes(5000));
  const before = counts.reads;
  clock.jump(-3_600_000);
  // Somebody else has written it again as it is: it is looked at again.
  const [accountId = ""] = await store.accountsWith("approval", "pending");
  const kept = await store.document({ kind: "approval", accountId, id: approvalId });
  if (kept === undefined) throw new Error("there is no such approval");
  const again = { ...kept, type: "put", expects: kept.revision } as const;
  await store.commit({ durability: "process", now: clock.now(), documents: [again], wakes: ["approval"] });
  await until(() => counts.reads > before);
  clock.advance(5000);
  expect(dataIn((await waiting).body).status).toBe("pending");
});

test("whoever waits beyond the time of an approval is told that it is over", async () => {
  const clock = new ManualClock(Date.now());
  const { store, counts } = countedStore();
  const { platform, agent, request, asked } = await askingAccount("embedded", {
    clock,
    store,
    limits: { ...generous, calls: { approvalMs: 5000 } },
  });
  const { approvalId } = await asked();
  const waiting = request(`/api/approvals/${approvalId}?waitMs=25000`, { key: agent });
  await until(() => counts.listening === 1);
  clock.advance(5000);
  expect(dataIn((await waiting).body).status).toBe("expired");
  expect(platform.deeds).toStrictEqual([]);
});
