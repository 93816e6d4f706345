// Functions under law that a person must approve: what is said to `govern`, or with a call, is what becomes of it.
import { createMemoryStore, openOperator, readTrace, type Store } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { approvalOf } from "../test-data/asking-house.ts";
import type { EventStream } from "./event-stream.ts";
import { defineTool, govern, type GovernOptions, memoryTrace } from "./index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["write"], kind: "local" } as const;
const policy = {
  maxSideEffect: "user_write",
  approvals: { requireForSideEffectAtOrAbove: "user_write" },
} as const;

function scene(options: Partial<GovernOptions<readonly []>> = {}, store: Store = createMemoryStore()) {
  const ran: unknown[] = [];
  const write = defineTool({
    name: "notes.write",
    description: "Keeps a note.",
    input: {},
    output: {},
    permissions: [],
    sideEffect: "user_write",
    costEffect: "none",
    run: (input: unknown) => ran.push(input),
  });
  const open = (more: Partial<GovernOptions<readonly []>> = {}) =>
    govern({ policy, principal, store, ...options, ...more, packs: [write] });
  const operator = openOperator({
    store,
    principal: { accountId: "acct_1", keyId: "anna", scopes: ["admin"], kind: "operator" },
  });
  return { governed: open(), open, operator, ran, store };
}

/** Waits for the question of a call, and lets somebody answer it. */
async function answered(
  stream: EventStream<unknown>,
  answer: (approvalId: string) => Promise<unknown>,
): Promise<string> {
  for await (const event of stream) {
    if (event.type !== "approval.required") continue;
    await answer(event.approvalId);
    return event.runId;
  }
  throw new Error("nobody was asked");
}

test("a call returns unless it, or whoever opened this, says that it waits", async () => {
  const { governed, open, operator, ran } = scene();
  const error = await approvalOf(governed.call("notes.write", { a: 1 }));
  expect(error.details).toMatchObject({ approvalId: expect.stringMatching(/^appr_/), tool: "notes.write" });
  const one = governed.stream("notes.write", { b: 2 }, { asking: "wait" });
  await answered(one, (id) => operator.approve(id));
  await one.result;
  const waiting = open({ asking: "wait" });
  const two = waiting.stream("notes.write", { c: 3 });
  await answered(two, (id) => operator.approve(id));
  await two.result;
  await approvalOf(waiting.call("notes.write", { d: 4 }, { asking: "return" }));
  expect(ran).toStrictEqual([{ b: 2 }, { c: 3 }]);
});

test.each([
  ["an unknown way of asking", { asking: "later" }, "/asking"],
  ["an id that is none", { approvalId: "yes" }, "/approvalId"],
])("%s is refused, and nothing runs", async (_, options, path) => {
  const { governed, ran } = scene();
  await expect(governed.call("notes.write", {}, options as never)).rejects.toMatchObject({
    code: "invalid_input",
    details: { path },
  });
  expect(ran).toStrictEqual([]);
});

test("a call may name its approval: a forged one is refused, and the right one runs it once", async () => {
  const { governed, operator, ran } = scene();
  const { details } = await approvalOf(governed.call("notes.write", { a: 1 }));
  const approvalId = details?.["approvalId"] as string;
  await operator.approve(approvalId);
  const forged = "appr_00000000-0000-4000-8000-000000000000";
  await expect(governed.call("notes.write", { a: 1 }, { approvalId: forged })).rejects.toMatchObject({
    code: "approval_mismatch",
  });
  await expect(governed.call("notes.write", { a: 2 }, { approvalId })).rejects.toMatchObject({
    code: "approval_mismatch",
  });
  expect((await governed.call("notes.write", { a: 1 }, { approvalId })).receipt.approvalId).toBe(approvalId);
  expect(ran).toStrictEqual([{ a: 1 }]);
});

test("a yes for a session holds in that session", async () => {
  const { open, operator, ran } = scene();
  const monday = open({ sessionId: "monday" });
  const first = monday.stream("notes.write", { a: 1 }, { asking: "wait" });
  await answered(first, (id) => operator.approveForSession(id));
  await first.result;
  await monday.call("notes.write", { b: 2 });
  await approvalOf(open({ sessionId: "tuesday" }).call("notes.write", { b: 2 }));
  expect(ran).toStrictEqual([{ a: 1 }, { b: 2 }]);
});

