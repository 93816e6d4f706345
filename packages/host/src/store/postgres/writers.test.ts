// Many who write at once, in two stores of one process and of two.
import type { Claim, CommitResult, DocumentKey, Store, Unit } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { chainWriter, genesis, seal, textsIn } from "../../../test/chain-writer.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";

const committed = { type: "committed" };
const counter: DocumentKey = { kind: "count", accountId: "a", id: "c" };
const unit = (parts: Partial<Unit>): Unit => ({ durability: "process", now: 1_000, ...parts });

async function open(options: PostgresStoreOptions) {
  const store = await openPostgresStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** Counts a document up by one, whoever else does. */
async function countUp(store: Pick<Store, "document" | "commit">, extra: Partial<Unit> = {}): Promise<void> {
  for (;;) {
    const before = await store.document(counter);
    const expects = before?.revision ?? 0;
    const body = `${Number(before?.body ?? 0) + 1}`;
    const documents = [{ ...counter, type: "put", expects, status: "s", body }] as const;
    if ((await store.commit(unit({ documents, ...extra }))).type === "committed") return;
  }
}

describePostgres("many write to PostgreSQL at once", (postgres) => {
  test("two stores and another process count one document up: nothing is lost and nothing doubled", async () => {
    const { url } = await postgres().newDatabase();
    const other = startStoreProcess();
    onTestFinished(() => other.end());
    await other.open({ url });
    const far = {
      document: (key: DocumentKey) => other.call("document", key) as ReturnType<Store["document"]>,
      commit: (given: Unit) => other.call("commit", given) as Promise<CommitResult>,
    };
    const stores = [await open({ url }), await open({ url }), far];
    await Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 4 }, () => inTurn(Array.from({ length: 10 }), () => countUp(store))),
      ),
    );
    await expect(stores[0]?.document(counter)).resolves.toMatchObject({ revision: 120, body: "120" });
  });

  test("every claim is taken once, however many want it and in whatever company, and the others learn by whom", async () => {
    const { url } = await postgres().newDatabase();
    const stores = [await open({ url }), await open({ url })];
    const keys = Array.from({ length: 40 }, (_, at) => `key ${at}`);
    const taken = new Map<string, string[]>();
    const learned: Claim[] = [];
    await Promise.all(
      stores.flatMap((store, name) =>
        [keys, keys.toReversed()].flatMap((order, way) =>
          order.map(async (key) => {
            const ref = `store ${name} way ${way}`;
            const claim = { accountId: "a", scope: "s", key, digest: "d", expiresAt: 2_000, ref };
            const result = await store.commit(unit({ claims: [{ ...claim, type: "take" }] }));
            if (result.type === "committed") taken.set(key, [...(taken.get(key) ?? []), ref]);
            else if (result.on === "claim" && result.claim !== undefined) learned.push(result.claim);
          }),
        ),
      ),
    );
    expect([taken.size, learned.length]).toStrictEqual([keys.length, keys.length * 3]);
    for (const refs of taken.values()) expect(refs.length).toBe(1);
    for (const { key, ref } of learned) expect(taken.get(key)).toStrictEqual([ref]);
  });

  test("units that touch the same things in opposite order wait for each other, and never in a circle", async () => {
    const { url, ask } = await postgres().newDatabase();
    const stores = [await open({ url }), await open({ url })];
    const keys = ["x", "y", "z"];
    const made = keys.map(
      (id) => ({ ...counter, id, type: "put", expects: 0, status: "s", body: "0" }) as const,
    );
    await stores[0]?.commit(unit({ documents: made }));
    // Long enough for the other to come in between.
    await ask(
      "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.01); RETURN NEW; END $$",
    );
    await ask(
      "CREATE TRIGGER slow BEFORE UPDATE ON simplefunctions.documents FOR EACH ROW EXECUTE FUNCTION slow()",
    );
    let wins = 0;
    await Promise.all(
      stores.map((store, name) =>
        inTurn(Array.from({ length: 10 }), async () => {
          const found = await store.documentsById("count", "a", name === 0 ? keys : keys.toReversed());
          const documents = found.map(
            ({ revision, ...rest }) => ({ ...rest, type: "put", expects: revision }) as const,
          );
          const results = await Promise.all(
            [documents, documents.toReversed()].map((each) => store.commit(unit({ documents: each }))),
          );
          wins += results.filter(({ type }) => type === "committed").length;
        }),
      ),
    );
    const revisions = (await stores[0]?.documentsById("count", "a", keys))?.map(({ revision }) => revision);
    expect(revisions).toStrictEqual([wins + 1, wins + 1, wins + 1]);
    expect(postgres().log()).not.toContain("deadlock detected");
  });

  test("streams, documents and claims of one unit stay together while others write the same", async () => {
    const { url } = await postgres().newDatabase();
    const stores = [await open({ url }), await open({ url })];
    await Promise.all(
      stores.map(async (store, name) => {
        const writer = await chainWriter(store, `run-${name}`);
        let head = writer.head();
        await inTurn(Array.from({ length: 40 }), async () => {
          const record = seal(head, `${name}`);
          const appends = [{ stream: `run-${name}`, epoch: writer.epoch, records: [record] }];
          const key = { accountId: "a", scope: `run-${name}`, key: `${record.seq}` };
          const claims = [{ ...key, digest: "d", expiresAt: 2_000, ref: "r", type: "take" }] as const;
          await countUp(store, { appends, claims });
          head = record;
        });
      }),
    );
    const one = await open({ url });
    expect((await one.document(counter))?.body).toBe("80");
    const texts = await Promise.all([0, 1].map((name) => textsIn(one, `run-${name}`)));
    expect(texts.map(({ length }) => length)).toStrictEqual([40, 40]);
  });

  test("a process that is killed in a storm of commits has lost nothing that it answered, and kept nothing by half", async () => {
    const { url } = await postgres().newDatabase();
    const other = startStoreProcess();
    onTestFinished(() => other.end());
    await other.open({ url });
    let said = "";
    other.child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.split("\n").length > 200) other.child.kill("SIGKILL");
    });
    await expect(other.ask({ act: "storm", stream: "run-1", accountId: "a" })).rejects.toThrow("SIGKILL");
    const answered = Math.max(...said.split("\n").slice(0, -1).map(Number));
    const store = await open({ url });
    await expect.poll(async () => (await store.lease("run-1", "a", genesis)).type).toBe("leased");
    const kept = await store.readStream({ stream: "run-1", accountId: "a", limit: 100_000 });
    expect(kept.length).toBeGreaterThanOrEqual(answered);
    expect(kept.map(({ seq }) => seq)).toStrictEqual(kept.map((_, at) => at + 1));
    expect(kept.map(({ content }) => content)).toStrictEqual(
      kept.map(({ seq }) => [{ ref: `content_${seq}`, salt: "grain", text: `content ${seq}` }]),
    );
    const count = await store.document({ kind: "count", accountId: "a", id: "run-1" });
    expect([count?.revision, count?.body]).toStrictEqual([kept.length, `${kept.length}`]);
    const claim = (seq: number) => store.claim({ accountId: "a", scope: "run-1", key: `${seq}` }, 1_000);
    expect((await claim(kept.length))?.ref).toBe(kept.at(-1)?.text);
    expect(await claim(kept.length + 1)).toBeUndefined();
  });

  test("a transaction is as durable as its most durable unit, whatever the database's own setting is", async () => {
    const { url, ask, name } = await postgres().newDatabase();
    const store = await open({ url });
    const writer = await chainWriter(store, "run-1");
    await ask("CREATE TABLE asked (durability text)");
    await ask(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO public.asked VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$`);
    await ask(
      "CREATE TRIGGER note AFTER INSERT ON simplefunctions.records FOR EACH ROW EXECUTE FUNCTION note()",
    );
    const asked = async () => {
      const rows = await ask("SELECT durability FROM asked");
      await ask("DELETE FROM asked");
      return rows.map(({ durability }) => durability);
    };
    await store.commit(writer.next("1"));
    await store.commit(writer.next("2", "power"));
    expect(await asked()).toStrictEqual(["off", "on"]);
    const units = [writer.next("3"), writer.next("4", "power"), writer.next("5")];
    await Promise.all(units.map((one) => store.commit(one)));
    expect(await asked()).toStrictEqual(["on", "on", "on"]);
    await store.commit(writer.next("6"));
    expect(await asked()).toStrictEqual(["off"]);
    await ask(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    const later = await open({ url });
    const next = await chainWriter(later, "run-2");
    await later.commit(next.next("1", "power"));
    await later.commit(next.next("2"));
    expect(await asked()).toStrictEqual(["on", "off"]);
  });

  test("the commits of one turn are one transaction, and those that come while it is under way the next", async () => {
    const { url, ask } = await postgres().newDatabase();
    const store = await open({ url });
    const writer = await chainWriter(store, "run-1");
    const first = Array.from({ length: 20 }, (_, at) => store.commit(writer.next(`${at}`)));
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const second = Array.from({ length: 20 }, (_, at) => store.commit(writer.next(`later ${at}`)));
    const results = await Promise.all([...first, ...second]);
    expect(results).toStrictEqual(results.map(() => committed));
    const rows = await ask(
      "SELECT count(*)::integer AS n FROM simplefunctions.records GROUP BY xmin::text ORDER BY min(seq)",
    );
    expect(rows.map(({ n }) => n)).toStrictEqual([20, 20]);
  });

  test("a unit that the server cannot take fails alone, and those beside it are written", async () => {
    const { url } = await postgres().newDatabase();
    const store = await open({ url });
    const random = Array.from({ length: 20_000 }, () => Math.random().toString(36)).join("");
    const put = (id: string) =>
      store.commit(
        unit({ documents: [{ ...counter, id, type: "put", expects: 0, status: "s", body: "b" }] }),
      );
    const results = await Promise.allSettled([put("before"), put(random), put("after")]);
    expect(results).toMatchObject([
      { value: committed },
      {
        reason: {
          code: "journal_append_failed",
          message: expect.stringContaining("use shorter ones"),
          details: { reason: "not_written", sqlState: "54000" },
        },
      },
      { value: committed },
    ]);
    const found = await store.documents({ kind: "count", accountId: "a", limit: 9 });
    expect(found.map(({ id }) => id)).toStrictEqual(["after", "before"]);
  });

  test("B22, CVE-2025-8709: what looks like SQL is kept and found as text, in every place that takes one", async () => {
    const { url, ask } = await postgres().newDatabase();
    const store = await open({ url });
    const attacks = [
      "'; DROP TABLE simplefunctions.records; --",
      "' OR '1'='1",
      '"; DELETE FROM simplefunctions.documents; --',
      "$1",
      "$body$; DROP SCHEMA simplefunctions CASCADE; $body$",
      "{NULL}",
      '{"a","b"}',
      "\\'; SELECT pg_sleep(10); --",
      "append",
      "rest",
      "single",
    ];
    await inTurn(attacks, async (text) => {
      const lease = await store.lease(text, text, genesis);
      const epoch = lease.type === "leased" ? lease.epoch : 0;
      const record = {
        ...seal({ seq: 0, hash: genesis }, text),
        content: [{ ref: text, salt: text, text }] as never,
      };
      const document = { kind: text, accountId: text, id: text, status: text, body: text };
      const claim = { accountId: text, scope: text, key: text, digest: text, expiresAt: 2_000, ref: text };
      const whole = unit({
        appends: [{ stream: text, epoch, records: [record] }],
        documents: [{ ...document, type: "put", expects: 0 }],
        claims: [{ ...claim, type: "take" }],
        wakes: [text],
      });
      expect(await store.commit(whole)).toStrictEqual(committed);
      const { prev: _, ...stored } = record;
      expect(await store.readStream({ stream: text, accountId: text, limit: 9 })).toStrictEqual([stored]);
      const query = { kind: text, accountId: text, status: text, after: "", limit: 9 };
      expect(await store.documents(query)).toStrictEqual([{ ...document, revision: 1 }]);
      expect(await store.documentsById(text, text, [text])).toStrictEqual([{ ...document, revision: 1 }]);
      expect(await store.accountsWith(text, text)).toStrictEqual([text]);
      expect(await store.claim(claim, 1_000)).toStrictEqual(claim);
      const erasures = [{ stream: text, accountId: text, seq: 1, ref: text }];
      expect(await store.commit(unit({ erasures }))).toStrictEqual(committed);
      const conflict = {
        type: "conflict",
        on: "claim",
        key: { accountId: text, scope: text, key: text },
        claim,
      };
      expect(await store.commit(unit({ claims: [{ ...claim, type: "take" }] }))).toStrictEqual(conflict);
    });
    const [counts] = await ask(`SELECT (SELECT count(*) FROM simplefunctions.records)::integer AS records,
      (SELECT count(*) FROM simplefunctions.documents)::integer AS documents,
      (SELECT count(*) FROM simplefunctions.claims)::integer AS claims`);
    const many = attacks.length;
    expect(counts).toStrictEqual({ records: many, documents: many, claims: many });
  });

  test.each(["Public", "a b", 'a"b', "a'b", "a;b", "", "1a", "pg_own", "a".repeat(64), "$body$", "ä"])(
    "B22: a schema named %j is refused, and nobody is asked",
    async (schema) => {
      await expect(
        openPostgresStore({ url: "postgres://nobody@127.0.0.1:1/none", schema }),
      ).rejects.toMatchObject({
        code: "host_configuration_needed",
        details: { reason: "schema_name" },
      });
    },
  );
});
