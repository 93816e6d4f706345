// A2, I1: what a key has decided and made is listed with its revocation, and ended with it: by one governed call, on record.
import { defineTool, verifyAccount } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { approvalIn, asksAboutWrites, dataIn, errorIn } from "../test-data/asking-account.ts";
import { classPack } from "../test-data/class-pack.ts";
import { recordsOf } from "../test-data/journal-records.ts";
import { ask, type Answer, type Asked, testPlatform } from "../test-data/test-platform.ts";
import type { Decided } from "../src/keys/decided-schema.ts";

type Made = { readonly key: { readonly keyId: string }; readonly secret: string };
type Ended = {
  readonly key: { readonly keyId: string; readonly status: string };
  readonly decided?: Decided;
};

function codeOf({ status, body }: Answer): string {
  return `${status} ${body.ok ? "ok" : body.error.code}`;
}

/** An account in which somebody has used an admin key that was not theirs, and an operator besides. */
async function leaked(way: "socket" | "embedded" = "embedded") {
  const platform = await testPlatform(way, { packs: [classPack([])] });
  const request = (path: string, asked: Asked) => ask(platform, path, asked);
  const key = async (body: object) => await platform.platform.createKey("acct_1", body);
  const stolen = await key({ name: "stolen", scopes: ["read", "write", "admin"] });
  const operator = await key({ name: "operator", scopes: ["admin"] });
  const agent = await key({ name: "agent", scopes: ["read", "write"], approvals: asksAboutWrites });
  const make = async (by: string, name: string) =>
    dataIn<Made>(
      (await request("/api/keys", { key: by, body: { name, scopes: ["read", "write", "admin"] } })).body,
    );
  const grant = async (by: string, capability: string) =>
    dataIn<{ grantId: string }>(
      (await request("/api/grants", { key: by, body: { capability, scope: "until", forMs: 60_000 } })).body,
    ).grantId;
  const write = async (text: string) =>
    await request("/api/notes", { key: agent.secret, body: { text }, headers: { "x-sf-session": "monday" } });
  const approve = async (by: string, text: string, body: object = { answer: "approved" }) => {
    const approvalId = approvalIn((await write(text)).body);
    const said = await request(`/api/approvals/${approvalId}/answer`, { key: by, body });
    expect(codeOf(said)).toBe("200 ok");
    return approvalId;
  };
  const second = await make(stolen.secret, "second");
  const third = await make(second.secret, "third");
  const theirs = {
    capabilities: [await grant(stolen.secret, "net:a.example"), await grant(third.secret, "net:b.example")],
    approvals: [await approve(stolen.secret, "milk"), await approve(second.secret, "tea")],
    session: await approve(stolen.secret, "bread", { answer: "approved_for_session", fixed: ["/text"] }),
  };
  const others = {
    capability: await grant(operator.secret, "net:c.example"),
    approval: await approve(operator.secret, "salt"),
  };
  const revoke = async (decided?: string, by = operator.secret, keyId: string = stolen.key.keyId) =>
    await request(`/api/keys/${keyId}${decided === undefined ? "" : `?decided=${decided}`}`, {
      key: by,
      method: "DELETE",
    });
  const ended = async (decided?: string) => dataIn<Ended>((await revoke(decided)).body);
  const isGood = async ({ secret }: Made) => (await request("/api/runtime", { key: secret })).status === 200;
  const reads = { request, key, isGood, revoke, ended, write };
  return { platform, ...reads, stolen, operator, agent, second, third, theirs, others };
}

