// One law, two seats: where the platform asks a person, nothing has begun there; this side's effect was denied before it was
// executed, and its call is answered so, or waits for what is answered there and is sent again under the same key.
import { agentEventSchema } from "@spfunctions/contracts";
import {
  openOperator,
  readAccountEvents,
  readTrace,
  startOfEvents,
  traceEntries,
  verifyAccount,
} from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { approvalOf, askingHouse } from "../../test-data/asking-house.ts";
import { platformAgent, recordsOf } from "../../test-data/platform-agent.ts";
import { memoryTrace } from "../index.ts";

const write = ["desk.write", { text: "milk" }] as const;

describe.each(["embedded", "socket"] as const)("over a platform that asks (%s)", (way) => {
  test("a call that does not wait is refused with the platform's approval, keeps no key, and runs when it is made again", async () => {
    const { desk, store, operator, agent: open } = await askingHouse({ way });
    const { agent, sent } = await open();
    const options = { idempotencyKey: "once" };
    const error = await approvalOf(agent.call(...write, options));
    const approvalId = String(error.details?.["approvalId"]);
    const asked = await operator.approvals.get(approvalId);
    expect(asked).toMatchObject({ tool: "desk.write", input: { text: "milk" }, status: "pending" });
    expect(error.details).toMatchObject({ expiresAt: asked.expiresAt, reason: "asked_elsewhere" });
    expect(desk.runs).toStrictEqual([]);
    const claim = { accountId: "local", scope: "call:desk.write", key: "once" };
    expect(await store.claim(claim, Date.now())).toBeUndefined();
    expect((await recordsOf(store, "local")).slice(1)).toMatchObject([
      { kind: "call.intended", tool: "desk.write", idempotencyKey: "once" },
      {
        kind: "call.settled",
        status: "denied_before_execution",
        error: { code: "approval_required", reason: "asked_elsewhere" },
        spent: { toolCalls: 0 },
        externalOperationId: expect.stringMatching(/^call_/),
      },
    ]);
    expect(sent.filter(({ what }) => what.endsWith("desk/write"))).toHaveLength(1);
    await operator.approvals.answer(approvalId, { answer: "approved" });
    expect((await agent.call(...write, options)).output).toStrictEqual({ done: { text: "milk" }, run: 1 });
    expect(await agent.call(...write, options)).toMatchObject({ replayed: true });
    expect(desk.runs).toStrictEqual([{ tool: "desk.write", key: "once", attempt: 1 }]);
    expect(await agent.unknown()).toStrictEqual([]);
    await agent.close();
    expect((await verifyAccount(store, "local")).status).toBe("ok");
  });

  test("a call that waits goes on when it is approved there, under the same key, and says by whom", async () => {
    const { desk, store, operator, question, agent: open } = await askingHouse({ way });
    const { agent, sent } = await open({ asking: "wait" });
    const stream = agent.stream(...write);
    const { approvalId, expiresAt } = await question();
    expect(desk.runs).toStrictEqual([]);
    const { decidedBy } = await operator.approvals.answer(approvalId, { answer: "approved" });
    const { output, receipt } = await stream.result;
    expect(output).toStrictEqual({ done: { text: "milk" }, run: 1 });
    expect(receipt).toMatchObject({ approvalId, verdict: { outcome: "allow" } });
    const events = [];
    for await (const event of stream) events.push(agentEventSchema.parse(event));
    expect(events.map(({ type }) => type)).toStrictEqual([
      "run.started",
      "tool.resolved",
      "policy.checked",
      "tool.started",
      "tool.failed",
      "approval.required",
      "approval.resolved",
      "policy.checked",
      "tool.started",
      "tool.completed",
      "run.completed",
    ]);
    const kept = await readAccountEvents(store, "local", startOfEvents, { limit: 100 });
    expect(kept.events.map(({ event }) => event)).toStrictEqual(events);
    expect(events[5]).toMatchObject({ approvalId, expiresAt });
    expect(events[6]).toMatchObject({ approvalId, status: "approved" });
    const [, intended, denied, waiting, again, settled] = await recordsOf(store, "local");
    const elsewhere = { times: 1 };
    expect([intended, denied, waiting, again, settled]).toMatchObject([
      { kind: "call.intended" },
      { kind: "call.settled", status: "denied_before_execution", error: { reason: "waits_elsewhere" } },
      { kind: "call.waiting", approval: { approvalId, expiresAt, status: "pending", elsewhere } },
      {
        kind: "call.intended",
        waited: true,
        approval: { approvalId, status: "approved", decidedBy, elsewhere },
      },
      { kind: "call.settled", status: "completed" },
    ]);
    const keys = sent
      .filter(({ what }) => what === "POST /api/desk/write")
      .map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(desk.runs).toStrictEqual([{ tool: "desk.write", key: keys[0], attempt: 1 }]);
    await agent.close();
    expect((await verifyAccount(store, "local")).status).toBe("ok");
  });

  test("a call that waits ends with what was answered there: denied, and why", async () => {
    const { desk, store, operator, question, agent: open } = await askingHouse({ way });
    const { agent } = await open({ asking: "wait" });
    const call = agent.call(...write);
    const { approvalId } = await question();
    await operator.approvals.answer(approvalId, { answer: "denied", note: "we have enough" });
    await expect(call).rejects.toMatchObject({
      code: "approval_denied",
      message: expect.stringContaining("we have enough"),
      details: { approvalId },
    });
    expect((await recordsOf(store, "local")).at(-1)).toMatchObject({
      kind: "call.refused",
      waited: true,
      approval: { approvalId, status: "denied", decidedBy: { scopes: ["admin"] } },
      error: { code: "approval_denied" },
    });
    expect(desk.runs).toStrictEqual([]);
  });
});

