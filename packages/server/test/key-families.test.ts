// A2, G3: the keys that come from one key, of whose calls a person must approve some, are a family: none of them answers what another
// asks, and none grants what another could use. Here over HTTP.
import { createMemoryStore, defineTool, openGuestOperator, Seat, type Store } from "@spfunctions/kernel";
import type { AgentPolicy } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { approvalIn, dataIn, errorIn } from "../test-data/asking-account.ts";
import { recordsOf } from "../test-data/journal-records.ts";
import { reachingAccount } from "../test-data/reaching-account.ts";
import {
  type Answer,
  ask,
  installation,
  testPlatform,
  type TestPlatform,
} from "../test-data/test-platform.ts";

const yes = { answer: "approved" } as const;
const asksAboutWrites = { requireForSideEffectAtOrAbove: "user_write" } as const;
/** Asks about trades alone: keys are made without asking anybody. */
const asksAboutTrades: AgentPolicy = {
  maxSideEffect: "paper_trade",
  maxCostEffect: "llm_cost",
  allowTools: ["paper.*", "notes.*", "web.*", "keys.create", "keys.rotate"],
  approvals: { requireForSideEffectAtOrAbove: "paper_trade" },
};

type Made = { readonly key: { readonly keyId: string }; readonly secret: string };

function codeOf({ status, body }: Answer): string {
  return `${status} ${body.ok ? "ok" : body.error.code}`;
}

/** A key that another key makes. */
async function madeBy(
  platform: TestPlatform,
  key: string,
  body: object = { scopes: ["admin"] },
): Promise<Made> {
  return dataIn<Made>((await ask(platform, "/api/keys", { key, body })).body);
}

/** Orders something that the server's policy asks about. */
async function order(platform: TestPlatform, key: string): Promise<string> {
  const answer = await ask(platform, "/api/paper/orders", { key, body: {} });
  expect(codeOf(answer)).toBe("409 approval_required");
  return approvalIn(answer.body);
}

async function answered(platform: TestPlatform, key: string, approvalId: string): Promise<string> {
  return codeOf(await ask(platform, `/api/approvals/${approvalId}/answer`, { key, body: yes }));
}

const both = { scopes: ["read", "write", "admin"] } as const;

