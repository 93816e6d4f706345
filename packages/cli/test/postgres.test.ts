// Everything in a PostgreSQL database instead of a folder: any number of platforms and commands on it at once, and its password in
// nothing that is said or written.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { describePostgres } from "../../host/test/describe-postgres.ts";
import type { TestPostgres } from "../../host/test/start-postgres.ts";
import { adding, askingHome, idIn, listed, waiting } from "../test-data/asking-home.ts";
import { doctored, saidOf } from "../test-data/doctor-home.ts";
import { Home, notesPack, type Ran, routedPack, unrulyPack } from "../test-data/run-sf.ts";
import { buying, lastingTicker } from "../test-data/run-up-markets.ts";
import { askUp, keyPath, startUp } from "../test-data/run-up.ts";

const password = "correct-horse-battery-staple";
const bare = ["--port", "0", "--no-markets", "--pack", routedPack];

/** An empty database, as a stranger would reach it: over the network, with a password. */
async function databaseOf({ newDatabase, port }: TestPostgres): Promise<string> {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${(await newDatabase()).name}`;
}

const shownAs = (store: string) => store.replace(`postgres:${password}@`, "");

/** A home of which nothing that is said, and no file, may hold the password. */
class QuietHome extends Home {
  readonly #said: string[] = [];

  constructor(env: Readonly<Record<string, string>> = {}) {
    super(env);
    onTestFinished(() => {
      const files = readdirSync(this.folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
      const told = [...this.#said, ...files].find((text) => text.includes(password));
      if (told !== undefined) throw new Error(`the password is in: ${told.slice(0, 500)}`);
    });
  }

  override async run(...given: Parameters<Home["run"]>): Promise<Ran> {
    const ran = await super.run(...given);
    this.#said.push(ran.out, ran.err);
    return ran;
  }
}

describePostgres("sf on PostgreSQL", (postgres) => {
  test("sf up serves from a database; commands in its folder find it, and nothing else is kept there", async () => {
    const store = await databaseOf(postgres());
    const home = new QuietHome();
    const up = await startUp(home, [...bare, "--store", store]);
    expect(up.out).toContain(`\n  everything is kept in ${shownAs(store)}\n`);
    expect(readdirSync(home.path(".sf")).toSorted()).toStrictEqual([".gitignore", "database-platform.json"]);
    home.write("own.json", { maxSideEffect: "user_write" });
    const call = ["agent", "--tool", "routed.add", "--input", '{"text":"milk"}', "--policy", "own.json"];
    expect(await home.run(call)).toMatchObject({ code: 0, out: '{\n  "count": 1\n}\n' });
    expect((await home.run(["keys", "ls"])).out).toMatch(/\bstarter\b/);
    expect((await home.run(["manifest"])).out).toContain("routed.add");
    expect((await home.run(["agent", "--tool", "routed.add", "--pack", routedPack])).code).toBe(2);
    const { out } = await up.stop();
    expect(out).toContain(`stopped; everything is kept in ${shownAs(store)}`);
    expect(readdirSync(home.path(".sf"))).toStrictEqual([".gitignore"]);
    // With none up, one in the command's own process, on the same database.
    const keys = await home.run(["keys", "ls"], { env: { SF_STORE: store } });
    expect([keys.code, /\bstarter\b/.test(keys.out)]).toStrictEqual([0, true]);
    const again = await startUp(home, bare, { SF_STORE: store });
    expect(again.out).not.toContain("shown this once");
    expect((await home.run(["trace", "verify", "--store", store])).code).toBe(0);
  });

  test("two platforms on one database both serve, with the same keys, and one answers what the other asks", async () => {
    const store = await databaseOf(postgres());
    const home = new QuietHome({ SF_STORE: store });
    const approvals = { requireForSideEffectAtOrAbove: "user_write" };
    home.write("asks.json", { maxSideEffect: "live_trade", approvals });
    const argv = [...bare, "--policy", "asks.json"];
    const [one, two] = await Promise.all([startUp(home, argv), startUp(home, argv)]);
    expect(new URL(one.url).port).not.toBe(new URL(two.url).port);
    const ask = (url: string) => askUp(home, `${url}/api/routed`, { body: { text: "milk" } });
    const first = await ask(one.url);
    expect(first).toMatchObject({ status: 409, answer: { error: { code: "approval_required" } } });
    const id = (first.answer as { error: { details: { approvalId: string } } }).error.details.approvalId;
    const at = (url: string) => ["--url", url, "--key-file", keyPath(home, "operator")];
    expect((await home.run(["approvals", "approve", id, ...at(two.url)])).code).toBe(0);
    expect([(await ask(one.url)).status, (await ask(two.url)).status]).toStrictEqual([200, 409]);
    expect(home.read("notes")).toBe("milk\n");
    await one.stop();
    expect((await askUp(home, `${two.url}/api/runtime`)).status).toBe(200);
    await two.stop();
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });

  test("the markets of two platforms that start at once on an empty database are one market", {
    timeout: 60_000,
  }, async () => {
    const store = await databaseOf(postgres());
    const home = new QuietHome({ SF_STORE: store });
    const ups = await Promise.all([startUp(home, ["--port", "0"]), startUp(home, ["--port", "0"])]);
    const ticker = await lastingTicker();
    const orders = Array.from({ length: 8 }, (_, at) => ups[at % 2]?.url ?? "");
    const placed = await Promise.all(
      orders.map((url) => askUp(home, `${url}/api/paper/orders`, { body: buying(ticker) })),
    );
    expect(placed.map(({ status }) => status)).toStrictEqual(orders.map(() => 200));
    const held = await Promise.all(ups.map(({ url }) => askUp(home, `${url}/api/portfolio?ledger=paper`)));
    for (const { answer } of held)
      expect(answer).toMatchObject({ data: { positions: [{ ticker, yes: 16, no: 0 }] } });
    const ends = await Promise.all(ups.map(({ stop }) => stop()));
    expect(ends.map(({ code, err }) => [code, err])).toStrictEqual([
      [0, ""],
      [0, ""],
    ]);
  });

  test("X1: sf doctor says what a process has left that died", async () => {
    const store = await databaseOf(postgres());
    const home = new QuietHome({ SF_STORE: store });
    home.write("policy.json", { maxSideEffect: "user_write" });
    const law = ["--pack", unrulyPack, "--policy", "policy.json"];
    const call = home.start(["call", "unruly.die_unkeyed", ...law, "--input", '{"text":"x"}']);
    expect((await call.ended).signal).toBe("SIGKILL");
    // The server has still to see that its client is gone.
    const left = async () =>
      saidOf(await doctored(home), "left effects").find(({ facts }) => facts?.left === 1)?.what;
    await vi.waitFor(async () => expect(await left()).toMatch(/^1 without an end, whose process is gone/), {
      timeout: 20_000,
    });
  });

  test("sf call, effects, trace and approvals work on it, several at once", async () => {
    const store = await databaseOf(postgres());
    const home = new QuietHome({ SF_STORE: store });
    const read = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":7}'];
    const codes = (await Promise.all([home.run(read), home.run(read), home.run(read)])).map(
      ({ code }) => code,
    );
    expect(codes).toStrictEqual([0, 0, 0]);
    expect((await home.run(["effects", "ls"])).out).toBe("none: every effect of this account has an end\n");
    const { out } = await home.run(["trace", "ls", "--json"]);
    const { segments } = JSON.parse(out) as { segments: { segment: string; where: string }[] };
    expect(segments.map(({ where }) => where)).toStrictEqual(Array.from({ length: 3 }, () => shownAs(store)));
    const [last] = segments;
    expect((await home.run(["trace", "export", last?.segment ?? "", "-o", "t.jsonl"])).code).toBe(0);
    expect((await home.run(["trace", "show", last?.segment ?? "", "--store", store])).code).toBe(0);
    expect((await home.run([...read, "--replay-trace", "t.jsonl"])).code).toBe(0);
    expect(existsSync(home.path("home/.local/share/simplefunctions"))).toBe(false);
  });

  test("an approval is answered beside the call that waits, and by whoever has the store", async () => {
    const store = await databaseOf(postgres());
    const home = askingHome();
    const { id, ended } = await waiting(home, "--store", store);
    expect(await listed(home)).toStrictEqual([]);
    expect((await home.run(["approvals", "approve", id, "--store", store])).code).toBe(0);
    expect(await ended).toMatchObject({ code: 0, out: '{\n  "count": 1\n}\n' });
    const { err } = await home.run(adding("--store", store));
    expect(err).toMatch(/to approve it: sf approvals approve appr_\S+ --store "\$SF_STORE"\n/);
    expect(idIn(await listed(home, "--store", store))).toMatch(/^appr_/);
  });

  test("sf agent keeps its own side apart from the platform's, in the same database", async () => {
    const store = await databaseOf(postgres());
    const home = new QuietHome();
    await startUp(home, [...bare, "--store", store]);
    const call = ["agent", "--tool", "runtime.status", "--store", store];
    expect((await home.run(call)).code).toBe(0);
    const segmentsIn = async (named: string) =>
      (JSON.parse((await home.run(["trace", "ls", "--store", named, "--json"])).out) as { total: number })
        .total;
    expect(await segmentsIn(`${store}?schema=simplefunctions_agent`)).toBe(1);
    expect(existsSync(home.path("home/.local/share/simplefunctions"))).toBe(false);
  });

  test("looking makes nothing: a database without a store is said to be one", async () => {
    const store = await databaseOf(postgres());
    const home = new QuietHome();
    expect(await home.run(["trace", "ls", "--store", store])).toMatchObject({
      code: 1,
      err: `error host_configuration_needed: there is no store in the schema simplefunctions of ${shownAs(store)} yet; sf up makes one, or name another with ?schema=\n`,
    });
    expect(await home.run(["trace", "ls"], { env: { SF_STORE: store } })).toMatchObject({ code: 0, err: "" });
    expect(await home.run(["approvals", "ls"], { env: { SF_STORE: store } })).toMatchObject({ code: 0 });
    const { code, out } = await home.run(["doctor", "--store", store]);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /PostgreSQL \d+\S* .*can be reached; the schema simplefunctions is not there yet, sf call and sf up makes it/,
      ),
    });
  });

  test("sf doctor says which store it is, its version and what is in it, and what to do where it cannot be reached", async () => {
    const store = await databaseOf(postgres());
    const home = new QuietHome({ SF_STORE: store });
    expect((await home.run(["up", "--once", ...bare])).code).toBe(0);
    const { code, out } = await home.run(["doctor", "--json"]);
    const { checks } = JSON.parse(out) as {
      checks: { check: string; where?: string; status: string; facts?: object }[];
    };
    const about = checks.filter(({ where }) => where === shownAs(store));
    expect({ code, about: about.map(({ check, status }) => [check, status]) }).toStrictEqual({
      code: 0,
      about: [
        ["data", "ok"],
        ["journal", "ok"],
        ["effects", "ok"],
        ["left effects", "ok"],
        ["approvals", "ok"],
        ["runs", "ok"],
      ],
    });
    expect(about[0]?.facts).toMatchObject({ schema: "simplefunctions", version: expect.any(Number) });
    const lost = await home.run(["doctor"], { env: { SF_STORE: store.replace(/:\d+\//, ":9/") } });
    expect(lost).toMatchObject({ code: 1, out: expect.stringContaining("ECONNREFUSED") });
    const gone = await home.run(["up", "--once", ...bare, "--store", `${store}_none`]);
    expect(gone).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error host_configuration_needed: .*does not exist/),
    });
  });

  test.each([
    ["a folder as well", ["--data", "data", "--store", "postgres://h/d"]],
    ["another kind of database", ["--store", `mysql://me:${password}@h/d`]],
    ["something else", ["--store", password]],
    ["a schema that cannot be used", ["--store", "postgres://h/d?schema=Mine"]],
  ])("%s is bad usage", async (_, argv) => {
    const home = new QuietHome();
    const codes = [
      (await home.run(["up", "--once", ...argv])).code,
      (await home.run(["call", "notes.read", "--pack", notesPack, ...argv])).code,
      (await home.run(["approvals", "ls", ...argv])).code,
    ];
    expect(codes).toStrictEqual([2, 2, 2]);
  });
});
