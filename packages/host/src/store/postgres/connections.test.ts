// S1: how a database is reached, as whom, and what is said of it when it is not.
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, statSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import type { Store } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { chainWriter, seal, textsIn } from "../../../test/chain-writer.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { inTurn } from "../../../test/in-turn.ts";
import type { TestDatabase } from "../../../test/start-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";

const committed = { type: "committed" };
const password = "wrong-horse-9F!";
const inUrl = encodeURIComponent(password);

async function open(options: PostgresStoreOptions) {
  const store = await openPostgresStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** Everything that anybody could log of an error. */
function wholeOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    parts.push(at.message, at.stack ?? "", JSON.stringify(at), inspect(at, { depth: 20, showHidden: true }));
  }
  return parts.join("\n");
}

/** A little of everything, in the order in which the port promises it. */
async function tryOut(store: Store): Promise<"works"> {
  const { epoch, head } = await chainWriter(store, "run-1");
  const erased = { ref: "content_1", erased: true } as never;
  const record = { ...seal(head(), "first"), content: [erased] };
  const ids = ["B", "a", "\u00E9", "\u{1D11E}", "\uFFFD", "NULL", "b\\'"];
  const documents = ids.map(
    (id) => ({ kind: "k", accountId: "a", id, type: "put", expects: 0, status: "s", body: "1" }) as const,
  );
  const claim = {
    accountId: "a",
    scope: "s",
    key: "k",
    digest: "d",
    expiresAt: 1_700_000_000_000.125,
    ref: "r",
  };
  const unit = {
    documents,
    claims: [{ ...claim, type: "take" as const }],
    durability: "power",
    now: 1,
  } as const;
  const appends = [{ stream: "run-1", epoch, records: [record] }];
  expect(await store.commit({ ...unit, appends })).toStrictEqual(committed);
  const found = await store.documents({ kind: "k", accountId: "a", limit: 99 });
  expect(found.map(({ id }) => id)).toStrictEqual(ids.toSorted());
  expect(await store.claim(claim, 1)).toStrictEqual(claim);
  const { prev: _, ...stored } = record;
  expect(await store.readStream({ stream: "run-1", accountId: "a", limit: 9 })).toStrictEqual([stored]);
  return "works";
}