test("X1: where the question's first answer was lost, the second says that nothing has begun, and nobody is left in doubt", async () => {
  const { desk, key, house, store, operator, question } = await askingHouse();
  let lost = 0;
  const { agent } = await platformAgent(
    { policy: { maxSideEffect: "user_write" }, store, asking: "wait" },
    {
      house,
      apiKey: key,
      retries: 1,
      between: async (request, pass) => {
        const response = await pass();
        if (request.method !== "POST" || lost > 0) return response;
        lost += 1;
        throw new TypeError("the connection broke");
      },
    },
  );
  const call = agent.call(...write);
  const { approvalId } = await question();
  await expect.poll(async () => (await recordsOf(store, "local")).at(-1)?.kind).toBe("call.waiting");
  await operator.approvals.answer(approvalId, { answer: "approved" });
  expect((await call).output).toMatchObject({ run: 1 });
  expect([lost, desk.runs.length, await agent.unknown()]).toStrictEqual([1, 1, []]);
});

test("nobody answers in time: the call ends as expired", async () => {
  const approvals = { requireForSideEffectAtOrAbove: "user_write", ttlMs: 50 } as const;
  const { desk, agent: open } = await askingHouse({ approvals });
  const { agent } = await open({ asking: "wait" });
  await expect(agent.call(...write)).rejects.toMatchObject({ code: "approval_expired" });
  expect(desk.runs).toStrictEqual([]);
});

test("whoever called gives up: the call ends as cancelled, and nothing is sent for it when it is approved", async () => {
  const { desk, store, operator, question, agent: open } = await askingHouse();
  const { agent } = await open({ asking: "wait" });
  const giveUp = new AbortController();
  const call = agent.call(...write, { signal: giveUp.signal });
  const { approvalId } = await question();
  giveUp.abort();
  await expect(call).rejects.toMatchObject({ code: "cancelled" });
  await operator.approvals.answer(approvalId, { answer: "approved" });
  await agent.close();
  expect((await recordsOf(store, "local")).at(-1)).toMatchObject({
    kind: "call.refused",
    approval: { approvalId, status: "cancelled" },
  });
  expect(desk.runs).toStrictEqual([]);
});

