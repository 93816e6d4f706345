// J1, J2: a store that does not answer for a while ends no waiting of a run, and nothing begins before what is owed is written.
import { HostConfigurationNeededError, JournalAppendFailedError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { operatorOf } from "../../test-data/call-approvals.ts";
import { atFirst, kindsIn } from "../../test-data/call-store.ts";
import { settlement, turn, until } from "../../test-data/call-waiting.ts";
import {
  asking,
  atOnce,
  levelOf,
  openRunDesk,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  write,
} from "../../test-data/run-desk.ts";
import { ask, call, pulledBy } from "../../test-data/run-levers.ts";
import type { RunHandle } from "./run-handle.ts";

const asked: RunDeskOptions = { script: saying([write("a")], "done"), levels: levelOf(asking) };

/** As a file says it, and as a database does. */
const outages = [
  new JournalAppendFailedError("the disk does not answer"),
  new HostConfigurationNeededError("the database cannot be used", { retry: "after_wait" }),
].map((outage) => [outage.code, outage] as const);

const pass = async (desk: RunDesk, seconds: number) => {
  for (let at = 0; at < seconds; at++) {
    desk.clock.advance(1000);
    await turn();
  }
};

describe.each(outages)("a store that cannot be read for a while (%s) ends no waiting", (_, outage) => {
  /** Somebody approves while the process that drives the run cannot see it. */
  const approvedUnseen = async (desk: RunDesk, handle: RunHandle) => {
    const { approvals } = await handle.wait({ for: "rest" });
    let isDown = true;
    desk.store.beforeDocument = ({ kind }) => {
      if (isDown && kind === "approval") throw outage;
    };
    await operatorOf(desk).approve(approvals[0]?.approvalId ?? "");
    const before = await settlement(handle.wait());
    isDown = false;
    await pass(desk, 5);
    return [before, await settlement(handle.wait()), desk.deck.runs.length];
  };
  const goesOn = [{ state: "pending" }, { state: "kept", value: { status: "completed" } }, 1];

  test("of a run in its own process", async () => {
    const desk = openRunDesk(asked);
    expect(await approvedUnseen(desk, await desk.start())).toMatchObject(goesOn);
  });

  test("of a run that was taken over", async () => {
    const desk = openRunDesk(asked);
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    await desk.store.die();
    const next = reopenRunDesk(desk, asked);
    const again = await next.runs.resume(handle.runId);
    expect(await approvedUnseen(next, again)).toMatchObject(goesOn);
  });
});

test("where nobody can say whether a call has begun, it begins once that is known, and the run goes on by itself", async () => {
  const desk = openRunDesk(asked);
  const handle = await desk.start();
  const { approvals } = await handle.wait({ for: "rest" });
  let isDown = false;
  desk.store.fault = (unit) => {
    if (isDown || !kindsIn(unit).includes("call.intended")) return undefined;
    isDown = true;
    return { type: "throw" };
  };
  desk.store.beforeRead = () => {
    if (!isDown) return;
    desk.store.beforeRead = () => {};
    throw new JournalAppendFailedError("nothing is read");
  };
  await desk.operator.approve(approvals[0]?.approvalId ?? "");
  await pass(desk, 5);
  expect(await settlement(handle.wait())).toMatchObject({ state: "kept", value: { status: "completed" } });
  expect(desk.deck.runs).toHaveLength(1);
});

test("J2: where a result could not be written, what a person approves begins after it is", async () => {
  const desk = openRunDesk({
    script: saying([call("a"), call("b")], "done"),
    strategy: atOnce(2),
    ...pulledBy({ a: { judged: ask } }),
  });
  desk.store.fault = atFirst("call.settled", { type: "throw" });
  const handle = await desk.start();
  await until(() => desk.deck.runs.length === 1);
  expect(await settlement(handle.wait())).toStrictEqual({ state: "pending" });
  const [approval] = await desk.operator.list();
  await desk.operator.approve(approval?.approvalId ?? "");
  await pass(desk, 5);
  expect(await settlement(handle.wait())).toMatchObject({ state: "kept", value: { status: "completed" } });
  expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"b"}', '{"text":"a"}']);
  expect((await desk.labels(handle.runId)).filter((label) => label.startsWith("call."))).toStrictEqual([
    "call.intended",
    "call.waiting",
    "call.settled completed",
    "call.intended",
    "call.settled completed",
  ]);
});
