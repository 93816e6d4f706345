// http.get as an agent has it: judged with its grant, every hop asked about again, and what was kept given only to whoever may still go there.
import { openOperator, Seat, type SeatOptions, type Store } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { boss } from "../../../../kernel/test-data/call-approvals.ts";
import { codeOf, installation, outputOf, principalOf } from "../../../../kernel/test-data/call-desk.ts";
import { dataFolder } from "../../../test/data-folder.ts";
import { type Listening, webServer } from "../../../test/web-server.ts";
import { openSqliteStore } from "../../store/index.ts";
import { httpTools } from "./http-tools.ts";

const lasting = { scope: "until", forMs: 60_000 } as const;

async function openStore(): Promise<Store> {
  const store = await openSqliteStore({ folder: dataFolder() });
  onTestFinished(async () => await store.close());
  return store;
}

function openSeat(store: Store, options: Partial<SeatOptions> & { resolve?: () => Promise<string[]> } = {}) {
  const { resolve, ...rest } = options;
  const seat = new Seat({
    packs: [httpTools({ store, ...(resolve && { resolve }) })],
    levels: [{ level: "agent", policy: {} }],
    principal: principalOf(),
    origin: "direct",
    surface: "agent",
    installation,
    store,
    ...rest,
  });
  const operator = openOperator({ store, installation, principal: boss });
  onTestFinished(async () => {
    await seat.close();
    await operator.close();
  });
  const get = async (url: string, use_cache = true) =>
    await seat.call({ tool: "http.get", input: { url, use_cache } });
  return { get, capabilities: operator.capabilities };
}

const at = ({ port }: Listening, host = "localhost") => `http://${host}:${port}/`;
const opened = (...servers: readonly Listening[]) => ({
  network: { localHosts: servers.flatMap(({ port }) => [`localhost:${port}`, `127.0.0.1:${port}`]) },
});

// proves LIVE-4.14, LIVE-4.22, LIVE-4.24, LIVE-4.37
test("without a grant nothing is asked of anybody; with one, a page comes back as text", async () => {
  const server = await webServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("<h1>Hello</h1><p hidden>obey</p>"),
  );
  const { get, capabilities } = openSeat(await openStore(), opened(server));
  expect(codeOf(await get(at(server)))).toBe("capability_denied");
  expect(server.connections()).toBe(0);
  await capabilities.grant("net:localhost", lasting);
  const output = outputOf(await get(at(server))) as { readonly text: string };
  expect(output).toMatchObject({ status: 200, kind: "html", truncated: false, redirects: [] });
  expect(output.text).toContain("Hello");
  expect(output.text).not.toContain("obey");
});

// proves LIVE-4.39
test("B29: the floor holds whatever is granted: a name that leads inside is not connected to", async () => {
  const server = await webServer((_request, response) => response.end("secret"));
  const store = await openStore();
  const { get, capabilities } = openSeat(store, { resolve: async () => ["127.0.0.1"] });
  await capabilities.grant("net", lasting);
  for (const url of ["http://inside.example/", "http://localhost/", at(server), at(server, "127.0.0.1")]) {
    expect(codeOf(await get(url))).toBe("capability_denied");
  }
  expect(server.connections()).toBe(0);
});

// proves LIVE-4.23, LIVE-4.41
test("B29: a redirect to where nobody may go ends there", async () => {
  const inner = await webServer((_request, response) => response.end("secret"));
  const outer = await webServer((_request, response) =>
    response.writeHead(302, { location: at(inner, "127.0.0.1") }).end(),
  );
  const { get, capabilities } = openSeat(await openStore(), opened(outer, inner));
  await capabilities.grant("net:localhost", lasting);
  expect(codeOf(await get(at(outer)))).toBe("capability_denied");
  expect([outer.connections(), inner.connections()]).toStrictEqual([1, 0]);
  await capabilities.grant("net", lasting);
  expect(codeOf(await get(at(outer)))).toBe("completed");
});

// proves LIVE-4.23, LIVE-4.27, LIVE-4.29, LIVE-4.42, LIVE-4.37
test("what was kept is given again, says so, and not once its host, or one that it came through, is revoked", async () => {
  const last = await webServer((_request, response) => response.end("the news"));
  const first = await webServer((_request, response) =>
    response.writeHead(302, { location: at(last, "127.0.0.1") }).end(),
  );
  const { get, capabilities } = openSeat(await openStore(), opened(first, last));
  const narrow = await capabilities.grant("net:localhost", lasting);
  const wide = await capabilities.grant("net", lasting);
  expect(outputOf(await get(at(first)))).toMatchObject({ text: "the news", cache: { hit: false } });
  expect(outputOf(await get(at(first)))).toMatchObject({ text: "the news", cache: { hit: true } });
  expect([first.connections(), last.connections()]).toStrictEqual([1, 1]);
  await capabilities.revoke(wide.grantId);
  expect(codeOf(await get(at(first)))).toBe("capability_denied");
  await capabilities.revoke(narrow.grantId);
  expect(codeOf(await get(at(first)))).toBe("capability_denied");
  expect([first.connections(), last.connections()]).toStrictEqual([1, 1]);
});

// proves LIVE-4.44
test("I1: what one account has fetched another fetches for itself", async () => {
  const server = await webServer((_request, response) => response.end("the news"));
  const store = await openStore();
  const mine = openSeat(store, opened(server));
  await mine.capabilities.grant("net", lasting);
  await mine.get(at(server));
  const theirs = openSeat(store, { ...opened(server), principal: principalOf("acct_2") });
  const other = { ...boss, accountId: "acct_2" };
  const operator = openOperator({ store, installation, principal: other });
  onTestFinished(async () => await operator.close());
  expect(codeOf(await theirs.get(at(server)))).toBe("capability_denied");
  await operator.capabilities.grant("net", lasting);
  expect(outputOf(await theirs.get(at(server)))).toMatchObject({ cache: { hit: false } });
  expect(server.connections()).toBe(2);
});

test("a host that was opened by its numbers is there, in either family, and no name is asked for", async () => {
  const server = await webServer((_request, response) => response.end("the news"));
  const store = await openStore();
  const asked: unknown[] = [];
  const resolve = async (...names: unknown[]) => {
    asked.push(...names);
    return ["192.0.2.1"];
  };
  const network = { localHosts: [`127.0.0.1:${server.port}`, `[::ffff:7f00:1]:${server.port}`] };
  const { get, capabilities } = openSeat(store, { network, resolve });
  await capabilities.grant("net", lasting);
  for (const host of ["127.0.0.1", "[::ffff:127.0.0.1]"])
    expect(outputOf(await get(at(server, host)))).toMatchObject({ text: "the news" });
  expect([server.connections(), asked]).toStrictEqual([2, []]);
});

test("a grant for one call is one page", async () => {
  const server = await webServer((_request, response) => response.end("the news"));
  const { get, capabilities } = openSeat(await openStore(), opened(server));
  await capabilities.grant("net:localhost");
  expect(codeOf(await get(at(server)))).toBe("completed");
  expect(codeOf(await get(at(server)))).toBe("capability_denied");
});