test("what waits when this is closed goes on in the next one, and whoever resumes it gets its answer, also again", async () => {
  const { governed, open, operator, ran } = scene({ asking: "wait" });
  const stream = governed.stream("notes.write", { a: 1 });
  let approvalId = "";
  const runId = await answered(stream, async (id) => {
    approvalId = id;
  });
  await governed.close();
  expect((await approvalOf(stream.result)).details).toMatchObject({ runId, reason: "left_waiting" });
  const next = open();
  const resumed = next.resume(runId);
  await operator.approve(approvalId);
  expect((await resumed).output).toBe(1);
  expect((await next.resume(runId)).output).toBe(1);
  expect(ran).toStrictEqual([{ a: 1 }]);
});

test("whoever no longer wants to wait for a resumed call leaves it waiting; a run that is none, or another's, is not there", async () => {
  const { governed, open, operator, store } = scene({ asking: "wait" });
  const stream = governed.stream("notes.write", { a: 1 });
  const runId = await answered(stream, async () => undefined);
  await governed.close();
  await approvalOf(stream.result);
  const next = open();
  const resumed = next.resume(runId, { signal: AbortSignal.abort() });
  expect((await approvalOf(resumed)).details).toMatchObject({ reason: "left_waiting" });
  expect(await operator.list()).toHaveLength(1);
  const missing = { code: "not_found" };
  await expect(next.resume("run_00000000-0000-4000-8000-000000000000")).rejects.toMatchObject(missing);
  const stranger = govern({ packs: [], policy, store, principal: { ...principal, keyId: "key_2" } });
  await expect(stranger.resume(runId)).rejects.toMatchObject(missing);
});

test("a trace has the waiting while it lasts, and what it came to", async () => {
  const trace = memoryTrace();
  const { governed, operator } = scene({ asking: "wait", trace });
  const stream = governed.stream("notes.write", { a: 1 });
  await answered(stream, async (id) => {
    await expect.poll(async () => await trace.text()).toContain('\\"kind\\":\\"call.waiting\\"');
    await operator.approve(id);
  });
  await stream.result;
  await governed.close();
  expect((await readTrace(await trace.text())).verification.status).toBe("ok");
});

test("the event approval.required says why a rule asks, as the question does", async () => {
  const rules = [
    {
      id: "amounts",
      version: "1",
      evaluatePreTool: () => ({ outcome: "ask", reason: "more than 500" }) as const,
    },
  ];
  const { governed, open, operator } = scene({ rules, policy: { maxSideEffect: "user_write" } });
  const reasons: string[] = [];
  const heard = async (stream: EventStream<unknown>) => {
    for await (const event of stream) {
      if (event.type !== "approval.required") continue;
      reasons.push(event.reason);
      const [asked] = await operator.list();
      reasons.push(asked?.reason ?? "nobody");
      await operator.deny(event.approvalId);
    }
    await approvalOf(stream.result).catch(() => undefined);
  };
  await heard(governed.stream("notes.write", { a: 1 }));
  await heard(open().stream("notes.write", { b: 2 }, { asking: "wait" }));
  expect(reasons).toStrictEqual(Array(4).fill("the host's policy asks for a person: amounts: more than 500"));
});

test("why a rule asks is erased with its call", async () => {
  const rules = [
    {
      id: "amounts",
      version: "1",
      evaluatePreTool: () => ({ outcome: "ask", reason: "for Zoltan" }) as const,
    },
  ];
  const trace = memoryTrace();
  const { governed } = scene({ rules, trace, policy: { maxSideEffect: "user_write" } });
  const stream = governed.stream("notes.write", { a: 1 });
  let callId = "";
  for await (const event of stream) if (event.type === "approval.required") ({ callId } = event);
  await approvalOf(stream.result);
  expect(await trace.text()).toContain("Zoltan");
  await governed.erase(callId);
  expect(await governed.verify()).toMatchObject({ status: "open" });
  await governed.close();
  expect(await trace.text()).not.toContain("Zoltan");
});