describe.each(["socket", "embedded"] as const)("a stolen admin key (%s)", (way) => {
  test("is revoked with a list of what it, and the keys that come from it, have granted, approved and made", async () => {
    const { ended, second, third, stolen, theirs, agent, isGood } = await leaked(way);
    const { key, decided } = await ended("list");
    expect(key).toMatchObject({ keyId: stolen.key.keyId, status: "revoked" });
    expect(decided?.isEnded).toBe(false);
    expect(new Map(decided?.madeKeys.map(({ keyId, createdBy }) => [keyId, createdBy]))).toStrictEqual(
      new Map([
        [second.key.keyId, stolen.key.keyId],
        [third.key.keyId, second.key.keyId],
      ]),
    );
    // What was decided in the same millisecond has no order.
    const byName = (one: { capability: string }, other: { capability: string }) =>
      one.capability < other.capability ? -1 : 1;
    expect(decided?.capabilities.toSorted(byName)).toMatchObject([
      { grantId: theirs.capabilities[0], capability: "net:a.example", decidedByKeyId: stolen.key.keyId },
      { grantId: theirs.capabilities[1], capability: "net:b.example", decidedByKeyId: third.key.keyId },
    ]);
    expect(decided?.sessions).toMatchObject([
      { tool: "notes.add", sessionId: "monday", holderKeyId: agent.key.keyId },
    ]);
    expect(new Set(decided?.approvals.map(({ approvalId }) => approvalId))).toStrictEqual(
      new Set(theirs.approvals),
    );
    expect([await isGood(stolen), await isGood(second), await isGood(third)]).toStrictEqual([
      false,
      true,
      true,
    ]);
  });

  test("is ended with all of that by one call, which leaves alone what others have decided", async () => {
    const set = await leaked(way);
    const { ended, second, third, isGood, request, operator, theirs, others, write, platform } = set;
    const { decided } = await ended("end");
    expect(decided).toMatchObject({ isEnded: true, more: false });
    expect([decided?.madeKeys.length, decided?.capabilities.length]).toStrictEqual([2, 2]);
    expect([await isGood(second), await isGood(third)]).toStrictEqual([false, false]);
    const list = async (path: string) =>
      dataIn<{ items: { grantId: string; status: string }[] }>(
        (await request(path, { key: operator.secret })).body,
      ).items;
    expect((await list("/api/grants?status=granted")).map(({ grantId }) => grantId)).toStrictEqual([
      others.capability,
    ]);
    expect(await list("/api/approvals/grants")).toStrictEqual([]);
    for (const approvalId of theirs.approvals) {
      const { body } = await request(`/api/approvals/${approvalId}`, { key: operator.secret });
      expect(dataIn<{ status: string }>(body).status).toBe("superseded");
    }
    // What it approved is asked about anew, in the session as well; what the operator approved runs.
    const again = await write("milk");
    expect(codeOf(again)).toBe("409 approval_required");
    expect(theirs.approvals).not.toContain(approvalIn(again.body));
    expect(codeOf(await write("bread"))).toBe("409 approval_required");
    expect(codeOf(await write("salt"))).toBe("200 ok");
    expect((await verifyAccount(platform.store, "acct_1")).status).not.toBe("broken");
  });

  test("is ended on record, with whose word it was", async () => {
    const { ended, platform, operator, theirs } = await leaked(way);
    await ended("end");
    const by = { keyId: operator.key.keyId };
    const byOperator = (one: { readonly by: { readonly keyId: string } }) => one.by.keyId === by.keyId;
    // What was granted or approved in the same millisecond has no order.
    const [, ...revoked] = (await recordsOf(platform.store, "acct_1", "capability.answered")).filter(
      byOperator,
    );
    expect(revoked).toMatchObject(theirs.capabilities.map(() => ({ answer: "revoked", by })));
    expect(revoked.map(({ grant }) => String(grant?.grantId)).toSorted()).toStrictEqual(
      theirs.capabilities.toSorted(),
    );
    const ends = (await recordsOf(platform.store, "acct_1", "grant.revoked")).filter(byOperator);
    expect(ends).toMatchObject([{ by }]);
    const [, ...withdrawn] = (await recordsOf(platform.store, "acct_1", "approval.answered")).filter(
      byOperator,
    );
    expect(withdrawn).toMatchObject(
      theirs.approvals.map(() => ({ answer: "denied", status: "superseded", by })),
    );
    expect(withdrawn.map(({ approvalId }) => approvalId).toSorted()).toStrictEqual(
      theirs.approvals.toSorted(),
    );
    const settled = await recordsOf(platform.store, "acct_1", "call.settled");
    expect(settled.at(-1)).toMatchObject({ status: "completed" });
  });
});

test("ending it once more, or without a word about what it decided, changes nothing of that", async () => {
  const { ended, second, isGood } = await leaked();
  expect(Object.keys(await ended())).toStrictEqual(["key"]);
  expect(await isGood(second)).toBe(true);
  await ended("end");
  const { key, decided } = await ended("end");
  expect(key.status).toBe("revoked");
  expect(decided).toStrictEqual({
    isEnded: true,
    madeKeys: [],
    capabilities: [],
    sessions: [],
    approvals: [],
    more: false,
  });
});