describePostgres("the way to PostgreSQL", (postgres) => {
  const tcp = (user: string, { name }: TestDatabase) =>
    `postgres://${user}@127.0.0.1:${postgres().port}/${name}`;

  test("S1: no error has the password in it, whatever is wrong with the connection string or with the server", async () => {
    const database = await postgres().newDatabase();
    await database.ask("CREATE ROLE keeper LOGIN PASSWORD 'right'");
    const { port } = postgres();
    const wrong: readonly (readonly [url: string, said: RegExp])[] = [
      [
        `postgres://keeper:${inUrl}@127.0.0.1:${port}/${database.name}`,
        /password authentication failed.*Check user and password/,
      ],
      [
        `postgres://postgres:${inUrl}@127.0.0.1:${port}/no_such`,
        /no_such.*does not exist.*Check the name of the database/,
      ],
      [
        `postgres://keeper:${inUrl}@127.0.0.1:1/${database.name}`,
        /ECONNREFUSED.*Make sure that the server runs/,
      ],
      [
        `postgres://keeper:${inUrl}@no-such-host.invalid/x`,
        /no-such-host\.invalid.*Make sure that the server runs/,
      ],
      [`postgres://keeper:${inUrl}@127.0.0.1:${port}/${database.name}?sslmode=verify-full`, /SSL|TLS/],
      [
        `postgres://keeper:${inUrl}@127.0.0.1:${port}/x?sslmode=verify-full&sslrootcert=/no/such/file`,
        /cannot be read/,
      ],
      [`postgres://keeper:${inUrl}@/x?host=/no/such/folder`, /ENOENT/],
      [`postgres://keeper:1/${password}@127.0.0.1:${port}/x`, /cannot be read/],
      [`postgres://keeper:1#${password}@127.0.0.1:${port}/x`, /cannot be read/],
      [`postgres://keeper:1?${password}@127.0.0.1:${port}/x`, /cannot be read/],
      [`postgres://keeper:${password}/x@127.0.0.1:${port}/x`, /cannot be read/],
      [`postgres://keeper:${inUrl}@127.0.0.1:${port}x/x`, /cannot be read/],
      [`http://keeper:${inUrl}@127.0.0.1:${port}/x`, /cannot be read/],
      [`keeper:${inUrl}@127.0.0.1:${port}/x`, /cannot be read/],
      ["", /cannot be read/],
    ];
    await inTurn(wrong, async ([url, said]) => {
      const error: unknown = await openPostgresStore({ url }).then(
        (store) => store.close(),
        (fault: unknown) => fault,
      );
      expect(error).toMatchObject({
        code: "host_configuration_needed",
        message: expect.stringMatching(said),
      });
      expect(wholeOf(error)).not.toContain(password);
      expect(wholeOf(error)).not.toContain(inUrl);
    });
    expect(postgres().log()).not.toContain(password);
  });

  test("S1: a fault of an opened store has no password in it either, and a right one works over TCP", async () => {
    const database = await postgres().newDatabase();
    const right = "right-horse-7K!";
    await database.ask(`CREATE ROLE rider LOGIN PASSWORD '${right}'`);
    await database.ask("CREATE SCHEMA simplefunctions AUTHORIZATION rider");
    const store = await open({ url: tcp(`rider:${encodeURIComponent(right)}`, database) });
    await tryOut(store);
    await database.ask("DROP SCHEMA simplefunctions CASCADE");
    const error: unknown = await store
      .commit({ durability: "power", now: 1, wakes: ["w"] })
      .catch((fault: unknown) => fault);
    expect(error).toMatchObject({ code: "journal_append_failed" });
    expect(wholeOf(error)).not.toContain(right);
  });

  test("a role that owns nothing but its schema is enough", async () => {
    const database = await postgres().newDatabase();
    await database.ask(`CREATE ROLE tenant LOGIN; REVOKE ALL ON DATABASE ${database.name} FROM PUBLIC;
      GRANT CONNECT ON DATABASE ${database.name} TO tenant; REVOKE ALL ON SCHEMA public FROM PUBLIC;
      CREATE SCHEMA own AUTHORIZATION tenant`);
    const url = database.url.replace("postgres@", "tenant@");
    await tryOut(await open({ url, schema: "own" }));
    await expect(openPostgresStore({ url })).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringMatching(/permission denied.*Give the role the right to this schema/),
      details: { reason: "not_readable", sqlState: "42501" },
    });
  });

  test("two schemas of one database are two stores, and neither hears of the other", async () => {
    const { url } = await postgres().newDatabase();
    const [one, two] = [await open({ url, schema: "one" }), await open({ url, schema: "two" })];
    const heard: unknown[] = [];
    onTestFinished(two.listen((key) => heard.push(key)));
    await tryOut(one);
    await tryOut(two);
    expect([one.schema, two.schema]).toStrictEqual(["one", "two"]);
    await one.commit({ durability: "power", now: 1, wakes: ["one"] });
    const beside = await open({ url, schema: "two" });
    await beside.commit({ durability: "power", now: 1, wakes: ["two"] });
    await expect.poll(() => heard).toStrictEqual(["two"]);
  });

  const oddities: readonly (readonly [what: string, database: string, settings: readonly string[]])[] = [
    ["a collation of a language", "LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'", []],
    ["another order by ICU", "LOCALE_PROVIDER icu ICU_LOCALE 'de-u-kn-true'", []],
    [
      "settings of its own",
      "",
      [
        "TimeZone = 'Asia/Kathmandu'",
        "DateStyle = 'German, DMY'",
        "standard_conforming_strings = off",
        "search_path = 'no_such_schema, public'",
        "default_transaction_isolation = 'serializable'",
        "default_transaction_read_only = on",
        "extra_float_digits = -15",
        "array_nulls = off",
        "bytea_output = 'escape'",
        "transform_null_equals = on",
        "client_encoding = 'LATIN1'",
        "statement_timeout = '1h'",
        "plpgsql.variable_conflict = 'use_column'",
        "plpgsql.extra_errors = 'all'",
        "row_security = off",
        "quote_all_identifiers = on",
        "lc_messages = 'C'",
      ],
    ],
  ];

  test.each(oddities)("a database with %s is used like any other", async (_, options, settings) => {
    const { name, url, ask } = await postgres().newDatabase(options);
    await ask(settings.map((setting) => `ALTER DATABASE ${name} SET ${setting}`).join("; "));
    const store = await open({ url });
    await tryOut(store);
    const other = await open({ url: `${url}&options=-c%20search_path%3Dpublic` });
    expect(await textsIn(other, "run-1")).toStrictEqual(["first"]);
  });

  test("what stands first in the search path of a role is not mistaken for what the server has", async () => {
    const database = await postgres().newDatabase();
    await database.ask(`CREATE TABLE public.streams (id integer); CREATE TABLE public.records (id integer);
      CREATE FUNCTION public.cardinality(text[]) RETURNS integer LANGUAGE sql AS 'SELECT 0';
      ALTER ROLE postgres IN DATABASE ${database.name} SET search_path = public, pg_catalog`);
    expect(await tryOut(await open({ url: database.url }))).toBe("works");
  });

  test("a database whose encoding cannot hold every text is refused", async () => {
    const { url } = await postgres().newDatabase("ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'");
    await expect(openPostgresStore({ url })).rejects.toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringMatching(/has the encoding LATIN1.*create a database with the encoding UTF8/),
      details: { reason: "encoding", encoding: "LATIN1" },
    });
  });

  test("a smaller pool serves as many as a large one, only later", async () => {
    const { url } = await postgres().newDatabase();
    const store = await open({ url, poolSize: 1 });
    const writer = await chainWriter(store, "run-1");
    const results = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const result = await store.commit(writer.next(`${at}`));
        await store.document({ kind: "k", accountId: "a", id: "i" });
        return result;
      }),
    );
    expect(results).toStrictEqual(results.map(() => committed));
  });

  test("parsers that another part of the program has given the driver change nothing here", async () => {
    const { types } = await import("pg");
    const kept = [20, 23, 25, 114, 701].map((oid) => [oid, types.getTypeParser(oid, "text")] as const);
    onTestFinished(() => {
      for (const [oid, parse] of kept) types.setTypeParser(oid, parse);
    });
    for (const [oid] of kept) types.setTypeParser(oid, () => "spoilt" as never);
    const { url } = await postgres().newDatabase();
    expect(await tryOut(await open({ url }))).toBe("works");
  });

  test("S1: with sslmode=verify-full every connection is encrypted, and a certificate that nobody vouches for is refused", async () => {
    const database = await postgres().newDatabase();
    const data = join(postgres().folder, "data");
    const [certificate, key] = [join(data, "server.crt"), join(data, "server.key")];
    const named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        ...named,
        "-keyout",
        key,
        "-out",
        certificate,
      ],
      { stdio: "ignore" },
    );
    const { uid, gid } = statSync(data);
    chownSync(key, uid, gid);
    chmodSync(key, 0o600);
    await database.ask("ALTER SYSTEM SET ssl = on");
    await database.ask("SELECT pg_reload_conf()");
    const url = `${tcp("postgres", database)}?sslmode=verify-full`;
    await expect
      .poll(() => openPostgresStore({ url }).catch((error: unknown) => error))
      .toMatchObject({ code: "host_configuration_needed", message: expect.stringContaining("self-signed") });
    const store = await open({ url: `${url}&sslrootcert=${certificate}` });
    await tryOut(store);
    const ways = await database.ask(`SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE application_name = 'simplefunctions'`);
    expect(ways).toStrictEqual([{ ssl: true }]);
  });
});
