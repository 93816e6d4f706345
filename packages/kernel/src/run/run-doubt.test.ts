// X1: while nobody knows what became of one effect of a run, no other begins.
import { describe, expect, test } from "vitest";
import { atFirst } from "../../test-data/call-store.ts";
import { settlement, turn, until } from "../../test-data/call-waiting.ts";
import {
  atOnce,
  generous,
  levelOf,
  openRunDesk,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  write,
} from "../../test-data/run-desk.ts";
import { ask, call, doubt, hang, heldBack, pulledBy, untilKind } from "../../test-data/run-levers.ts";
import type { RunHandle } from "./run-handle.ts";

const settle = async (desk: RunDesk, handle: RunHandle, status: "completed" | "failed" = "failed") => {
  const { unknown } = await handle.result();
  await desk.runs.resolve(handle.runId, unknown[0] ?? "", { status, note: "found out" });
};
const didOf = ({ deck }: RunDesk) => deck.runs.map(({ text }) => (JSON.parse(text) as { text: string }).text);
/** What whoever would drive a run now is told. */
const leaseOf = async (desk: RunDesk, runId: string) =>
  (await desk.store.inner.lease(runId, "acct_1", "sha256:0" as never)).type;
const turns = async (count: number) => {
  for (let at = 0; at < count; at++) await turn();
};

describe("an effect of which nobody knows what became", () => {
  test("holds up what was proposed after it, until a person has said so", async () => {
    const desk = openRunDesk({
      script: saying([call("a"), call("b")], "done"),
      ...pulledBy({ a: { acts: doubt } }),
    });
    const handle = await desk.start();
    expect((await handle.wait({ for: "rest" })).status).toBe("recovery_needed");
    expect(didOf(desk)).toStrictEqual(["a"]);
    await settle(desk, handle);
    expect((await handle.wait()).status).toBe("completed");
    expect(didOf(desk)).toStrictEqual(["a", "b"]);
  });

  test("holds up what was just about to begin beside it, while its starter's key was looked at", async () => {
    let hasAnswered = false;
    let looks = 0;
    const known = heldBack<true>();
    const desk = openRunDesk({
      script: () => (hasAnswered ? "done" : ((hasAnswered = true), [call("a"), call("b")])),
      strategy: atOnce(2),
      isStarterValid: async () => (hasAnswered && ++looks === 2 ? await known.held() : true),
      ...pulledBy({ a: { acts: doubt } }),
    });
    const handle = await desk.start();
    await untilKind(desk, handle.runId, "call.settled");
    known.let(true);
    expect((await handle.wait({ for: "rest" })).status).toBe("recovery_needed");
    expect(didOf(desk)).toStrictEqual(["a"]);
    await settle(desk, handle);
    expect((await handle.wait()).status).toBe("completed");
    expect(didOf(desk)).toStrictEqual(["a", "b"]);
  });

  test("holds up what a person approves meanwhile, before and after a restart", async () => {
    for (const isRestarted of [false, true]) {
      const options: RunDeskOptions = {
        script: saying([call("a"), call("b")], "done"),
        strategy: atOnce(2),
        ...pulledBy({ a: { acts: doubt }, b: { judged: ask } }),
      };
      let desk = openRunDesk(options);
      let handle = await desk.start();
      const { approvals } = await handle.wait({ for: "rest" });
      if (isRestarted) {
        await desk.store.die();
        desk = reopenRunDesk(desk, options);
        handle = await desk.runs.resume(handle.runId);
      }
      desk.deck.runs.length = 0;
      await desk.operator.approve(approvals[0]?.approvalId ?? "");
      expect(await settlement(handle.wait())).toStrictEqual({ state: "pending" });
      expect((await handle.wait({ for: "rest" })).status).toBe("recovery_needed");
      expect(didOf(desk)).toStrictEqual([]);
      await settle(desk, handle);
      expect((await handle.wait()).status).toBe("completed");
      expect(didOf(desk)).toStrictEqual(["b"]);
    }
  });

  test("holds up what was approved while its process was gone, and not what only has to be settled", async () => {
    const options: RunDeskOptions = {
      script: saying([call("a"), call("b"), call("c", "notes.put")], "done"),
      strategy: atOnce(3),
      ...pulledBy({ a: { acts: doubt }, b: { judged: ask }, c: { acts: hang } }),
    };
    const desk = openRunDesk(options);
    const handle = await desk.start();
    await until(() => desk.deck.runs.length === 2);
    await untilKind(desk, handle.runId, "call.settled");
    const { approvals } = await handle.result();
    await desk.store.die();
    const next = reopenRunDesk(desk, { ...options, ...pulledBy({ a: { acts: doubt }, b: { judged: ask } }) });
    await next.operator.approve(approvals[0]?.approvalId ?? "");
    const again = await next.runs.resume(handle.runId);
    expect((await again.wait({ for: "rest" })).status).toBe("recovery_needed");
    expect(didOf(next)).toStrictEqual(["c"]);
    await settle(next, again);
    expect((await again.wait()).status).toBe("completed");
    expect(didOf(next)).toStrictEqual(["c", "b"]);
  });

  test("is left as it is, with what was approved, by a process that closes", async () => {
    const options: RunDeskOptions = {
      script: saying([call("a"), call("b")], "done"),
      strategy: atOnce(2),
      ...pulledBy({ a: { acts: doubt }, b: { judged: ask } }),
    };
    const desk = openRunDesk(options);
    const handle = await desk.start();
    const { approvals } = await handle.wait({ for: "rest" });
    await desk.operator.approve(approvals[0]?.approvalId ?? "");
    await turn();
    await desk.runs.close();
    expect(didOf(desk)).toStrictEqual(["a"]);
    expect(await desk.kinds(handle.runId)).not.toContain("run.ended");
  });

  test("ends no time that a run has: what a person finds out comes first", async () => {
    const acts = heldBack<never>();
    const desk = openRunDesk({
      script: saying([call("a")], "done"),
      deed: async () => {
        await acts.held();
        return doubt();
      },
      levels: [{ level: "agent", policy: { maxSideEffect: "user_write", budget: { maxWallMs: 90_000 } } }],
    });
    const handle = await desk.start();
    await until(() => desk.deck.runs.length === 1);
    acts.let(undefined as never);
    expect((await handle.wait({ for: "rest" })).status).toBe("recovery_needed");
    desk.clock.advance(1_000_000);
    await settle(desk, handle);
    expect((await handle.wait()).status).toBe("completed");
  });

  test("tells the model what a person has found", async () => {
    const desk = openRunDesk({ script: saying([write("a")], "done"), deed: doubt });
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    await settle(desk, handle, "completed");
    await handle.wait();
    expect(JSON.stringify(desk.model.asked[1]?.messages)).toContain(
      "it was found out later that this call completed",
    );
  });
});