describe("where the server's policy alone asks a person", () => {
  test("a key makes a second admin key without being asked, and neither answers what the other asks", async () => {
    const platform = await testPlatform("embedded", { policy: asksAboutTrades });
    const first = await platform.key("acct_1", { scopes: [...both.scopes] });
    const second = await madeBy(platform, first, both);
    const third = await madeBy(platform, second.secret, both);
    const family = [first, second.secret, third.secret];
    for (const asker of family) {
      const approvalId = await order(platform, asker);
      for (const answerer of family)
        expect(await answered(platform, answerer, approvalId)).toBe("403 forbidden");
    }
    expect(platform.deeds).toStrictEqual([]);
    const records = await recordsOf(platform.store, "acct_1", "approval.answered");
    expect(records.map(({ error }) => error?.code)).toStrictEqual(Array(9).fill("forbidden"));
  });

  test("an admin key of another family answers, and so does an operator at the machine", async () => {
    const store = createMemoryStore();
    const platform = await testPlatform("embedded", { policy: asksAboutTrades, store });
    const first = await platform.key("acct_1", { scopes: [...both.scopes] });
    const other = await platform.key("acct_1", { scopes: ["admin"] });
    const { secret } = await madeBy(platform, first, both);
    expect(await answered(platform, other, await order(platform, secret))).toBe("200 ok");
    const approvalId = await order(platform, first);
    const principal = {
      accountId: "acct_1",
      keyId: "operator",
      scopes: ["admin"],
      kind: "operator",
    } as const;
    const beside = openGuestOperator({ store, installation, principal, waitMs: 10_000 });
    expect((await beside.approve(approvalId)).status).toBe("approved");
  });

  test("a key that left its word in the inbox is one of its family there, too", async () => {
    const store = createMemoryStore();
    const platform = await testPlatform("embedded", { policy: asksAboutTrades, store });
    const first = await platform.key("acct_1", { scopes: [...both.scopes] });
    const { key } = await madeBy(platform, first, both);
    const approvalId = await order(platform, first);
    const principal = { accountId: "acct_1", keyId: key.keyId, scopes: ["admin"], kind: "key" } as const;
    const beside = openGuestOperator({ store, installation, principal, waitMs: 10_000 });
    await expect(beside.approve(approvalId)).rejects.toMatchObject({ code: "forbidden" });
  });

  test("a key whose secret was rotated belongs to the family of the key that got the new one, and to its own", async () => {
    const platform = await testPlatform("embedded", { policy: asksAboutTrades });
    const first = await platform.key("acct_1", { scopes: [...both.scopes] });
    const made = await platform.platform.createKey("acct_1", { scopes: [...both.scopes] });
    const path = `/api/keys/${made.key.keyId}/rotate`;
    const rotated = dataIn<Made>((await ask(platform, path, { key: first, method: "POST" })).body);
    const child = await madeBy(platform, rotated.secret, both);
    expect(await answered(platform, rotated.secret, await order(platform, first))).toBe("403 forbidden");
    expect(await answered(platform, child.secret, await order(platform, first))).toBe("403 forbidden");
    expect(await answered(platform, first, await order(platform, child.secret))).toBe("403 forbidden");
    const again = dataIn<Made>((await ask(platform, path, { key: rotated.secret, method: "POST" })).body);
    expect(await answered(platform, again.secret, await order(platform, first))).toBe("403 forbidden");
  });

  test("a key that rotates itself stays in its family, and joins no other", async () => {
    const platform = await testPlatform("embedded", { policy: asksAboutTrades });
    const first = await platform.key("acct_1", { scopes: [...both.scopes] });
    const other = await platform.platform.createKey("acct_1", { scopes: ["admin"] });
    const { key, secret } = await madeBy(platform, first, both);
    const rotate = async (keyId: string, own: string) =>
      dataIn<Made>((await ask(platform, `/api/keys/${keyId}/rotate`, { key: own, method: "POST" })).body)
        .secret;
    const approvalId = await order(platform, first);
    expect(await answered(platform, await rotate(key.keyId, secret), approvalId)).toBe("403 forbidden");
    expect(await answered(platform, await rotate(other.key.keyId, other.secret), approvalId)).toBe("200 ok");
  });

  test("a key gets no secret of a key whose call it has approved, until that yes is used", async () => {
    const platform = await testPlatform("embedded", { policy: asksAboutTrades });
    const first = await platform.key("acct_1", { scopes: [...both.scopes] });
    const other = await platform.platform.createKey("acct_1", { scopes: [...both.scopes] });
    const rotate = async () =>
      await ask(platform, `/api/keys/${other.key.keyId}/rotate`, { key: first, method: "POST" });
    expect(await answered(platform, first, await order(platform, other.secret))).toBe("200 ok");
    expect(codeOf(await rotate())).toBe("403 forbidden");
    expect(codeOf(await ask(platform, "/api/paper/orders", { key: other.secret, body: {} }))).toBe("200 ok");
    expect(codeOf(await rotate())).toBe("200 ok");
  });

  test("a long line of keys is one family, whoever of it was revoked, and so are keys of another that one of them rotated", async () => {
    const store = createMemoryStore();
    const before = await testPlatform("embedded", { store });
    const first = await before.platform.createKey("acct_1", { scopes: [...both.scopes] });
    const line: Made[] = [first];
    while (line.length < 20) line.push(await madeBy(before, line.at(-1)?.secret ?? "", both));
    for (const { key } of line.slice(5, 15))
      await ask(before, `/api/keys/${key.keyId}`, { key: first.secret, method: "DELETE" });
    const last = line.at(-1)?.secret ?? "";
    const other = await before.platform.createKey("acct_1", { scopes: [...both.scopes] });
    const rotate = async (key: string) => {
      const answer = await ask(before, `/api/keys/${other.key.keyId}/rotate`, { key, method: "POST" });
      return dataIn<Made>(answer.body).secret;
    };
    const own = await rotate(await rotate(last));
    const made = await madeBy(before, own, both);
    await before.platform.close();
    const platform = await testPlatform("embedded", { store, policy: asksAboutTrades });
    const family = [first.secret, line[4]?.secret ?? "", last, other.secret, own, made.secret];
    for (const asker of [first.secret, made.secret]) {
      const approvalId = await order(platform, asker);
      for (const answerer of family)
        expect(await answered(platform, answerer, approvalId)).toBe("403 forbidden");
    }
  });

  test("what a page or a run asks with what a key has lent is answered by no key that the key has made", async () => {
    const page = "https://app.example.com";
    const options = { store: createMemoryStore(), allowedOrigins: [page] };
    const before = await testPlatform("embedded", options);
    const first = await before.key("acct_1", { scopes: [...both.scopes] });
    const { secret } = await madeBy(before, first, both);
    const lent = async (path: string, body?: object) =>
      dataIn<{ token: string }>((await ask(before, path, { key: first, method: "POST", body })).body).token;
    const token = await lent("/api/tokens", { origin: page, scopes: ["read", "write"] });
    const credential = await lent("/api/runs/run_0123456789/credential");
    await before.platform.close();
    const policy = { ...asksAboutTrades, approvals: asksAboutWrites } as const;
    const platform = await testPlatform("embedded", { ...options, policy });
    for (const [key, headers] of [
      [token, { origin: page }],
      [credential, {}],
    ] as const) {
      const { body } = await ask(platform, "/api/notes", { key, body: { text: "milk" }, headers });
      for (const answerer of [first, secret])
        expect(await answered(platform, answerer, approvalIn(body))).toBe("403 forbidden");
      const other = await platform.key("acct_1", { scopes: ["admin"] });
      expect(await answered(platform, other, approvalIn(body))).toBe("200 ok");
    }
  });

  test("an approver whom the policy names does not answer for a key that it made", async () => {
    const store = createMemoryStore();
    const before = await testPlatform("embedded", { store });
    const first = await before.platform.createKey("acct_1", { scopes: [...both.scopes] });
    const child = await madeBy(before, first.secret, { scopes: ["read", "write"] });
    const approvals = { ...asksAboutTrades.approvals, approvers: [child.key.keyId] };
    const platform = await testPlatform("embedded", { store, policy: { ...asksAboutTrades, approvals } });
    expect(await answered(platform, child.secret, await order(platform, first.secret))).toBe("403 forbidden");
  });

  test("keys that were made before the policy asked are a family from then on", async () => {
    const store = createMemoryStore();
    const before = await testPlatform("embedded", { store });
    const first = await before.key("acct_1", { scopes: [...both.scopes] });
    const { secret } = await madeBy(before, first, both);
    await before.platform.close();
    const platform = await testPlatform("embedded", { store, policy: asksAboutTrades });
    expect(await answered(platform, secret, await order(platform, first))).toBe("403 forbidden");
  });

  test("a key that was rotated by a version which kept not by whom answers no other key", async () => {
    const store = createMemoryStore();
    const platform = await testPlatform("embedded", { policy: asksAboutTrades, store });
    const asker = await platform.key("acct_1", { scopes: [...both.scopes] });
    const made = await platform.platform.createKey("acct_1", { scopes: ["admin"] });
    await withoutRotators(store, made.key.keyId);
    const refused = await ask(platform, `/api/approvals/${await order(platform, asker)}/answer`, {
      key: made.secret,
      body: yes,
    });
    expect(codeOf(refused)).toBe("403 forbidden");
    expect(errorIn(refused.body).details).toMatchObject({ reason: "key_family" });
  });
});