test("a key that it rotated is one that comes from it; the caller's own is listed, and not ended", async () => {
  const { request, stolen, operator, key, isGood, ended } = await leaked();
  const victim = await key({ name: "victim", scopes: ["read"] });
  for (const { keyId } of [victim.key, operator.key])
    await request(`/api/keys/${keyId}/rotate`, { key: stolen.secret, method: "POST" });
  const { decided } = await ended("end");
  expect(decided?.madeKeys.filter(({ isOwn }) => isOwn).map(({ keyId }) => keyId)).toStrictEqual([
    operator.key.keyId,
  ]);
  expect([await isGood(victim), await isGood(operator)]).toStrictEqual([false, true]);
});

test("a key that is bounded to some tools revokes within its bounds, is shown nothing of that and ends nothing of it", async () => {
  const { key, revoke, request, stolen, second, isGood } = await leaked();
  const terms = { scopes: ["read", "admin"], allowTools: ["keys.*"] } as const;
  const bounded = await key({ ...terms, scopes: [...terms.scopes], allowTools: [...terms.allowTools] });
  const own = { name: "own", scopes: ["read"], allowTools: ["keys.list"] };
  const { body } = await request("/api/keys", { key: bounded.secret, body: own });
  const child = dataIn<Made>(body).key.keyId;
  expect(codeOf(await revoke("end", bounded.secret, stolen.key.keyId))).toBe("403 forbidden");
  const refused = await revoke("end", bounded.secret, child);
  expect([codeOf(refused), errorIn(refused.body).details?.["reason"]]).toStrictEqual([
    "403 forbidden",
    "bounded_key",
  ]);
  expect(Object.keys(dataIn<Ended>((await revoke("list", bounded.secret, child)).body))).toStrictEqual([
    "key",
  ]);
  expect([await isGood(stolen), await isGood(second)]).toStrictEqual([true, true]);
});

test("I1: of another account's key nothing is listed and nothing ended", async () => {
  const { platform, revoke, isGood, second } = await leaked();
  const stranger = await platform.key("acct_2", { scopes: ["admin"] });
  expect(codeOf(await revoke("end", stranger))).toBe("404 not_found");
  expect(await isGood(second)).toBe(true);
});

test("nothing is reached any more by a grant for one call that a call under way has used up", async () => {
  const [isThere, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const tool = defineTool({
    name: "pages.follow",
    description: "Follows a link twice.",
    input: z.strictObject({ url: z.string() }),
    output: z.strictObject({ followed: z.boolean() }),
    permissions: ["net"],
    sideEffect: "none",
    costEffect: "api_cost",
    capability: { kind: "net", url: "/url" },
    http: { method: "POST", path: "/api/follow" },
    run: async ({ url }, context) => {
      await context.authorize(url);
      isThere.resolve();
      await goOn.promise;
      await context.authorize(url);
      return { followed: true };
    },
  });
  const made = await testPlatform("embedded", { packs: [[tool]] });
  const { platform, store } = made;
  const stolen = await platform.createKey("acct_1", { name: "stolen", scopes: ["admin"] });
  const operator = await platform.createKey("acct_1", { name: "operator", scopes: ["admin"] });
  const agent = await platform.createKey("acct_1", { name: "agent", scopes: ["read"] });
  const request = (path: string, asked: Asked) => ask(made, path, asked);
  const granted = await request("/api/grants", {
    key: stolen.secret,
    body: { capability: "net:a.example", scope: "once" },
  });
  const { grantId } = dataIn<{ grantId: string }>(granted.body);
  const call = request("/api/follow", { key: agent.secret, body: { url: "https://a.example/" } });
  await isThere.promise;
  const revoke = async () =>
    await request(`/api/keys/${stolen.key.keyId}?decided=end`, { key: operator.secret, method: "DELETE" });
  const { decided } = dataIn<Ended>((await revoke()).body);
  goOn.resolve();
  expect(codeOf(await call)).toBe("403 capability_denied");
  expect(decided?.capabilities).toMatchObject([{ grantId }]);
  expect(dataIn<Ended>((await revoke()).body).decided?.capabilities).toStrictEqual([]);
  expect((await verifyAccount(store, "acct_1")).status).not.toBe("broken");
});
