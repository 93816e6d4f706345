// A1, B9: a run whose own policy asks a person, over a platform that asks one, too. The yes of the run's side has its time.
import {
  createMemoryStore,
  newInstallationSecret,
  openInstallation,
  openOperator,
  Runs,
  subagent,
} from "@spfunctions/kernel";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { saying, ScriptedModel } from "../../../kernel/test-data/run-desk.ts";
import { ask, testPlatform } from "../../../server/test-data/test-platform.ts";
import { DeskPack } from "../../test-data/desk-pack.ts";
import { countedClient } from "../../test-data/platform-agent.ts";
import { govern, remotePack } from "../index.ts";
import { Spectator } from "../spectator/index.ts";

const ttlMs = 60_000;
const approvals = { requireForSideEffectAtOrAbove: "user_write", ttlMs } as const;
const policy = { maxSideEffect: "user_write", maxCostEffect: "llm_cost", approvals } as const;
const starter = { accountId: "local", keyId: "starter", scopes: ["read", "write"], kind: "local" } as const;
const boss = { accountId: "local", keyId: "boss", scopes: ["admin"], kind: "operator" } as const;

async function scene() {
  const desk = new DeskPack();
  const house = await testPlatform("embedded", { packs: [desk.pack] });
  const asks = { requireForSideEffectAtOrAbove: "user_write" } as const;
  const apiKey = await house.key("acct_1", { scopes: ["read", "write"], approvals: asks });
  const theirs = await house.key("acct_1", { scopes: ["admin"] });
  const { client } = countedClient(house, { way: "embedded", apiKey });
  const { tools } = await client.manifest.list({});
  const clock = new ManualClock();
  const shared = {
    packs: [remotePack(client, tools)],
    levels: [{ level: "agent", policy }],
    principal: starter,
    installation: openInstallation(newInstallationSecret()),
    store: createMemoryStore(),
    clock,
  } as const;
  const operator = openOperator({ ...shared, principal: boss });
  onTestFinished(() => operator.close());
  /** The question at the platform, once there is one. */
  const there = async () =>
    await vi.waitFor(async () => {
      const { body } = await ask(house, "/api/approvals", { key: theirs });
      const { items } = (body.ok ? body.data : {}) as { items: { approvalId: string }[] };
      expect(items).toHaveLength(1);
      return items[0]?.approvalId ?? "";
    });
  const approveHere = async () => {
    const [own] = await vi.waitFor(async () => {
      const listed = await operator.list();
      expect(listed).toHaveLength(1);
      return listed;
    });
    await operator.approve(own?.approvalId ?? "");
  };
  const approveThere = async (approvalId: string) => {
    const path = `/api/approvals/${approvalId}/answer`;
    expect((await ask(house, path, { key: theirs, body: { answer: "approved" } })).status).toBe(200);
  };
  return { desk, shared, clock, there, approveHere, approveThere };
}

const write = { name: "desk.write", args: { text: "milk" } };

function runsOf({ shared }: Awaited<ReturnType<typeof scene>>, model: ScriptedModel): Runs {
  const runs = new Runs({ ...shared, agentId: "scribe", model: { adapter: model } });
  onTestFinished(() => runs.close());
  return runs;
}

describe("the platform's yes comes after the time of the yes of this side, and nothing runs", () => {
  test("for a run that waits", async () => {
    const set = await scene();
    const model = new ScriptedModel(saying([write], "it was not done"));
    const handle = await runsOf(set, model).start({ objective: "take a note" });
    await set.approveHere();
    const approvalId = await set.there();
    set.clock.advance(ttlMs);
    await set.approveThere(approvalId);
    expect(await handle.wait()).toMatchObject({ status: "completed" });
    expect(set.desk.runs).toStrictEqual([]);
    expect(JSON.stringify(model.asked.at(-1))).toContain("approval_expired");
  });

  test("for a run that another process goes on with", async () => {
    const set = await scene();
    const model = new ScriptedModel(saying([write], "it was not done"));
    const first = runsOf(set, model);
    const { runId } = await first.start({ objective: "take a note" });
    await set.approveHere();
    const approvalId = await set.there();
    await first.close();
    set.clock.advance(ttlMs);
    await set.approveThere(approvalId);
    const handle = await runsOf(set, new ScriptedModel(saying("it was not done"))).resume(runId);
    expect(await handle.wait()).toMatchObject({ status: "completed" });
    expect(set.desk.runs).toStrictEqual([]);
  });

  test("for a child of a run", async () => {
    const set = await scene();
    const scribe = subagent({
      name: "scribe",
      objective: "scribe",
      tools: ["desk.write"],
      budget: { maxSteps: 4, maxToolCalls: 2 },
      policy,
    });
    const model = new ScriptedModel(({ messages }) => {
      const isChild = messages[0]?.text === "scribe";
      if (messages.some(({ role }) => role === "tool")) return "it was not done";
      return isChild ? [write] : [{ name: "subagent.scribe", args: { task: "take a note" } }];
    });
    const asks = { ...policy, approvals: { requireForSideEffectAtOrAbove: "user_write", ttlMs } } as const;
    const shared = {
      ...set.shared,
      packs: [...set.shared.packs, scribe],
      levels: [{ level: "agent", policy: { ...asks, budget: { maxChildren: 1 } } }],
    } as const;
    const handle = await runsOf({ ...set, shared } as never, model).start({ objective: "have a note taken" });
    await set.approveHere();
    const approvalId = await set.there();
    set.clock.advance(ttlMs);
    await set.approveThere(approvalId);
    const { status, children } = await handle.wait();
    expect([status, children.map((child) => child.status)]).toStrictEqual(["completed", ["completed"]]);
    expect(set.desk.runs).toStrictEqual([]);
    expect(JSON.stringify(model.asked)).toContain("approval_expired");
  });

  test("for a turn of a long-lived agent", async () => {
    const set = await scene();
    const { levels: _, ...shared } = set.shared;
    const model = new ScriptedModel(saying([write], "It was not done."));
    const agent = new Spectator({ ...shared, model, toolCalling: "native", policy });
    onTestFinished(() => agent.close());
    const session = await agent.open("monday");
    expect((await session.turn("Take a note.")).status).toBe("requires_approval");
    await set.approveHere();
    // It rests while the platform's person is asked.
    expect((await session.resume())?.status).toBe("requires_approval");
    const approvalId = await set.there();
    set.clock.advance(ttlMs);
    await set.approveThere(approvalId);
    expect((await session.resume())?.status).toBe("completed");
    expect(set.desk.runs).toStrictEqual([]);
    expect(JSON.stringify(model.asked.at(-1))).toContain("approval_expired");
  });

  test("for a call that an agent makes without a run", async () => {
    const set = await scene();
    const { levels: _, ...shared } = set.shared;
    const office = govern({ ...shared, policy, asking: "wait" });
    onTestFinished(() => office.close());
    const call = office.call("desk.write", { text: "milk" });
    const ended = call.catch((error: unknown) => error);
    await set.approveHere();
    const approvalId = await set.there();
    set.clock.advance(ttlMs);
    await set.approveThere(approvalId);
    expect(await ended).toMatchObject({ code: "approval_expired" });
    expect(set.desk.runs).toStrictEqual([]);
  });
});
