// X1: at most once, and never silently unknown. Where no answer came, nobody says that nothing happened; where the platform says so,
// nobody doubts it.
import { errorCodes, errorFor, type ErrorCode, RecoveryNeededError } from "@spfunctions/contracts";
import { createMemoryStore, type Store, verifyAccount } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { gate, turn } from "../../../kernel/test-data/call-waiting.ts";
import { DeskPack } from "../../test-data/desk-pack.ts";
import {
  type Between,
  type PlatformAgent,
  platformAgent,
  recordOf,
  recordsOf,
} from "../../test-data/platform-agent.ts";

type Desk = PlatformAgent & { readonly desk: DeskPack; readonly mine: Store };

async function openDesk(terms: Parameters<typeof platformAgent>[1] = {}): Promise<Desk> {
  const desk = new DeskPack();
  const mine = createMemoryStore();
  const options = { policy: { maxSideEffect: "user_write" }, store: mine } as const;
  return {
    ...(await platformAgent(options, { ...terms, platform: { packs: [desk.pack], ...terms.platform } })),
    desk,
    mine,
  };
}

/** Answers calls of a tool instead of the platform, which never hears of them. */
const instead =
  (answer: () => Response | Promise<Response>): Between =>
  (request, pass) =>
    request.method === "POST" ? Promise.resolve(answer()) : pass();

/** An error in an envelope, as a platform says it. */
function said(code: ErrorCode, status: number = errorCodes[code].status): Response {
  const error = { code, status, message: "as it is" };
  return Response.json({ ok: false, error, meta: { requestId: "req_1" } }, { status });
}

const cut: Between = async (request, pass) => {
  const response = await pass();
  if (request.method !== "POST") return response;
  throw new TypeError("fetch failed");
};

