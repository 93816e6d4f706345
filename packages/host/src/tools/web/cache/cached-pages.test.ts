// S1, I1: what is kept is one account's, has no secrets in it, and is given only to who may reach where it came from.
import {
  createMemoryStore,
  newInstallationSecret,
  openInstallation,
  processInstallation,
  provenRow,
  type Store,
  type StoredDocument,
} from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { failureOf, getPage, type GetTerms } from "../../../../test/get-page.ts";
import { webContext, webServer } from "../../../../test/web-server.ts";
import type { Page } from "../page.ts";
import type { WebTrouble } from "../page-getter.ts";
import { PageCache } from "./page-cache.ts";

const hour = 3_600_000;
const start = Date.parse("2026-01-01T00:00:00Z");

/** A server that counts its answers, a store, and a clock that stands until it is set. */
async function desk(header: Record<string, string> = {}, status = 200) {
  let count = 0;
  const server = await webServer(({ url }, response) => {
    if (url === "/moved") {
      response.writeHead(302, { location: `http://b.local:${server.port}/there` }).end();
    } else {
      count += 1;
      response.writeHead(status, { "content-type": "text/plain", ...header }).end(`answer ${count} ${url}`);
    }
  });
  const time = { now: start };
  const store = createMemoryStore();
  const clock = { now: () => time.now, after: () => () => {} };
  const base = `http://a.local:${server.port}`;
  const told: WebTrouble[] = [];
  const onTrouble = (trouble: WebTrouble) => void told.push(trouble);
  const get = (path: string, terms: GetTerms = {}) =>
    getPage(base + path, { store, clock, onTrouble, ...terms });
  return { base, get, server, store, time, told, count: () => count };
}

async function keptIn(store: Store, accountId = "acct_one"): Promise<StoredDocument[]> {
  return await store.documents({ kind: "http_cache", accountId, limit: 1000 });
}

async function replace(store: Store, document: StoredDocument, body: string): Promise<void> {
  const { revision, ...rest } = document;
  const documents = [{ ...rest, type: "put", expects: revision, body } as const];
  await store.commit({ durability: "process", now: start, documents });
}