describe("where somebody gets at the keys' rows, or is quick", () => {
  test("a key answers for no key of its family whose maker's row was removed", async () => {
    const store = createMemoryStore();
    const platform = await testPlatform("embedded", { policy: asksAboutTrades, store });
    const first = await platform.platform.createKey("acct_1", { scopes: [...both.scopes] });
    const [second, third] = [
      await madeBy(platform, first.secret, both),
      await madeBy(platform, first.secret, both),
    ];
    const approvalId = await order(platform, second.secret);
    const key = { kind: "key", accountId: "acct_1", id: first.key.keyId } as const;
    const expects = (await store.document(key))?.revision ?? 0;
    await store.commit({ durability: "process", now: 0, documents: [{ type: "remove", ...key, expects }] });
    expect(await answered(platform, third.secret, approvalId)).toBe("403 forbidden");
    const other = await platform.key("acct_1", { scopes: ["admin"] });
    // Nobody knows which keys that one came from.
    expect(await answered(platform, other, approvalId)).toBe("403 forbidden");
  });

  test("what a key approves or grants while it rotates the key that asks lets it run nothing and reach nothing", async () => {
    const account = await reachingAccount("embedded", { policy: asksAboutTrades });
    const { platform, request } = account;
    const first = await platform.platform.createKey("acct_1", { scopes: [...both.scopes] });
    const came: string[] = [];
    for (let turns = 0; turns < 240; turns += 5) {
      const made = await platform.platform.createKey("acct_1", { scopes: ["read", "write"] });
      const { keyId } = made.key;
      const capability = `net:h${turns}.example.com`;
      const rotating = request(`/api/keys/${keyId}/rotate`, { key: first.secret, method: "POST" });
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const granting = request("/api/grants", { key: first.secret, body: { capability, keyId } });
      const [rotated, granted] = [await rotating, await granting];
      if (!rotated.body.ok) continue;
      const { secret } = dataIn<Made>(rotated.body);
      came.push(
        `${codeOf(granted)}: ${codeOf(await account.fetch(secret, `https://h${turns}.example.com/`))}`,
      );
    }
    expect([...new Set(came)].filter((one) => !one.endsWith(": 403 capability_denied"))).toStrictEqual([]);
    expect(account.reached).toStrictEqual([]);
  });

  test("nor is a call run that was approved so", async () => {
    const platform = await testPlatform("embedded", { policy: asksAboutTrades });
    const first = await platform.platform.createKey("acct_1", { scopes: [...both.scopes] });
    for (let turns = 0; turns < 240; turns += 5) {
      const made = await platform.platform.createKey("acct_1", { scopes: ["read", "write"] });
      const approvalId = await order(platform, made.secret);
      const path = `/api/keys/${made.key.keyId}/rotate`;
      const rotating = ask(platform, path, { key: first.secret, method: "POST" });
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const answering = answered(platform, first.secret, approvalId);
      const [rotated] = [await rotating, await answering];
      if (!rotated.body.ok) continue;
      const { secret } = dataIn<Made>(rotated.body);
      expect(codeOf(await ask(platform, "/api/paper/orders", { key: secret, body: {} }))).toBe(
        "409 approval_required",
      );
    }
    expect(platform.deeds).toStrictEqual([]);
  });
});