test("a read that does not know is a failure like another: there is nothing to find out", async () => {
  const desk = openRunDesk({ script: saying([{ name: "notes.read" }], "done"), deed: doubt });
  const handle = await desk.start();
  expect((await handle.wait()).status).toBe("completed");
  expect(await desk.labels(handle.runId)).toContain("call.read unknown recovery_needed");
});

test("what was begun, and may not be tried again under the policy of today, becomes unknown, and a person decides", async () => {
  let isOpen = true;
  const options: RunDeskOptions = {
    script: saying([call("a", "notes.put")], "done"),
    evaluatePreTool: () => ({ outcome: isOpen ? "allow" : "deny" }),
  };
  const desk = openRunDesk(options);
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  const handle = await desk.start();
  await desk.store.died.promise;
  isOpen = false;
  const next = reopenRunDesk(desk, options);
  const again = await next.runs.resume(handle.runId);
  expect((await again.wait({ for: "rest" })).status).toBe("recovery_needed");
  expect(next.deck.runs).toStrictEqual([]);
  await settle(next, again, "completed");
  expect((await again.wait()).status).toBe("completed");
});

describe("once a person has said what became of one effect, while another call of its step waits", () => {
  const scene = async () => {
    const desk = openRunDesk({
      script: saying([call("a"), call("b"), call("c")], "done"),
      strategy: atOnce(1),
      ...pulledBy({ a: { judged: ask }, b: { acts: doubt } }),
      levels: levelOf({ ...generous, budget: { maxWallMs: 90_000 } }),
    });
    const handle = await desk.start();
    const { approvals } = await handle.wait({ for: "rest" });
    await settle(desk, handle, "completed");
    const rest = await settlement(handle.wait({ for: "rest" }));
    return { desk, handle, rest, approvalId: approvals[0]?.approvalId ?? "" };
  };

  test("what was proposed after both begins", async () => {
    const { desk } = await scene();
    expect(didOf(desk)).toStrictEqual(["b", "c"]);
  });

  test("the run waits for that answer alone, and says so", async () => {
    const { handle, rest, approvalId } = await scene();
    expect(rest).toMatchObject({
      state: "kept",
      value: { status: "requires_approval", approvals: [{ approvalId }], unknown: [] },
    });
    expect(await handle.state()).toBe("waiting");
  });

  test("no time passes that is the run's", async () => {
    const { desk, handle, approvalId } = await scene();
    desk.clock.advance(1_000_000);
    await turns(20);
    await desk.operator.approve(approvalId);
    expect(await handle.wait()).toMatchObject({ status: "completed", spent: { wallMs: 0 } });
    expect(didOf(desk)).toStrictEqual(["b", "c", "a"]);
  });
});

