// A call that waits for what is answered at the platform goes on after its process has gone as it would have without: by itself, as
// whoever called, and once.
import { openSqliteStore } from "@spfunctions/host/store";
import { verifyAccount } from "@spfunctions/kernel";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { approvalOf, askingHouse } from "../../test-data/asking-house.ts";
import { platformAgent, recordsOf } from "../../test-data/platform-agent.ts";
import { withPackages } from "../../../../tests/installed/start-installed.ts";

const write = ["desk.write", { text: "milk" }] as const;

/** A call that waited for the platform's operator when its agent was closed. */
async function leftWaiting() {
  const scene = await askingHouse();
  const { agent } = await scene.agent({ asking: "wait" });
  const call = agent.call(...write);
  const { approvalId } = await scene.question();
  await agent.close();
  const error = await approvalOf(call);
  expect(error.details).toMatchObject({ approvalId, reason: "left_waiting" });
  return { ...scene, approvalId, runId: error.details?.["runId"] as string };
}

test("answered while nobody was there, it goes on when the store is opened next, once", async () => {
  const { desk, store, operator, approvalId, runId, agent: open } = await leftWaiting();
  await operator.approvals.answer(approvalId, { answer: "approved" });
  const { agent } = await open();
  expect(await agent.recover()).toMatchObject({
    settled: [{ tool: "desk.write", outcome: "completed", by: "approval" }],
  });
  expect(desk.runs).toHaveLength(1);
  expect(await agent.resume(runId)).toMatchObject({ output: { run: 1 }, replayed: true });
  await agent.close();
  expect((await verifyAccount(store, "local")).status).toBe("ok");
});

test("answered later, it goes on by itself, and whoever resumes it is told", async () => {
  const { desk, operator, approvalId, runId, agent: open } = await leftWaiting();
  const { agent } = await open();
  expect(await agent.recover()).toMatchObject({ settled: [{ outcome: "left", waitsFor: { approvalId } }] });
  const resumed = agent.resume(runId);
  await operator.approvals.answer(approvalId, { answer: "approved" });
  expect(await resumed).toMatchObject({ tool: "desk.write", output: { run: 1 } });
  expect(desk.runs).toHaveLength(1);
});

test("denied while nobody was there, it is over, and nothing is sent", async () => {
  const { desk, store, operator, approvalId, runId, agent: open } = await leftWaiting();
  await operator.approvals.answer(approvalId, { answer: "denied", note: "not today" });
  const { agent } = await open();
  expect(await agent.recover()).toMatchObject({ settled: [{ outcome: "refused", by: "approval" }] });
  await expect(agent.resume(runId)).rejects.toMatchObject({
    code: "approval_denied",
    message: expect.stringContaining("not today"),
  });
  expect((await recordsOf(store, "local")).filter(({ kind }) => kind === "call.intended")).toHaveLength(1);
  expect(desk.runs).toStrictEqual([]);
});

test("A1: somebody else's key leaves it alone", async () => {
  const { desk, house, store, operator, approvalId, agent: open } = await leftWaiting();
  await operator.approvals.answer(approvalId, { answer: "approved" });
  const other = await house.key("acct_1");
  const { agent } = await platformAgent(
    { store, policy: { maxSideEffect: "user_write" } },
    { house, apiKey: other },
  );
  expect(await agent.recover()).toMatchObject({ settled: [{ outcome: "left", by: "nobody" }] });
  await agent.close();
  expect(desk.runs).toStrictEqual([]);
  expect(await (await open()).agent.recover()).toMatchObject({ settled: [{ outcome: "completed" }] });
});

test("an input that held a secret is not sent again from a record that has none: it is superseded", async () => {
  const { desk, operator, question, agent: open } = await askingHouse();
  const { agent } = await open({ asking: "wait" });
  const call = agent.call("desk.write", { password: "sf_live_CanaryCanaryCanaryCanaryCanary01" });
  const { approvalId } = await question();
  await agent.close();
  await approvalOf(call);
  await operator.approvals.answer(approvalId, { answer: "approved" });
  expect(await (await open()).agent.recover()).toMatchObject({ settled: [{ outcome: "refused" }] });
  expect(desk.runs).toStrictEqual([]);
});