describe("where a rule of the host can ask a person", () => {
  test("a key answers nothing that a key asks which it has made, and grants nothing by name to its family", async () => {
    const options = { evaluatePreTool: ({ tool }: { tool: string }) => ruleAbout(tool) };
    const platform = await testPlatform("embedded", options);
    const first = await platform.key("acct_1", { scopes: [...both.scopes] });
    const { secret } = await madeBy(platform, first, { ...both, approvals: asksAboutWrites });
    for (const [asker, answerer] of [
      [first, secret],
      [secret, first],
    ] as const) {
      const { body } = await ask(platform, "/api/notes", { key: asker, body: { text: "milk" } });
      expect(await answered(platform, answerer, approvalIn(body))).toBe("403 forbidden");
    }
    const granted = await ask(platform, "/api/grants", { key: first, body: { capability: "net" } });
    expect(codeOf(granted)).toBe("403 forbidden");
    const other = await platform.key("acct_1", { scopes: ["admin"] });
    const { body } = await ask(platform, "/api/notes", { key: first, body: { text: "tea" } });
    expect(await answered(platform, other, approvalIn(body))).toBe("200 ok");
  });
});

const letter = defineTool({
  name: "mail.send",
  description: "Sends a letter.",
  input: z.strictObject({ to: z.string() }),
  output: z.strictObject({ to: z.string() }),
  permissions: ["test:use"],
  sideEffect: "user_write",
  costEffect: "none",
  run: ({ to }) => ({ to }),
});

