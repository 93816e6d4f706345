// A key's record is what was written by whoever holds the installation's secret, for that key of that account, or nothing.
import type { StoredDocument } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { installation } from "../../test-data/test-platform.ts";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import {
  isLive,
  keyKind,
  type KeyRecord,
  keyRecordSchema,
  keyRecordText,
  keyTermsSchema,
  readKeyRecord,
} from "./key-record.ts";

const { keyHash } = installation;

const record: KeyRecord = keyRecordSchema.parse({
  keyId: "key_12345678",
  accountId: "acct_1",
  name: "mine",
  scopes: ["read"],
  allowTools: ["world.read"],
  expiresAt: "2026-06-01T00:00:00.000Z",
  createdAt: "2026-01-01T00:00:00.000Z",
  createdBy: "operator",
  secrets: [{ hash: keyHash("a secret") }],
});

const document: StoredDocument = {
  kind: keyKind,
  accountId: "acct_1",
  id: "key_12345678",
  status: "active",
  revision: 1,
  body: keyRecordText(record, keyHash),
};

function reasonOf(stored: StoredDocument): string {
  return refusalOf(() => readKeyRecord(stored, keyHash)).code;
}

function edited(change: (sealed: { record: Record<string, unknown>; mac: unknown }) => void): StoredDocument {
  const sealed = JSON.parse(document.body) as { record: Record<string, unknown>; mac: unknown };
  change(sealed);
  return { ...document, body: JSON.stringify(sealed) };
}

test("what was written is read", () => {
  expect(readKeyRecord(document, keyHash)).toStrictEqual(record);
});

describe("what somebody with the store but not the secret has done to a record is refused:", () => {
  test.each<[string, StoredDocument]>([
    ["more scopes", edited(({ record: it }) => Object.assign(it, { scopes: ["read", "admin"] }))],
    ["no allow-list", edited(({ record: it }) => delete it["allowTools"])],
    ["no expiry", edited(({ record: it }) => delete it["expiresAt"])],
    [
      "a later expiry",
      edited(({ record: it }) => Object.assign(it, { expiresAt: "2036-06-01T00:00:00.000Z" })),
    ],
    ["another secret", edited(({ record: it }) => Object.assign(it, { secrets: [{ hash: "00" }] }))],
    ["guardrails", edited(({ record: it }) => Object.assign(it, { trade: {} }))],
    ["another name", edited(({ record: it }) => Object.assign(it, { name: "theirs" }))],
    ["an unknown member", edited(({ record: it }) => Object.assign(it, { kind: "operator" }))],
    ["another seal", edited((sealed) => (sealed.mac = keyHash("another")))],
    ["a shorter seal", edited((sealed) => (sealed.mac = String(sealed.mac).slice(0, -1)))],
    ["an empty seal", edited((sealed) => (sealed.mac = ""))],
    ["no seal", edited((sealed) => delete (sealed as { mac?: unknown }).mac)],
    ["moved to another account", { ...document, accountId: "acct_2" }],
    ["moved to another key", { ...document, id: "key_87654321" }],
    [
      "moved, and saying so",
      {
        ...edited(({ record: it }) => Object.assign(it, { accountId: "acct_2" })),
        accountId: "acct_2",
      },
    ],
    ["a member twice", { ...document, body: document.body.replace("{", '{"mac":"x",') }],
    ["no JSON", { ...document, body: "key" }],
    ["nothing", { ...document, body: "" }],
  ])("%s", (_, stored) => {
    expect(reasonOf(stored)).toMatch(/^(?:journal_corrupt|invalid_input)$/);
  });

  test("sealed with another hash", () => {
    const body = keyRecordText(record, (text) => keyHash(`another ${text}`));
    expect(reasonOf({ ...document, body })).toBe("journal_corrupt");
  });
});

test("a key is good until the moment it expires, and never after it was revoked", () => {
  const at = Date.parse("2026-06-01T00:00:00.000Z");
  expect([at - 1, at, at + 1].map((now) => isLive(record, now))).toStrictEqual([true, false, false]);
  expect(isLive({ ...record, revokedAt: "2026-02-01T00:00:00.000Z" }, at - 1)).toBe(false);
});

test.each([
  ["no name", { name: "" }],
  ["a name too long to show", { name: "n".repeat(101) }],
  ["no scope", { scopes: [] }],
  ["more tools than a call can look through", { allowTools: Array.from({ length: 1001 }, () => "notes.*") }],
  ["what nobody knows", { scope: "read" }],
])("no key is made with %s", (_, terms) => {
  expect(keyTermsSchema.partial().safeParse({ allowTools: ["notes.*"] }).success).toBe(true);
  expect(keyTermsSchema.partial().safeParse(terms).success).toBe(false);
});