test("whether one call waits is the call's to say", async () => {
  const { operator, question, agent: open } = await askingHouse();
  const { agent } = await open({ asking: "wait" });
  await approvalOf(agent.call(...write, { asking: "return" }));
  const { approvalId } = await question();
  const call = agent.call(...write, { asking: "wait" });
  await operator.approvals.answer(approvalId, { answer: "approved" });
  expect((await call).output).toMatchObject({ run: 1 });
});

test("reads wait too, free ones and paid ones, and are answered once they are approved", async () => {
  const approvals = { requireForCostEffectAtOrAbove: "api_cost" } as const;
  const { desk, store, operator, question, agent: open } = await askingHouse({ approvals });
  const { agent } = await open({ asking: "wait" });
  for (const tool of ["desk.read", "desk.search"]) {
    const call = agent.call(tool, { text: tool });
    const { approvalId } = await question();
    await operator.approvals.answer(approvalId, { answer: "approved" });
    expect((await call).output).toMatchObject({ done: { text: tool } });
  }
  expect(desk.runs.map(({ tool }) => tool)).toStrictEqual(["desk.read", "desk.search"]);
  const kinds = (await recordsOf(store, "local")).map(({ kind }) => kind);
  expect(kinds.slice(1, 5)).toStrictEqual(["call.read", "call.waiting", "call.intended", "call.settled"]);
  await agent.close();
  expect((await verifyAccount(store, "local")).status).toBe("ok");
});

test("A1: a yes there lifts nothing that this side asks for: both are asked, each on its own side, and it runs once", async () => {
  const { desk, store, operator, question, agent: open } = await askingHouse();
  const policy = {
    maxSideEffect: "user_write",
    approvals: { requireForSideEffectAtOrAbove: "user_write" },
  } as const;
  const { agent } = await open({ asking: "wait", policy });
  const here = openOperator({
    store,
    principal: { accountId: "local", keyId: "me", scopes: ["admin"], kind: "operator" },
  });
  const call = agent.call(...write);
  const own = await untilAsked(here);
  expect((await operator.approvals.list()).items).toStrictEqual([]);
  await here.approve(own);
  const { approvalId } = await question();
  await operator.approvals.answer(approvalId, { answer: "approved" });
  expect((await call).output).toMatchObject({ run: 1 });
  const records = await recordsOf(store, "local");
  expect(records.filter(({ kind }) => kind === "call.waiting")).toMatchObject([
    { approval: { approvalId: own } },
    { approval: { approvalId, elsewhere: { times: 1, sentBy: own } } },
  ]);
  expect(desk.runs).toHaveLength(1);
  await agent.close();
  await here.close();
  expect((await verifyAccount(store, "local")).status).toBe("ok");
});