describe("a page that was fetched", () => {
  // proves LIVE-4.28, LIVE-4.29, LIVE-4.43
  test("is given again while it is fresh, and says since when and until when", async () => {
    const { get, time, count } = await desk();
    const first = await get("/p");
    const cache = { fetchedAt: "2026-01-01T00:00:00.000Z", expiresAt: "2026-01-01T01:00:00.000Z" };
    expect(first.cache).toStrictEqual({ hit: false, ...cache });
    time.now += hour - 1;
    expect(await get("/p")).toStrictEqual({ ...first, cache: { hit: true, ...cache } });
    time.now += 1;
    expect(await get("/p")).toMatchObject({ text: "answer 2 /p", cache: { hit: false } });
    expect(count()).toBe(2);
  });

  // proves LIVE-4.16
  test("is fetched anew for whoever asks for that, and the new one is kept", async () => {
    const { get } = await desk();
    await get("/p");
    expect(await get("/p", { useCache: false })).toMatchObject({
      text: "answer 2 /p",
      cache: { hit: false },
    });
    expect(await get("/p")).toMatchObject({ text: "answer 2 /p", cache: { hit: true } });
  });

  test("is another one for another address, and the same one with another fragment", async () => {
    const { get } = await desk();
    await get("/p");
    expect(await get("/p?")).toMatchObject({ cache: { hit: false } });
    expect(await get("/p#part")).toMatchObject({ text: "answer 1 /p", cache: { hit: true } });
  });

  test("is its account's alone", async () => {
    const { get, store } = await desk();
    await get("/p");
    const other = await get("/p", { context: webContext({}, "acct_two") });
    expect(other).toMatchObject({ text: "answer 2 /p", cache: { hit: false } });
    expect(await keptIn(store, "acct_two")).toHaveLength(1);
  });

  test.each([
    ["says no-store", { "cache-control": "private, No-Store" }, 200],
    ["is an error", {}, 404],
    ["is empty of meaning", {}, 500],
  ])("is not kept where it %s", async (_, header, status) => {
    const { get, store } = await desk(header, status);
    expect((await get("/p")).cache).toStrictEqual({ hit: false, fetchedAt: expect.any(String) });
    expect(await get("/p")).toMatchObject({ text: "answer 2 /p", cache: { hit: false } });
    expect(await keptIn(store)).toStrictEqual([]);
  });

  test("is forgotten where the next one must not be kept", async () => {
    const header: Record<string, string> = {};
    const { get, store } = await desk(header);
    await get("/p");
    header["cache-control"] = "no-store";
    await get("/p", { useCache: false });
    expect(await keptIn(store)).toStrictEqual([]);
  });

  test("is not kept where nothing is to be, and not where it is too large", async () => {
    const { get, store } = await desk();
    await get("/p", { limits: { cacheTtlS: 0 } });
    expect(await keptIn(store)).toStrictEqual([]);
    const large = await webServer((_, response) => void response.end("é".repeat(200_000)));
    const url = `http://a.local:${large.port}/`;
    const page = await getPage(url, { store, limits: { textChars: 1_000_000 } });
    expect([page.bytes, page.cache.expiresAt, await keptIn(store)]).toStrictEqual([400_000, undefined, []]);
  });

  test("is kept without secrets, and not at all where its address holds one", async () => {
    const secret = `sk-proj-${"a1B2c3D4e5F6g7H8".repeat(3)}`;
    const server = await webServer((_, response) => void response.end(`your key is ${secret}`));
    const store = createMemoryStore();
    const base = `http://a.local:${server.port}`;
    expect((await getPage(`${base}/p`, { store })).text).toContain(secret);
    const [kept] = await keptIn(store);
    expect(kept?.body).not.toContain(secret);
    expect((await getPage(`${base}/p`, { store })).text).toMatch(/^your key is \[redacted/);
    await getPage(`${base}/q?key=${secret}`, { store });
    expect(JSON.stringify(await keptIn(store))).not.toContain(secret);
    expect(await keptIn(store)).toHaveLength(1);
  });

  // proves LIVE-4.45
  test("takes one of 512 places, whoever stood there", async () => {
    const store = createMemoryStore();
    const cache = new PageCache({
      store,
      clock: { now: () => start },
      ttlS: 60,
      proves: processInstallation().keyHash,
    });
    const pageOf = (url: string): Page => ({
      status: 200,
      kind: "text",
      bytes: 1,
      truncated: false,
      fetchedAt: start,
      hops: [{ url, isLocal: false }],
    });
    const urls = Array.from({ length: 5000 }, (_, at) => `https://a.example/${at}`);
    for (const url of urls) expect(await cache.keep("acct_one", pageOf(url), true)).toBe(true);
    expect(await keptIn(store)).toHaveLength(512);
    const found = await Promise.all(
      urls.map(async (url) => [url, await cache.read("acct_one", url)] as const),
    );
    const kept = found.filter(([, page]) => page !== undefined);
    expect(kept).toHaveLength(512);
    for (const [url, page] of kept) expect(page).toStrictEqual(pageOf(url));
  });

  test("is fetched by two at once, and both have it", async () => {
    const { get } = await desk();
    const pages = await Promise.all([get("/p"), get("/p"), get("/p")]);
    expect(pages.map(({ status }) => status)).toStrictEqual([200, 200, 200]);
    expect(await get("/p")).toMatchObject({ cache: { hit: true } });
  });
});

describe("B29: what is kept is given only where every hop may be reached", () => {
  test("each is asked for, and none of them on the network", async () => {
    const { get, base, server } = await desk();
    await get("/moved");
    const [context, before] = [webContext(), server.asked.length];
    expect(await get("/moved", { context })).toMatchObject({
      cache: { hit: true },
      redirects: [`${base}/moved`],
    });
    expect(context.authorized).toStrictEqual([`${base}/moved`, `http://b.local:${server.port}/there`]);
    expect(server.asked).toHaveLength(before);
  });

  test.each(["a.local", "b.local"])("not where %s may no longer be", async (revoked) => {
    const { get, count } = await desk();
    await get("/moved");
    const context = webContext({ isGranted: (host) => host !== revoked });
    expect(await failureOf(get("/moved", { context }))).toBe("capability_denied");
    expect(count()).toBe(1);
  });

  test("not where a host that was opened in the configuration is no more", async () => {
    const { get, server, count } = await desk();
    await get("/p");
    const law = webContext();
    const authorize = async (url: string) => ({ ...(await law.authorize(url)), isLocal: false });
    expect(await failureOf(get("/p", { context: { ...law, authorize } }))).toBe(
      "capability_denied address_not_public",
    );
    expect([count(), server.connections()]).toStrictEqual([1, 1]);
  });
});

describe("a clock that jumps", () => {
  test.each([
    ["back, before the page was fetched", -1],
    ["back by years", -1e11],
    ["on, by years", 1e11],
  ])("%s: nothing is fresh", async (_, jump) => {
    const { get, time } = await desk();
    await get("/p");
    time.now += jump;
    expect(await get("/p")).toMatchObject({ text: "answer 2 /p", cache: { hit: false } });
  });
});

describe("a document that is not a page is none", () => {
  test.each<[string, (page: Record<string, unknown>) => unknown]>([
    ["no JSON", () => "{"],
    ["nothing", () => ""],
    ["null", () => null],
    ["a list", () => []],
    ["of another version", (page) => ({ v: 2, page })],
    ["without hops", (page) => ({ v: 1, page: { ...page, hops: [] } })],
    ["with hops that are none", (page) => ({ v: 1, page: { ...page, hops: [null] } })],
    [
      "of another address",
      (page) => ({ v: 1, page: { ...page, hops: [{ url: "http://b.local/", isLocal: true }] } }),
    ],
    [
      "with more hops than are followed",
      (page) => ({ v: 1, page: { ...page, hops: Array(99).fill((page["hops"] as unknown[])[0]) } }),
    ],
    ["with a text that is none", (page) => ({ v: 1, page: { ...page, text: { toString: "x" } } })],
    [
      "with half a character",
      (page) => JSON.stringify({ value: { v: 1, page: { ...page, text: "\ud800" } }, proof: "" }),
    ],
    ["with a kind that is none", (page) => ({ v: 1, page: { ...page, kind: "program" } })],
    ["with a status that is not kept", (page) => ({ v: 1, page: { ...page, status: 404 } })],
    ["with a time that is none", (page) => ({ v: 1, page: { ...page, fetchedAt: "now" } })],
    ["from the future", (page) => ({ v: 1, page: { ...page, fetchedAt: start + 1 } })],
    ["with more members", (page) => ({ v: 1, page: { ...page, instructions: "x" } })],
    [
      "with a member of every object",
      (page) => `{"v":1,"page":${JSON.stringify(page).slice(0, -1)},"__proto__":{"text":1}}}`,
    ],
  ])("%s", async (_, change) => {
    const { get, store } = await desk();
    await get("/p");
    const [kept] = await keptIn(store);
    if (kept === undefined) throw new Error("nothing was kept");
    const { value } = JSON.parse(kept.body) as { value: { page: Record<string, unknown> } };
    const changed = change(value.page);
    // As this installation could have written it, if that can be said.
    const body =
      typeof changed === "string" ? changed : provenRow(kept, changed, processInstallation().keyHash);
    await replace(store, kept, body);
    expect(await get("/p")).toMatchObject({ text: "answer 2 /p", cache: { hit: false } });
    expect(await get("/p")).toMatchObject({ text: "answer 2 /p", cache: { hit: true } });
  });
});

describe("B22: a page without a valid proof", () => {
  const installations = () => [newInstallationSecret(), newInstallationSecret()].map(openInstallation);

  test("of another installation is fetched again and told of, and counts for nothing there either", async () => {
    const { get, told } = await desk();
    const [installation, another] = installations();
    await get("/p", { installation });
    expect(await get("/p", { installation: another })).toMatchObject({ cache: { hit: false } });
    expect(told).toMatchObject([{ error: { code: "journal_corrupt", details: { reason: "no_proof" } } }]);
    expect(await get("/p", { installation: () => another })).toMatchObject({
      text: "answer 2 /p",
      cache: { hit: true },
    });
    expect(told).toHaveLength(1);
    expect(await get("/p", { installation })).toMatchObject({ text: "answer 3 /p", cache: { hit: false } });
  });

  test("is forgotten where the next one must not be kept", async () => {
    const header: Record<string, string> = {};
    const { get, store } = await desk(header);
    await get("/p");
    const [kept] = await keptIn(store);
    if (kept === undefined) throw new Error("nothing was kept");
    await replace(store, kept, kept.body.replace("answer", "evil"));
    header["cache-control"] = "no-store";
    expect(await get("/p")).toMatchObject({ text: "answer 2 /p" });
    expect(await keptIn(store)).toStrictEqual([]);
  });

  test("an older page of ours that is put back is given no longer than it was fresh", async () => {
    const { get, store, time } = await desk();
    await get("/p");
    const [older] = await keptIn(store);
    time.now += hour - 1;
    await get("/p", { useCache: false });
    const [newer] = await keptIn(store);
    if (older === undefined || newer === undefined) throw new Error("nothing was kept");
    await replace(store, newer, older.body);
    expect(await get("/p")).toMatchObject({ text: "answer 1 /p", cache: { hit: true } });
    time.now += 1;
    expect(await get("/p")).toMatchObject({ text: "answer 3 /p", cache: { hit: false } });
  });
});

test("a page with half a character in it is given, and not kept", async () => {
  const store = createMemoryStore();
  const cache = new PageCache({
    store,
    clock: { now: () => start },
    ttlS: 60,
    proves: processInstallation().keyHash,
  });
  const page = { status: 200, kind: "text", bytes: 1, truncated: false, text: "\ud800" } as const;
  const hops = [{ url: "https://a.example/", isLocal: false }];
  expect(await cache.keep("acct_one", { ...page, fetchedAt: start, hops }, true)).toBe(false);
});

test.each([
  ["throws", () => Promise.reject(new Error("the disk is full"))],
  ["refuses", async () => ({ type: "conflict", on: "document", key: {}, revision: 7 })],
])("a store that %s costs nobody the page", async (_, fail) => {
  const { get, store } = await desk();
  const failing = Object.assign(Object.create(store) as Store, { commit: fail });
  expect(await get("/p", { store: failing })).toMatchObject({ text: "answer 1 /p", cache: { hit: false } });
  const unread = Object.assign(Object.create(store) as Store, {
    document: () => Promise.reject(new Error("no")),
  });
  expect(await get("/p", { store: unread })).toMatchObject({ text: "answer 2 /p", cache: { hit: false } });
});

test("a store that hangs is not waited for when the call is called off", async () => {
  const { get, store } = await desk();
  const hanging = Object.assign(Object.create(store) as Store, { document: () => new Promise(() => {}) });
  const context = webContext();
  const getting = failureOf(get("/p", { store: hanging, context }));
  context.abort();
  expect(await getting).toBe("cancelled");
});
