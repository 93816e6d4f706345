// On a real disk and a real server too: what a key was used for is gone with the erased call, and nothing runs by it again.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claimedCallSchema, hashText, parseJsonStrict } from "@spfunctions/contracts";
import type { Store } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { codeOf, openDesk } from "../../kernel/test-data/call-desk.ts";
import { FaultyStore } from "../../kernel/test-data/call-store.ts";
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

const whens = [
  ["stands", { isOver: false }],
  ["has run out", { isOver: true }],
] as const;

test.each(whens)(
  "salt and digest of an erased call's key are in no file of the folder, where it %s",
  async (_, when) => {
    const folder = dataFolder();
    const gone = await eraseCalled(await openSqliteStore({ folder }), when);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const bytes = readFileSync(join(file.parentPath, file.name), "latin1");
      for (const text of gone) expect(bytes).not.toContain(text);
    }
  },
);

describePostgres("salt and digest of an erased call's key are gone from PostgreSQL", (postgres) => {
  test.each(whens)("where it %s", async (_, when) => {
    const { url, ask } = await postgres().newDatabase();
    const [digest = "", salt = ""] = await eraseCalled(await openPostgresStore({ url }), when);
    const rows = JSON.stringify(await ask("SELECT digest, ref FROM simplefunctions.claims"));
    expect(rows).toContain("sha256:");
    expect([rows.includes(digest), rows.includes(salt)]).toStrictEqual([false, false]);
  });
});
