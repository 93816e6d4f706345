// B22: a page in the cache that this installation has not written is not what a site has said: it is fetched again, and that is told once.
import { govern } from "@spfunctions/agent";
import { canonicalJson } from "@spfunctions/contracts";
import { httpTools } from "@spfunctions/host/tools";
import { openOperator, type Store } from "@spfunctions/kernel";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { installation } from "../packages/server/test-data/test-platform.ts";
import { describeStores, type StoreWithSql } from "./test-data/stores-with-sql.ts";

/** A site that says who it is and how often it was asked. */
async function site() {
  let count = 0;
  const server = createServer(({ url }, response) => response.end(`honest ${(count += 1)} ${url}`));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  return { host, urlOf: (path: string) => `http://${host}${path}` };
}

type Page = { readonly text: string; readonly cache: { readonly hit: boolean } };
type Trouble = { readonly what: string; readonly error: unknown };

/** Fetches a page for each of these accounts, in a process of its own, and gives each page's text and whether it was kept. */
async function fetchFor(
  store: Store,
  { host, url, accounts }: { host: string; url: string; accounts: readonly string[] },
  onTrouble?: (trouble: Trouble) => void,
): Promise<readonly unknown[]> {
  const tools = httpTools({ store, installation, onTrouble });
  const pages: unknown[] = [];
  for (const accountId of accounts) {
    const principal = { accountId, keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
    const operator = openOperator({ store, installation, principal });
    await operator.capabilities.grant("net:localhost", { scope: "until", forMs: 3_600_000 });
    await operator.close();
    const agent = govern({
      packs: [tools],
      policy: { allowTools: ["http.get"] },
      principal: { accountId, keyId: "desk", scopes: ["read"], kind: "local" },
      store,
      installation,
      network: { localHosts: [host] },
    });
    const { text, cache } = (await agent.call("http.get", { url })).output as Page;
    pages.push([text, cache.hit]);
    await agent.close();
  }
  return pages;
}

/** A page as an older version has kept it, or somebody with access to the database. */
function oldBody(url: string, text: string): string {
  const page = {
    status: 200,
    kind: "text",
    bytes: 4,
    truncated: false,
    text,
    fetchedAt: Date.now() - 1000,
    hops: [{ url, isLocal: true }],
  };
  return canonicalJson({ v: 1, page });
}

const noProof = [
  { what: expect.any(String), error: { code: "journal_corrupt", details: { reason: "no_proof" } } },
];
const accounts = ["acct_1", "acct_2"];

function testPages(make: () => Promise<StoreWithSql>): void {
  const attacks: Record<string, (url: string, other: string) => string[]> = {
    "was put there without a proof, as an older version kept pages": (url) => [
      `UPDATE documents SET body = '${oldBody(url, "evil")}' WHERE kind = 'http_cache'`,
    ],
    "was changed": () => [
      "UPDATE documents SET body = replace(body, 'honest', 'evil') WHERE kind = 'http_cache'",
    ],
    "was copied from another account": () => [
      "DELETE FROM documents WHERE kind = 'http_cache' AND account <> 'acct_3'",
      ...accounts.map(
        (account) =>
          `INSERT INTO documents (account, kind, id, status, revision, body) SELECT '${account}', kind, id, status, revision, body FROM documents WHERE kind = 'http_cache' AND account = 'acct_3'`,
      ),
    ],
    "was given another address": (url, other) =>
      accounts.map(
        (account) =>
          `UPDATE documents SET body = (SELECT replace(kept.body, '${other}', '${url}') FROM documents AS kept WHERE kept.kind = 'http_cache' AND kept.account = '${account}' AND kept.body LIKE '%${other}%') WHERE kind = 'http_cache' AND account = '${account}'`,
      ),
  };

  test.each(Object.entries(attacks))("a page that %s is fetched again, and told once", async (_, attack) => {
    const { open, execute } = await make();
    const { host, urlOf } = await site();
    const [url, other] = [urlOf("/a"), urlOf("/b")];
    const first = await open();
    const all = [...accounts, "acct_3"];
    for (const one of [url, other]) await fetchFor(first, { host, url: one, accounts: all });
    await first.close();
    for (const sql of attack(url, other)) await execute(sql);
    const store = await open();
    const told: unknown[] = [];
    const fetched = () => fetchFor(store, { host, url, accounts }, (trouble) => void told.push(trouble));
    // Six were fetched before.
    expect(await fetched()).toStrictEqual([
      ["honest 7 /a", false],
      ["honest 8 /a", false],
    ]);
    expect(told).toMatchObject(noProof);
    expect(await fetched()).toStrictEqual([
      ["honest 7 /a", true],
      ["honest 8 /a", true],
    ]);
    expect(told).toHaveLength(1);
    await store.close();
  });

  test("where nobody is given to tell, the process warns, once", async () => {
    const { open, execute } = await make();
    const { host, urlOf } = await site();
    const url = urlOf("/a");
    const first = await open();
    await fetchFor(first, { host, url, accounts });
    await first.close();
    await execute("UPDATE documents SET body = replace(body, 'honest', 'evil') WHERE kind = 'http_cache'");
    const warn = vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
    onTestFinished(() => warn.mockRestore());
    const store = await open();
    await fetchFor(store, { host, url, accounts });
    expect(warn.mock.calls.map(([said]) => said)).toStrictEqual([
      expect.stringContaining("it is fetched again"),
    ]);
    await store.close();
  });
}

describeStores(testPages);