describe("where only a level of a program beside the platform asks a person", () => {
  test.each(["agent", "session", "run"] as const)(
    "a key that the asking key made does not answer, nor one that has its maker in common: the level is the %s's",
    async (level) => {
      const platform = await testPlatform();
      const { store } = platform;
      const first = await platform.platform.createKey("acct_1", { scopes: [...both.scopes] });
      const [second, third] = [
        await madeBy(platform, first.secret, both),
        await madeBy(platform, first.secret, both),
      ];
      const asked = async (keyId: string) => {
        const principal = {
          accountId: "acct_1",
          keyId,
          scopes: ["read", "write"],
          kind: "run",
          runId: "run_0123456789",
        } as const;
        const ceiling = { maxSideEffect: "user_write", maxCostEffect: "llm_cost" } as const;
        const seat = new Seat({
          packs: [letter],
          store,
          installation,
          principal,
          levels: [
            { level: "parent", policy: ceiling },
            { level, policy: { ...ceiling, approvals: asksAboutWrites } },
          ],
          origin: "model",
          surface: "agent",
          asking: "return",
        });
        const outcome = await seat.call({ tool: "mail.send", input: { to: "bank" } });
        await seat.close();
        return outcome.type === "refused" ? String(outcome.error.details?.["approvalId"]) : outcome.type;
      };
      const approvalId = await asked(first.key.keyId);
      for (const key of [first.secret, second.secret, third.secret])
        expect(await answered(platform, key, approvalId)).toBe("403 forbidden");
      expect(await answered(platform, third.secret, await asked(second.key.keyId))).toBe("403 forbidden");
      const other = await platform.key("acct_1", { scopes: ["admin"] });
      expect(await answered(platform, other, approvalId)).toBe("200 ok");
    },
  );
});

function ruleAbout(tool: string): { readonly outcome: "ask" | "allow" } {
  return { outcome: tool === "notes.add" ? "ask" : "allow" };
}

describe("where no policy of the server asks", () => {
  test("an admin key answers what a key asks that it has made, unless a part of the call is hidden", async () => {
    const platform = await testPlatform();
    const admin = await platform.key("acct_1", { scopes: ["admin"] });
    const agent = await madeBy(platform, admin, { scopes: ["read", "write"], approvals: asksAboutWrites });
    const call = async (body: object) =>
      approvalIn((await ask(platform, "/api/notes", { key: agent.secret, body })).body);
    expect(await answered(platform, admin, await call({ text: "milk" }))).toBe("200 ok");
    // The admin key would be asked about that call as well.
    const hidden = await call({ text: `for sf_live_${"a1B2c3D4".repeat(4)}` });
    expect(await answered(platform, admin, hidden)).toBe("403 forbidden");
    expect(await answered(platform, await platform.key("acct_1", { scopes: ["admin"] }), hidden)).toBe(
      "200 ok",
    );
  });
});