test("a platform that is away for a while ends no waiting, and is not asked without end", async () => {
  const { desk, operator, question, agent: open } = await askingHouse();
  const clock = new ManualClock(Date.now());
  let tries = 0;
  const { agent } = await open({ asking: "wait", clock }, async (request, pass) => {
    if (!new URL(request.url).pathname.startsWith("/api/approvals/")) return await pass();
    tries += 1;
    if (tries < 4) throw new TypeError("fetch failed");
    return await pass();
  });
  const call = agent.call(...write);
  const { approvalId } = await question();
  for (const wait of [2000, 4000, 8000]) {
    await expect.poll(() => clock.waits.includes(wait)).toBe(true);
    clock.advance(wait);
  }
  await operator.approvals.answer(approvalId, { answer: "approved" });
  expect((await call).output).toMatchObject({ run: 1 });
  expect(tries).toBeGreaterThanOrEqual(4);
  expect(desk.runs).toHaveLength(1);
});

test("a platform that never comes back is believed to have ended its question a while after its time", async () => {
  const { question, agent: open } = await askingHouse();
  const clock = new ManualClock(Date.now());
  const { agent } = await open({ asking: "wait", clock }, async (request, pass) => {
    if (!new URL(request.url).pathname.startsWith("/api/approvals/")) return await pass();
    throw new TypeError("fetch failed");
  });
  const call = agent.call(...write);
  await question();
  await expect.poll(() => clock.waits.length > 0).toBe(true);
  clock.jump(2 * 3_600_000);
  clock.advance(4000);
  await expect(call).rejects.toMatchObject({ code: "approval_expired" });
});

/** An agent in another process that died in the middle of a call that waits, and the platform it is of. */
async function killed(kind: string, when: "before" | "after", nth = 1) {
  const folder = mkdtempSync(join(tmpdir(), "sf-waiting-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const scene = await askingHouse({ way: "socket" });
  const { house, key } = scene;
  const args = [
    folder,
    house.baseUrl,
    write[0],
    JSON.stringify(write[1]),
    '{"asking":"wait"}',
    kind,
    when,
    String(nth),
  ];
  const child = fork(join(import.meta.dirname, "../../test-data/dying-agent.ts"), args, {
    execArgv: [...withPackages, "--disable-warning=ExperimentalWarning"],
    env: { ...process.env, SF_API_KEY: key },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const dies = async () => {
    expect(await Promise.race([once(child, "message"), once(child, "exit")])).toStrictEqual([
      "now",
      undefined,
    ]);
    child.kill("SIGKILL");
    expect(await once(child, "exit")).toStrictEqual([null, "SIGKILL"]);
  };
  const reopen = async () => {
    const store = await openSqliteStore({ folder });
    onTestFinished(() => store.close());
    const { agent } = await scene.agent({ store });
    return { store, agent };
  };
  return { ...scene, dies, reopen };
}

test("X1: killed while it waits, and approved since, it runs once when the next one comes", async () => {
  const { desk, operator, question, dies, reopen } = await killed("call.waiting", "after");
  await dies();
  const { approvalId } = await question();
  await operator.approvals.answer(approvalId, { answer: "approved" });
  const { agent, store } = await reopen();
  expect(await agent.recover()).toMatchObject({ settled: [{ outcome: "completed", by: "approval" }] });
  expect(desk.runs).toHaveLength(1);
  await agent.close();
  expect((await verifyAccount(store, "local")).status).toBe("ok");
});

test("X1: killed before it was on record that it waits, it is asked for again under its key, and ends as what must be approved", async () => {
  const { desk, dies, reopen } = await killed("call.waiting", "before");
  await dies();
  const { agent, store } = await reopen();
  expect(await agent.recover()).toMatchObject({ settled: [{ outcome: "refused", by: "retry" }] });
  expect((await recordsOf(store, "local")).at(-1)).toMatchObject({
    kind: "call.settled",
    status: "denied_before_execution",
  });
  expect([desk.runs, await agent.unknown()]).toStrictEqual([[], []]);
});

test("X1: killed after it was sent again and before its end was written, it is sent once more under its key, and runs once", async () => {
  const { desk, operator, question, dies, reopen } = await killed("call.settled", "before", 2);
  const { approvalId } = await question();
  await operator.approvals.answer(approvalId, { answer: "approved" });
  await dies();
  expect(desk.runs).toHaveLength(1);
  const { agent } = await reopen();
  expect(await agent.recover()).toMatchObject({ settled: [{ outcome: "completed", by: "retry" }] });
  expect(desk.runs).toHaveLength(1);
});