async function untilAsked(operator: ReturnType<typeof openOperator>): Promise<string> {
  for (;;) {
    const [one] = await operator.list();
    if (one !== undefined) return one.approvalId;
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
}

test("B12: an agent's session is its session at the platform: what is approved for it needs no more asking in it, and in no other", async () => {
  const { desk, operator, question, agent: open } = await askingHouse();
  const { agent } = await open({ asking: "wait", sessionId: "monday" });
  const call = agent.call(...write);
  const { approvalId, sessionId } = await question();
  expect(sessionId).toBe("monday");
  await operator.approvals.answer(approvalId, { answer: "approved_for_session", maxUses: 5 });
  await call;
  await agent.call("desk.write", { text: "eggs" });
  expect(desk.runs).toHaveLength(2);
  expect(await operator.approvals.grants()).toMatchObject([{ sessionId: "monday", uses: 2 }]);
  const { agent: other } = await open({ sessionId: "tuesday" });
  await approvalOf(other.call("desk.write", { text: "eggs" }));
  expect(desk.runs).toHaveLength(2);
});

function answers(approval: object): Response {
  return new Response(JSON.stringify({ ok: true, data: approval, meta: { requestId: "r" } }));
}

function refusal(code: string, status: number): Response {
  const body = { ok: false, error: { code, status, message: "no" }, meta: { requestId: "r" } };
  return new Response(JSON.stringify(body), { status });
}

describe("a platform that says strange things", () => {
  test("asks again and again: it is not waited for without end, and nothing runs", async () => {
    const { desk, operator, agent: open } = await askingHouse();
    let asked = 0;
    const { agent, sent } = await open({ asking: "wait" }, async (request, pass) => {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith("/api/approvals/")) return await pass();
      asked += 1;
      const { items } = await operator.approvals.list();
      // It says yes, and means no.
      return answers({ ...items[0], status: "approved" });
    });
    const error = await approvalOf(agent.call(...write));
    expect(error.details).toMatchObject({ reason: "asked_elsewhere" });
    expect(asked).toBe(3);
    expect(sent.filter(({ what }) => what === "POST /api/desk/write")).toHaveLength(4);
    expect(desk.runs).toStrictEqual([]);
  });

  test.each([
    ["no status", () => answers({ status: "granted" }), "upstream_error"],
    ["that there is no such approval", () => refusal("not_found", 404), "not_found"],
    ["that the key is no good any more", () => refusal("invalid_api_key", 401), "invalid_api_key"],
  ])("%s: the call ends with that, and nothing is sent again", async (_, say, code) => {
    const { desk, store, agent: open } = await askingHouse();
    const { agent, sent } = await open({ asking: "wait" }, async (request, pass) =>
      new URL(request.url).pathname.startsWith("/api/approvals/") ? say() : await pass(),
    );
    await expect(agent.call(...write)).rejects.toMatchObject({ code });
    expect(sent.filter(({ what }) => what === "POST /api/desk/write")).toHaveLength(1);
    expect((await recordsOf(store, "local")).at(-1)).toMatchObject({
      kind: "call.refused",
      approval: { status: "superseded" },
    });
    expect(desk.runs).toStrictEqual([]);
  });

  test.each([
    [
      "without saying which approval",
      (details: Record<string, unknown>) => ({ ...details, approvalId: undefined }),
    ],
    ["with an id that is none", (details: Record<string, unknown>) => ({ ...details, approvalId: "x" })],
    ["without saying until when", (details: Record<string, unknown>) => ({ ...details, expiresAt: "soon" })],
    [
      "and says itself that the call waits",
      (details: Record<string, unknown>) => ({ ...details, approvalId: 1, reason: "waits_elsewhere" }),
    ],
  ])("asks %s: nobody waits, and the stream of the call ends", async (_, change) => {
    const { agent: open } = await askingHouse();
    const { agent } = await open({ asking: "wait" }, async (_request, pass) => {
      const response = await pass();
      if (response.status !== 409) return response;
      const body = (await response.json()) as { error: { details: Record<string, unknown> } };
      body.error.details = change(body.error.details);
      return new Response(JSON.stringify(body), { status: 409, headers: response.headers });
    });
    const stream = agent.stream(...write);
    const types = [];
    for await (const { type } of stream) types.push(type);
    await approvalOf(stream.result);
    expect(types.at(-1)).toBe("run.failed");
  });
});

test("a trace has the waiting while it lasts, verifies at its end, and shows what it came to", async () => {
  const { operator, question, agent: open } = await askingHouse();
  const trace = memoryTrace();
  const { agent } = await open({ asking: "wait", trace });
  const call = agent.call(...write);
  const { approvalId } = await question();
  await expect.poll(async () => await trace.text()).toContain('\\"kind\\":\\"call.waiting\\"');
  await operator.approvals.answer(approvalId, { answer: "approved" });
  await call;
  await agent.close();
  const read = await readTrace(await trace.text());
  expect(read.verification.status).toBe("ok");
  expect(traceEntries(read)).toMatchObject([{ tool: "desk.write", status: "completed" }]);
});