describe("unknown, and listed, is an effect", () => {
  test.each(["x", { verdict: { outcome: "allow" } }])(
    "of which an answer shows something that only looks like a receipt: %j",
    async (receipt) => {
      const error = { code: "internal", status: 500, message: "odd", details: { receipt, earlier: "no" } };
      const answer = () => Response.json({ ok: false, error, meta: { requestId: "r" } }, { status: 500 });
      const { agent } = await openDesk({ between: instead(answer) });
      expect((await rejectionOf(agent.call("desk.write", { text: "x" }))).code).toBe("recovery_needed");
      expect(await agent.unknown()).toHaveLength(1);
    },
  );

  test.each(["cancelled", "timeout"])("that this side has given up waiting for: %s", async (code) => {
    const held = gate();
    const between: Between = async (request, pass) => {
      if (request.method === "POST") await held.promise;
      return await pass();
    };
    const { agent } = await openDesk({ between });
    const controller = new AbortController();
    const options = code === "timeout" ? { timeoutMs: 50 } : { signal: controller.signal };
    const call = rejectionOf(agent.call("desk.write", { text: "x" }, options));
    setTimeout(() => controller.abort(), 50);
    // The client may notice first that its time is over.
    expect([code, "recovery_needed"]).toContain((await call).code);
    expect(await agent.unknown()).toMatchObject([{ tool: "desk.write" }]);
    held.resolve();
  });

  test("whose request this side has ended: what becomes of that is noted nowhere, and the journal is whole", async () => {
    const [sent, ended] = [gate(), gate()];
    // A platform that does not answer; as with fetch, a request that is aborted fails.
    const between: Between = async (request, pass) => {
      if (request.method !== "POST") return await pass();
      sent.resolve();
      return await new Promise<never>((_, reject) => {
        request.signal.addEventListener("abort", () => {
          reject(new DOMException("aborted", "AbortError"));
          ended.resolve();
        });
      });
    };
    const { agent, mine } = await openDesk({ between });
    const controller = new AbortController();
    const call = rejectionOf(agent.call("desk.write", { text: "x" }, { signal: controller.signal }));
    await sent.promise;
    controller.abort();
    expect((await call).code).toBe("cancelled");
    await ended.promise;
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(await agent.unknown()).toMatchObject([{ tool: "desk.write" }]);
    expect((await recordsOf(mine, "local")).map(({ kind }) => kind)).toStrictEqual([
      "segment.opened",
      "call.intended",
      "call.settled",
    ]);
    await agent.close();
    expect((await verifyAccount(mine, "local")).status).toBe("ok");
  });

  test.each<[ErrorCode, string]>([
    ["rate_limited", "there were too many requests"],
    ["invalid_api_key", "its key is no good any more"],
    ["revision_conflict", "its tool is another by now"],
  ])("whose first attempt was not answered, though the second is refused: %s", async (code) => {
    let sent = 0;
    const between: Between = async (request, pass) => {
      if (request.method !== "POST") return await pass();
      sent += 1;
      if (sent > 1) return said(code);
      await pass();
      throw new TypeError("fetch failed");
    };
    const { agent, desk } = await openDesk({ between, retries: 1 });
    const error = await rejectionOf(agent.call("desk.write", { text: "x" }));
    expect(error).toMatchObject({ code: "recovery_needed", details: { because: code } });
    expect([desk.runs.length, (await agent.unknown()).length]).toStrictEqual([1, 1]);
  });

  test("whose connection was cut after it was sent: it has happened, and this side does not know", async () => {
    const { agent, desk, mine } = await openDesk({ between: cut });
    const error = await rejectionOf(agent.call("desk.write", { text: "x" }));
    const { effectId, callId, idempotencyKey } = await recordOf(mine, "local", "call.intended");
    expect(error).toMatchObject({
      code: "recovery_needed",
      details: { tool: "desk.write", because: "upstream_error" },
    });
    expect(desk.runs).toStrictEqual([{ tool: "desk.write", key: effectId, attempt: 1 }]);
    expect(await agent.unknown()).toMatchObject([{ effectId, callId, idempotencyKey, tool: "desk.write" }]);
  });

  test.each<[string, Between]>([
    ["that never got there", instead(() => Promise.reject(new TypeError("fetch failed")))],
    ["answered by somebody who is not the platform", instead(() => new Response("<html>", { status: 502 }))],
    ["answered with a redirect to a page", instead(() => new Response("<html>", { status: 200 }))],
    ["answered with half an answer", instead(() => new Response('{"ok":true,"da', { status: 200 }))],
    ["that went wrong there, nobody knows how", instead(() => said("internal"))],
    ["that timed out on the way", instead(() => said("timeout"))],
    ["of which an earlier attempt is still at work", instead(() => said("idempotency_in_progress"))],
  ])("%s", async (_, between) => {
    const { agent, mine } = await openDesk({ between });
    expect((await rejectionOf(agent.call("desk.write", { text: "x" }))).code).toBe("recovery_needed");
    expect(await recordOf(mine, "local", "call.settled")).toMatchObject({ status: "unknown" });
    expect(await agent.unknown()).toHaveLength(1);
  });

  test("that the platform itself knows nothing of, with the platform's receipt", async () => {
    const { agent, desk, mine, house } = await openDesk();
    desk.deed = () => {
      throw new RecoveryNeededError("nobody saw it");
    };
    const error = await rejectionOf(agent.call("desk.write", { text: "x" }));
    const theirs = (await recordsOf(house.store, "acct_1")).findLast(({ kind }) => kind === "call.settled");
    if (theirs?.kind !== "call.settled") throw new Error("the platform has not settled it");
    const { externalOperationId, reconciliationRef, status } = await recordOf(mine, "local", "call.settled");
    expect([error.code, status, externalOperationId]).toStrictEqual([
      "recovery_needed",
      "unknown",
      theirs.callId,
    ]);
    expect(reconciliationRef).toMatch(/^sha256:/);
    expect(await agent.unknown()).toMatchObject([{ externalOperationId, reconciliationRef }]);
  });

  test("that was sent again while it was still at work, though the platform has refused the second one with a receipt", async () => {
    const going = gate();
    let posts = 0;
    const cutOnce: Between = async (request, pass) => {
      if (request.method !== "POST" || ++posts > 1) return await pass();
      void pass();
      throw new TypeError("fetch failed");
    };
    const { agent, desk, mine } = await openDesk({ between: cutOnce, retries: 1 });
    desk.deed = () => going.promise;
    const error = await rejectionOf(agent.call("desk.write", { text: "x" }));
    expect([posts, error.code]).toStrictEqual([2, "recovery_needed"]);
    expect(await recordOf(mine, "local", "call.settled")).toMatchObject({ status: "unknown" });
    expect(await agent.unknown()).toMatchObject([{ reason: expect.stringContaining("nobody knows") }]);
    going.resolve();
    expect(desk.runs).toHaveLength(1);
  });

  test("until a person says what became of it", async () => {
    const { agent } = await openDesk({ between: cut });
    await rejectionOf(agent.call("desk.write", { text: "x" }));
    const [effect] = await agent.unknown();
    await agent.resolve(effect?.effectId ?? "", { status: "completed", note: "I looked." });
    expect(await agent.unknown()).toStrictEqual([]);
  });
});

