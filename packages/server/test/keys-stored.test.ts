// What is kept of a key, and of secrets that are given to tools: looked for in every byte that was written.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqliteStore } from "@spfunctions/host/store";
import { expect, test } from "vitest";
import type { LogLine } from "../src/log-line.ts";
import { dataFolder } from "../../host/test/data-folder.ts";
import { ask, testPlatform } from "../test-data/test-platform.ts";

const word = "open-sesame-of-the-forty";
const password = "a-Passphrase-for-nobody-else";
const guardrails = { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10 };
const order = { venue: "kalshi", side: "yes", quantity: 1, limitPriceCents: 50, dryRun: true };

/** The files as they are, and every row of every table as a reader sees it. */
function everythingIn(folder: string): string {
  const texts: string[] = [];
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const path = join(name.parentPath, name.name);
    texts.push(readFileSync(path, "latin1"));
    if (!readFileSync(path, "latin1").startsWith("SQLite format 3")) continue;
    const database = new DatabaseSync(path, { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name: table } of tables)
      for (const row of database.prepare(`SELECT * FROM "${String(table)}"`).all())
        texts.push(...Object.values(row).map(textOf));
    database.close();
  }
  return texts.join("\n");
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value);
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const body = Buffer.from(secret.replace(/^sf_live_/, ""));
  const digests = [bytes, body].flatMap((one) => {
    const digest = createHash("sha256").update(one).digest();
    return [
      digest.toString("hex"),
      digest.toString("base64"),
      digest.toString("base64url"),
      digest.toString("latin1"),
    ];
  });
  return [secret, body.toString(), bytes.toString("hex"), bytes.toString("base64url"), ...digests];
}

test("S1, B34: no secret of a key, no token, no word, no password is kept, nor its plain hash", async () => {
  const folder = dataFolder();
  const store = await openSqliteStore({ folder });
  const lines: LogLine[] = [];
  const here = await testPlatform("embedded", { store, log: (line) => void lines.push(line) });
  const said: unknown[] = [];
  const secrets: string[] = [];
  /** Asks; `shown` are the members of the answer that may hold a secret, this once. */
  const asked = async (path: string, terms: Parameters<typeof ask>[2], ...shown: string[]) => {
    const { body } = await ask(here, path, terms);
    const data = (body.ok ? body.data : {}) as Record<string, unknown>;
    for (const name of shown) secrets.push(String(data[name]));
    said.push(shown.length === 0 ? body : { ...body, data: undefined });
    return data;
  };

  const admin = await here.key("acct_1", { scopes: ["admin"] });
  const user = await here.key("acct_1", { scopes: ["read", "write"] });
  secrets.push(admin, user);
  const terms = { scopes: ["trade"], trade: { ...guardrails, confirmToken: word } };
  const made = await asked(
    "/api/keys",
    { key: admin, body: terms, headers: { "idempotency-key": "make-1" } },
    "secret",
  );
  await asked("/api/keys", { key: admin, body: terms, headers: { "idempotency-key": "make-1" } });
  const { keyId } = made["key"] as { keyId: string };
  const rotated = await asked(`/api/keys/${keyId}/rotate`, { key: admin, method: "POST" }, "secret");
  await asked("/api/keys", { key: admin });
  const trader = String(rotated["secret"]);
  await asked("/api/execution", { key: trader, body: { ...order, confirm: word } }, "echo");
  await asked("/api/execution", { key: trader, body: { ...order, confirm: `${word}!` } });
  await asked("/api/execution", { key: trader, body: { ...order, confirm: word, quantity: 99 } });
  await asked("/api/tokens", { key: user, body: { origin: "http://localhost" } }, "token");
  await asked("/api/notes", { key: user, body: { text: "x", password } }, "echo");
  await asked("/api/notes", { key: user, body: { text: "x", password, more: password } });
  // Where a key is pasted by mistake.
  await asked("/api/notes", { key: user, body: { text: `my key is ${admin}` } }, "echo");
  await asked(`/api/portfolio/${trader}`, { key: user }, "book");
  await asked(`/api/keys/${admin}`, { key: admin, method: "DELETE" });
  await asked("/api/keys", { key: admin, body: { name: admin } });
  await asked("/api/keys", { key: admin, body: { name: "x", [admin]: 1 } });
  await asked("/api/agent/world", { key: `${admin}x` });
  await asked("/api/notes", { key: user, body: { text: "x" }, headers: { "idempotency-key": admin } });
  await asked(`/api/keys/${keyId}`, { key: admin, method: "DELETE" });

  await here.platform.close();
  await store.close();
  const kept = everythingIn(folder);
  // What was written is in there, so that what is not found was not written.
  expect(kept).toContain(keyId);
  expect(kept).toContain("keys.create");
  const written = `${kept}\n${JSON.stringify(said)}\n${JSON.stringify(lines)}`;
  const shown = secrets.filter((one) => /^(?:sf_live_|ey)/.test(one));
  const sought = [...new Set([...shown, word, password])];
  expect(sought).toHaveLength(7);
  const found = sought.flatMap(formsOf).filter((form) => written.includes(form));
  expect(found).toStrictEqual([]);
});

test("I1: the word of one account's key is an ordinary word in everybody's texts", async () => {
  const here = await testPlatform();
  await here.key("acct_1", { scopes: ["trade"], trade: { ...guardrails, confirmToken: "completed" } });
  const key = await here.key("acct_2");
  const asked = {
    key,
    body: { text: "it is completed" },
    headers: { "idempotency-key": "note-1" },
  };
  const first = await ask(here, "/api/notes", asked);
  const again = await ask(here, "/api/notes", asked);
  expect(again.body).toMatchObject({ ok: true, meta: { replayed: true } });
  expect(again.body.ok && again.body.data).toStrictEqual(first.body.ok && first.body.data);
});