describe("J4: a tool that answers after its run has ended", () => {
  const scene = async (answer = (): object => ({ done: "after all" })) => {
    const acts = heldBack<object>();
    const deed = async () => {
      await acts.held();
      return answer();
    };
    const desk = openRunDesk({ script: saying([write("a")], "done"), deed });
    const handle = await desk.start();
    await until(() => desk.deck.runs.length === 1);
    await handle.cancel();
    const result = await handle.wait();
    return { acts, desk, handle, result };
  };

  test("is noted, under the seal, and changes nothing; then the run is nobody's", async () => {
    const { acts, desk, handle, result } = await scene();
    acts.let({});
    await until(() => desk.store.units.some((unit) => JSON.stringify(unit).includes("call.late")));
    await turn();
    expect((await desk.labels(handle.runId)).at(-1)).toBe("call.late completed");
    expect(await handle.wait()).toStrictEqual(result);
    expect(await leaseOf(desk, handle.runId)).toBe("leased");
  });

  test("and does not know what became of it, is noted as failed; then the run is nobody's", async () => {
    const { acts, desk, handle, result } = await scene(doubt);
    acts.let({});
    await turns(20);
    expect((await desk.labels(handle.runId)).at(-1)).toBe("call.late failed recovery_needed");
    expect(await handle.wait()).toStrictEqual(result);
    expect(await leaseOf(desk, handle.runId)).toBe("leased");
  });

  test("is waited for by nobody where it ran in a process that is gone", async () => {
    const options: RunDeskOptions = { script: saying([write("a")], "done"), limits: { callMs: 1000 } };
    const desk = openRunDesk({ ...options, deed: hang });
    const handle = await desk.start();
    await until(() => desk.deck.runs.length === 1);
    desk.store.fault = atFirst("model.intended", { type: "die", written: false });
    desk.clock.advance(1000);
    await desk.store.died.promise;
    const next = reopenRunDesk(desk, options);
    const again = await next.runs.resume(handle.runId);
    expect((await again.wait()).status).toBe("completed");
    await turns(20);
    expect(await leaseOf(next, handle.runId)).toBe("leased");
  });

  test("is not waited for by a process that closes", async () => {
    const { acts, desk, handle } = await scene();
    await desk.runs.close();
    acts.let({});
    await turns(5);
    expect((await desk.kinds(handle.runId)).at(-1)).toBe("run.ended");
  });
});

test("what a crash has made unknown says how a person decides it: in its run", async () => {
  const desk = openRunDesk({ script: saying([write("a")], "done") });
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  await desk.start();
  await desk.store.died.promise;
  const next = reopenRunDesk(desk, { deck: desk.deck });
  const [again] = await next.runs.open();
  const { runId = "", unknown = [] } = (await again?.wait({ for: "rest" })) ?? {};
  const settled = (await next.shown(runId)).find(({ type }) => type === "tool.failed");
  expect(JSON.stringify(settled)).toContain(`runs.resolve(\\"${runId}\\", \\"${unknown[0]}\\", …)`);
});