describe("the asker of a capability does not grant it to itself", () => {
  const approvals = { requireForSideEffectAtOrAbove: "paper_trade" } as const;
  const wished = "net:api.example.com";
  const covering = [wished, "net", "net:*.example.com"];

  async function family(options: Parameters<typeof reachingAccount>[1] = {}, own: object = { approvals }) {
    const account = await reachingAccount("embedded", options);
    const scopes = [...both.scopes];
    const made = await account.platform.platform.createKey("acct_1", { name: "asked", scopes, ...own });
    const second = await madeBy(account.platform, made.secret, { scopes, ...own });
    const grant = async (key: string, body: object) =>
      codeOf(await account.request("/api/grants", { key, body }));
    /** A run of the first key wishes for it. */
    const wish = async () => {
      await account.fetch(made.secret, "https://api.example.com/");
      return (await account.list(account.operator, "?status=pending")).at(-1);
    };
    return { ...account, first: made.secret, firstId: made.key.keyId, second, grant, wish };
  }

  test("by its name: for the account, for itself, its session or run, or for a key that it made, also before it is wished for", async () => {
    const { first, firstId, second, grant, list, operator, agentId } = await family();
    for (const key of [first, second.secret])
      for (const capability of covering)
        for (const whom of [
          {},
          { keyId: firstId },
          { keyId: second.key.keyId },
          { keyId: firstId, sessionId: "monday", scope: "session" },
          { keyId: firstId, runId: "run_0123456789", scope: "turn" },
        ])
          expect([capability, whom, await grant(key, { capability, ...whom })]).toStrictEqual([
            capability,
            whom,
            "403 forbidden",
          ]);
    expect(await list(operator, "?status=any")).toStrictEqual([]);
    // What its own family cannot use it may grant.
    expect(await grant(first, { capability: wished, keyId: agentId })).toBe("200 ok");
  });

  test("nor does a second key that it made answer the wish", async () => {
    const { first, second, answer, operator, wish } = await family();
    const { grantId = "" } = (await wish()) ?? {};
    for (const key of [first, second.secret])
      for (const said of ["granted", "denied"])
        expect(codeOf(await answer(grantId, key, { answer: said }))).toBe("403 forbidden");
    expect(codeOf(await answer(grantId, operator, { answer: "granted" }))).toBe("200 ok");
  });

  test("nor where the server's policy alone asks a person", async () => {
    const { first, second, wish, answer, grant, operator, firstId } = await family(
      { policy: asksAboutTrades },
      {},
    );
    const wanted = await wish();
    expect(wanted?.capability).toBe(wished);
    expect(codeOf(await answer(wanted?.grantId ?? "", second.secret, { answer: "granted" }))).toBe(
      "403 forbidden",
    );
    for (const key of [first, second.secret])
      for (const capability of covering) {
        expect(await grant(key, { capability })).toBe("403 forbidden");
        expect(await grant(key, { capability, keyId: firstId })).toBe("403 forbidden");
      }
    expect(await grant(operator, { capability: wished, keyId: firstId })).toBe("200 ok");
  });

  test("nor for a key of another family whose secret it then rotates for itself", async () => {
    const { first, platform, request, grant, list, operator } = await family({ policy: asksAboutTrades }, {});
    const made = await platform.platform.createKey("acct_1", { scopes: ["read", "write"] });
    const { keyId } = made.key;
    const rotate = async () => await request(`/api/keys/${keyId}/rotate`, { key: first, method: "POST" });
    expect(await grant(first, { capability: wished, keyId })).toBe("200 ok");
    const refused = await rotate();
    expect(codeOf(refused)).toBe("403 forbidden");
    expect(errorIn(refused.body).details).toMatchObject({ reason: "key_family", keyId });
    const [granted] = await list(operator);
    await request(`/api/grants/${granted?.grantId}/answer`, { key: first, body: { answer: "revoked" } });
    expect(codeOf(await rotate())).toBe("200 ok");
    expect(await grant(first, { capability: wished, keyId })).toBe("403 forbidden");
    expect(await grant(operator, { capability: wished, keyId })).toBe("200 ok");
  });

  test("nor does a key that it made answer the wish of an admin key without approvals, or grant it by name", async () => {
    const { first, second, wish, answer, grant, operator } = await family({}, {});
    const { grantId = "" } = (await wish()) ?? {};
    expect(codeOf(await answer(grantId, second.secret, { answer: "granted" }))).toBe("403 forbidden");
    for (const capability of covering)
      expect(await grant(second.secret, { capability })).toBe("403 forbidden");
    expect(codeOf(await answer(grantId, operator, { answer: "granted" }))).toBe("200 ok");
    // Also once its wish was granted, and that is over.
    expect(codeOf(await answer(grantId, operator, { answer: "revoked" }))).toBe("200 ok");
    for (const key of [first, second.secret])
      expect(await grant(key, { capability: wished })).toBe("403 forbidden");
  });

  test("nor does an admin key without approvals get by name what its own wish is for", async () => {
    const { first, wish, grant, fetch, operator } = await family({}, {});
    expect((await wish())?.capability).toBe(wished);
    for (const capability of covering)
      expect([capability, await grant(first, { capability })]).toStrictEqual([capability, "403 forbidden"]);
    expect(await grant(first, { capability: "net:other.example" })).toBe("200 ok");
    expect(codeOf(await fetch(first, "https://api.example.com/"))).toBe("403 capability_denied");
    expect(await grant(operator, { capability: wished })).toBe("200 ok");
    expect(codeOf(await fetch(first, "https://api.example.com/"))).toBe("200 ok");
  });
});

/** Makes of a key what an earlier version left of one that was rotated. */
async function withoutRotators(store: Store, keyId: string): Promise<void> {
  const key = { kind: "key", accountId: "acct_1", id: keyId } as const;
  const document = await store.document(key);
  if (document === undefined) throw new Error("there is no such key");
  const { readKeyRecord, keyRecordText } = await import("../src/keys/key-record.ts");
  const record = readKeyRecord(document, installation.keyHash);
  const body = keyRecordText({ ...record, rotatedAt: record.createdAt }, installation.keyHash);
  const { revision: expects, status } = document;
  const documents = [{ type: "put", ...key, expects, status, body }] as const;
  await store.commit({ durability: "process", now: 0, documents });
}
