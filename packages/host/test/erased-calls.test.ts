// On a real disk and a real server too: with an erased call is gone what its key was used for, and what tells what a model was told
// of it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claimedCallSchema, hashText, parseJsonStrict } from "@spfunctions/contracts";
import type { Store } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { codeOf, openDesk } from "../../kernel/test-data/call-desk.ts";
import { FaultyStore } from "../../kernel/test-data/call-store.ts";
import { openRunDesk, read, saying, storedRun, toldIn } from "../../kernel/test-data/run-desk.ts";
import { openPostgresStore, openSqliteStore } from "../src/store/index.ts";
import { dataFolder } from "./data-folder.ts";
import { describePostgres } from "./describe-postgres.ts";

const unlock = { tool: "notes.write", input: { pin: 4711 }, idempotencyKey: "unlock-1" };
const key = { accountId: "acct_1", scope: "call:notes.write", key: "unlock-1" };

/** Calls and erases, of a claim that stands or one whose time is over; gives back what nothing may hold from then on. */
async function eraseCalled(inner: Store, { isOver }: { readonly isOver: boolean }): Promise<string[]> {
  onTestFinished(() => inner.close());
  const desk = openDesk({ store: new FaultyStore(inner), limits: { claimMs: 1000 } });
  expect(codeOf(await desk.call(unlock))).toBe("completed");
  const taken = await inner.claim(key, 0);
  const { callId, salt = "" } = claimedCallSchema.parse(parseJsonStrict(taken?.ref ?? ""));
  if (isOver) desk.clock.advance(1000);
  await desk.seat.erase(callId);
  const kept = await inner.claim(key, 0);
  expect(kept).toStrictEqual({ ...taken, digest: hashText(""), ref: `{"callId":"${callId}","erased":true}` });
  expect(codeOf(await desk.call(unlock))).toBe(isOver ? "completed" : "not_found");
  expect(desk.deck.runs).toHaveLength(isOver ? 2 : 1);
  await desk.seat.close();
  expect((await desk.seat.verify()).status).toBe("ok");
  return [taken?.digest ?? "", salt];
}

/** The same of a call of a run. */
async function eraseInRun(inner: Store): Promise<string[]> {
  onTestFinished(() => inner.close());
  const store = new FaultyStore(inner);
  const { start, records, runs, deck, clock } = openRunDesk({ store, script: saying([read], "done") });
  const handle = await start();
  await handle.wait();
  const { runId } = handle;
  const [before, after] = toldIn(await storedRun(inner, runId));
  const call = (await records(runId)).find(({ kind }) => kind === "call.read");
  const { seat } = openDesk({ life: 7, store, deck, clock });
  await seat.erase((call as { callId?: string }).callId ?? "");
  expect(toldIn(await storedRun(inner, runId))).toStrictEqual([before]);
  await Promise.all([seat.close(), runs.close()]);
  expect((await seat.verify()).status).toBe("ok");
  return [after?.digest ?? ""];
}

/** All that lies in the files of a folder. */
function bytesIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
}

const whens = [
  ["stands", { isOver: false }],
  ["has run out", { isOver: true }],
] as const;

test.each(whens)(
  "salt and digest of an erased call's key are in no file of the folder, where it %s",
  async (_, when) => {
    const folder = dataFolder();
    const gone = await eraseCalled(await openSqliteStore({ folder }), when);
    const bytes = bytesIn(folder);
    expect(bytes).toContain("call.intended");
    for (const text of gone) expect(bytes).not.toContain(text);
  },
);

test("the digest of what a model was told of an erased call is in no file of the folder", async () => {
  const folder = dataFolder();
  const [digest = ""] = await eraseInRun(await openSqliteStore({ folder }));
  const bytes = bytesIn(folder);
  expect(bytes).toContain("model.intended");
  expect(bytes).not.toContain(digest);
});

describePostgres("of an erased call is gone from PostgreSQL", (postgres) => {
  test.each(whens)("salt and digest of its key, where it %s", async (_, when) => {
    const { url, ask } = await postgres().newDatabase();
    const [digest = "", salt = ""] = await eraseCalled(await openPostgresStore({ url }), when);
    const rows = JSON.stringify(await ask("SELECT digest, ref FROM simplefunctions.claims"));
    expect(rows).toContain("sha256:");
    expect([rows.includes(digest), rows.includes(salt)]).toStrictEqual([false, false]);
  });

  test("the digest of what a model was told of it", async () => {
    const { url, ask } = await postgres().newDatabase();
    const [digest = ""] = await eraseInRun(await openPostgresStore({ url }));
    const tables = await ask("SELECT tablename FROM pg_tables WHERE schemaname = 'simplefunctions'");
    const names = tables.map((one) => one["tablename"] as string);
    expect(names.length).toBeGreaterThan(2);
    for (const name of names)
      expect(JSON.stringify(await ask(`SELECT t::text FROM simplefunctions.${name} t`))).not.toContain(
        digest,
      );
  });
});