const lostReads: Between = (request, pass) =>
  request.url.includes("/api/desk/") ? Promise.reject(new TypeError("fetch failed")) : pass();

describe("not unknown is", () => {
  test.each<[string, ErrorCode, number?]>([
    ["what the platform does not allow", "forbidden"],
    ["what a bad key asked for", "invalid_api_key"],
    ["what came too often", "rate_limited"],
    ["what does not fit", "invalid_input"],
    ["what came while it was closing", "lease_lost", 503],
    ["what it could not write down before it began", "journal_append_failed"],
    ["what has no route", "not_found"],
  ])("%s (%s)", async (_, code, status) => {
    const { agent, mine } = await openDesk({ between: instead(() => said(code, status)) });
    expect((await rejectionOf(agent.call("desk.write", { text: "x" }))).code).toBe(code);
    expect(await recordOf(mine, "local", "call.settled")).toMatchObject({
      status: "failed",
      error: { code },
    });
    expect(await agent.unknown()).toStrictEqual([]);
  });

  test("what the platform refuses for real: by the key's law, by its rate, by its quota", async () => {
    const cases = [
      [{ scopes: { scopes: ["read"] } }, "policy_denied"],
      [{ scopes: { scopes: ["read", "write"], rateLimit: { perSecond: 0.001, burst: 1 } } }, "rate_limited"],
    ] as const;
    for (const [terms, code] of cases) {
      const { agent, desk } = await openDesk(terms);
      if (code === "rate_limited") {
        await agent.call("desk.read", {});
        desk.runs.length = 0;
      }
      const error = await rejectionOf(agent.call("desk.write", { text: "x" }));
      expect([error.code, desk.runs, await agent.unknown()]).toStrictEqual([code, [], []]);
    }
  });

  test("what failed there and was recorded there, as it was recorded", async () => {
    const { agent, desk, mine } = await openDesk();
    desk.deed = () => {
      throw errorFor("upstream_error", "the venue is closed");
    };
    const error = await rejectionOf(agent.call("desk.write", { text: "x" }));
    expect([error.code, error.message]).toStrictEqual(["upstream_error", "the venue is closed"]);
    const settled = await recordOf(mine, "local", "call.settled");
    expect(settled).toMatchObject({ status: "failed", externalOperationId: expect.stringMatching(/^call_/) });
    expect(await agent.unknown()).toStrictEqual([]);
  });

  test.each(["desk.read", "desk.search"])(
    "a read without an answer: %s failed, and may be asked again",
    async (tool) => {
      const { agent } = await openDesk({ between: lostReads });
      const error = await rejectionOf(agent.call(tool, {}));
      expect([error.code, error.retry]).toStrictEqual(["upstream_error", "after_wait"]);
      expect(await agent.unknown()).toStrictEqual([]);
    },
  );
});

test("X1: what is sent again by the client itself, under one key, runs once", async () => {
  let posts = 0;
  const cutOnce: Between = async (request, pass) => {
    const response = await pass();
    if (request.method !== "POST" || ++posts > 1) return response;
    throw new TypeError("fetch failed");
  };
  const { agent, desk } = await openDesk({ between: cutOnce, retries: 1 });
  const { output } = await agent.call("desk.write", { text: "x" });
  expect([posts, output, desk.runs.length]).toStrictEqual([2, { done: { text: "x" } }, 1]);
  expect(await agent.unknown()).toStrictEqual([]);
});
