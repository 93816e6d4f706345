// J3, B22: whoever does not drive a run leaves what they want of it; the process that drives it takes it, once, and nothing that this
// installation did not leave.
import { canonicalJson, type JsonObject, parseJsonStrict } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { otherInstallation } from "../../../test-data/call-desk.ts";
import { atFirst, FaultyStore } from "../../../test-data/call-store.ts";
import { settlement, turn, until } from "../../../test-data/call-waiting.ts";
import {
  asking,
  boss,
  levelOf,
  openRunDesk,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  write,
} from "../../../test-data/run-desk.ts";
import { doubt, hang } from "../../../test-data/run-levers.ts";
import type { StoredDocument } from "../../store/store.ts";
import { runErrandWake } from "./run-document.ts";
import { leaveErrand } from "./run-inbox.ts";

const asked: RunDeskOptions = { script: saying([write("a")], "written"), levels: levelOf(asking) };
const unsure: RunDeskOptions = { script: saying([write("a")], "written"), deed: doubt };

/** Another process on the same store. */
const beside = (desk: RunDesk, options: RunDeskOptions) =>
  openRunDesk({ ...options, life: 3, clock: desk.clock, store: new FaultyStore(desk.store.inner) });

const inboxOf = async ({ store }: RunDesk) =>
  await store.inner.documents({ kind: "inbox", accountId: "acct_1", limit: 100 });

async function resting(options: RunDeskOptions) {
  const desk = openRunDesk(options);
  const handle = await desk.start();
  const rest = await handle.wait({ for: "rest" });
  return { desk, handle, rest };
}

describe("from another process", () => {
  test("a run is cancelled, by whoever said so, in one commit with what was left", async () => {
    const { desk, handle } = await resting(asked);
    await beside(desk, asked).runs.cancel(handle.runId, boss as never);
    expect((await handle.wait()).status).toBe("cancelled");
    expect(await inboxOf(desk)).toStrictEqual([]);
    expect(await desk.records(handle.runId)).toContainEqual(
      expect.objectContaining({ kind: "run.cancelling", by: boss }),
    );
    const unit = desk.store.units.find((one) => JSON.stringify(one).includes("run.cancelling"));
    expect(unit?.documents).toMatchObject([
      { type: "remove", kind: "inbox" },
      { type: "put", kind: "run" },
    ]);
  });

  test("also under another package, and without its tools", async () => {
    const { desk, handle } = await resting(asked);
    await beside(desk, { agentId: "other", packs: [] }).runs.cancel(handle.runId);
    expect((await handle.wait()).status).toBe("cancelled");
  });

  test("an effect is resolved, and the run goes on by it", async () => {
    const { desk, handle, rest } = await resting(unsure);
    const other = beside(desk, unsure);
    await other.runs.resolve(
      handle.runId,
      rest.unknown[0] ?? "",
      { status: "completed", note: "seen" },
      boss as never,
    );
    expect((await handle.wait()).status).toBe("completed");
    expect(await desk.records(handle.runId)).toContainEqual(
      expect.objectContaining({ kind: "call.resolved", by: boss, status: "completed" }),
    );
    expect(await inboxOf(desk)).toStrictEqual([]);
  });

  test("what is wanted twice, or of nothing, is cleared away, and the run is not asked without end", async () => {
    const { desk, handle } = await resting(unsure);
    const other = beside(desk, unsure);
    await other.runs.resolve(handle.runId, "eff_00000000-nobody", { status: "failed", note: "no" });
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(await inboxOf(desk)).toStrictEqual([]);
    expect(await handle.state()).toBe("recovery_needed");
    await Promise.all([other.runs.cancel(handle.runId), other.runs.cancel(handle.runId), handle.cancel()]);
    await handle.wait();
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(await inboxOf(desk)).toStrictEqual([]);
    const kinds = await desk.kinds(handle.runId);
    expect(kinds.filter((kind) => kind === "run.cancelling")).toHaveLength(1);
  });

  test("a second cancel does not keep the first from waiting for its tool", async () => {
    const desk = openRunDesk({ script: saying([write("a")], "written") });
    const acts = Promise.withResolvers<object>();
    desk.deck.deed = () => acts.promise;
    const handle = await desk.start();
    await until(() => desk.deck.runs.length === 1);
    // The end of the tool takes a while to be written.
    const written = Promise.withResolvers<void>();
    desk.store.fault = atFirst("call.settled", { type: "wait", for: written.promise });
    const other = beside(desk, {});
    await other.runs.cancel(handle.runId);
    await until(() => desk.store.units.some((unit) => JSON.stringify(unit).includes("run.cancelling")));
    await other.runs.cancel(handle.runId);
    for (let turns = 0; turns < 20; turns++) await turn();
    const before = desk.store.units.length;
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(desk.store.units).toHaveLength(before);
    written.resolve();
    expect((await handle.wait()).status).toBe("cancelled");
    acts.resolve({});
  });

  test("no run decides what became of an effect", async () => {
    const { desk, handle, rest } = await resting(unsure);
    const [opened] = await desk.records(handle.runId);
    const { principal } = opened as unknown as { principal: never };
    const resolving = desk.runs.resolve(
      handle.runId,
      rest.unknown[0] ?? "",
      { status: "completed", note: "x" },
      principal,
    );
    await expect(resolving).rejects.toMatchObject({ code: "forbidden" });
    expect(await handle.state()).toBe("recovery_needed");
  });
});

describe("what this installation did not leave here is ignored, and cleared away:", () => {
  const errandFor = (runId: string, id: string, by: object = boss) =>
    leaveErrand(runId as never, id, { type: "cancel", by } as never, (text) => `forged ${text}`, 0);
  const keyHash = otherInstallation.keyHash;

  test.each<[string, (runId: string, taken: StoredDocument) => { id: string; status: string; body: string }]>(
    [
      ["nonsense", (runId) => ({ id: "0", status: runId, body: "no" })],
      ["an empty one", (runId) => ({ id: "0", status: runId, body: "{}" })],
      [
        "one without a right proof",
        (runId) => ({ id: "0", status: runId, body: bodyOf(errandFor(runId, "0")) }),
      ],
      [
        "one of another installation",
        (runId) => ({
          id: "0",
          status: runId,
          body: bodyOf(leaveErrand(runId as never, "0", { type: "cancel", by: boss } as never, keyHash, 0)),
        }),
      ],
      ["one that was left for another run", (runId, { id, body }) => ({ id, status: runId, body })],
      ["one under another name", (runId, { body }) => ({ id: "0", status: runId, body })],
      [
        "one that was changed",
        (runId, { id, body }) => {
          const kept = parseJsonStrict(body) as { value: JsonObject };
          return {
            id,
            status: runId,
            body: canonicalJson({ ...kept, value: { ...kept.value, by: { ...boss, keyId: "x" } } }),
          };
        },
      ],
    ],
  )("%s", async (_what, forge) => {
    // What was really left, for another run, and never taken.
    const source = openRunDesk({ ...asked, life: 8 });
    const other = await source.start();
    await other.wait({ for: "rest" });
    const guest = openRunDesk({
      ...asked,
      life: 9,
      clock: source.clock,
      store: new FaultyStore(source.store.inner),
    });
    source.store.beforeDocument = hang;
    let left: StoredDocument | undefined;
    guest.store.fault = (unit) => {
      const [document] = unit.documents ?? [];
      if (document?.kind === "inbox") left = { ...document, revision: 1 } as never;
      return undefined;
    };
    await guest.runs.cancel(other.runId);
    expect(left).toBeDefined();
    const { desk, handle } = await resting(asked);
    const document = {
      ...forge(handle.runId, left as never),
      type: "put",
      kind: "inbox",
      accountId: "acct_1",
      expects: 0,
    } as const;
    const result = await desk.store.inner.commit({
      durability: "process",
      now: 0,
      documents: [document],
      wakes: [runErrandWake(handle.runId)],
    });
    expect(result.type).toBe("committed");
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(await inboxOf(desk)).toStrictEqual([]);
    expect(await handle.state()).toBe("waiting");
    expect(await desk.kinds(handle.runId)).not.toContain("run.cancelling");
  });

  function bodyOf({ documents }: ReturnType<typeof leaveErrand>): string {
    const [document] = documents ?? [];
    return document !== undefined && "body" in document ? document.body : "";
  }
});

describe("of a run that nobody drives", () => {
  test("a cancel is done by whoever asks for it", async () => {
    const { desk, handle } = await resting(asked);
    await desk.store.die();
    const next = reopenRunDesk(desk, asked);
    await next.runs.cancel(handle.runId);
    expect((await (await next.runs.get(handle.runId)).wait()).status).toBe("cancelled");
    expect(await next.operator.list()).toStrictEqual([]);
  });

  test("a cancel that was on record when its process died is done by the next, and nothing is run by an approval that came late", async () => {
    const { desk, handle, rest } = await resting(asked);
    desk.store.fault = atFirst("call.refused", { type: "die", written: false });
    void handle.cancel();
    await desk.store.died.promise;
    const next = reopenRunDesk(desk, asked);
    await next.operator.approve(rest.approvals[0]?.approvalId ?? "");
    const [again] = await next.runs.open();
    expect((await again?.wait())?.status).toBe("cancelled");
    expect(next.deck.runs).toStrictEqual([]);
  });

  test("an effect is resolved by whoever says so, and the run goes on there", async () => {
    const { desk, handle, rest } = await resting(unsure);
    await desk.store.die();
    const next = reopenRunDesk(desk, unsure);
    await next.runs.resolve(handle.runId, rest.unknown[0] ?? "", {
      status: "failed",
      note: "it is not there",
    });
    expect((await (await next.runs.get(handle.runId)).wait()).status).toBe("completed");
  });

  test("an effect is resolved also where the run itself cannot go on, and goes on by it where it can", async () => {
    const { desk, handle, rest } = await resting(unsure);
    await desk.store.die();
    const stranger = reopenRunDesk(desk, { agentId: "other", packs: [], life: 4 });
    await stranger.runs.resolve(handle.runId, rest.unknown[0] ?? "", { status: "completed", note: "seen" });
    expect(await (await stranger.runs.get(handle.runId)).state()).toBe("assembling");
    expect(stranger.model.asked).toStrictEqual([]);
    const next = reopenRunDesk(desk, unsure);
    const [again] = await next.runs.open();
    expect((await again?.wait())?.status).toBe("completed");
  });

  test("what was left for a process that has died is taken by the next", async () => {
    const { desk, handle } = await resting(asked);
    // It hangs: it holds the run, and takes nothing.
    desk.store.beforeDocument = hang;
    const deaf = new FaultyStore(desk.store.inner);
    const guest = openRunDesk({ ...asked, life: 3, clock: desk.clock, store: deaf });
    deaf.fault = (unit) => {
      // Nobody is woken by it.
      Object.assign(unit, { wakes: [] });
      return undefined;
    };
    await guest.runs.cancel(handle.runId);
    expect(await inboxOf(desk)).toHaveLength(1);
    await desk.store.die();
    const next = reopenRunDesk(desk, asked);
    const [again] = await next.runs.open();
    expect((await again?.wait())?.status).toBe("cancelled");
    expect(await inboxOf(desk)).toStrictEqual([]);
  });

  test("of one that was cancelled an effect is still resolved, once, and the run stays as it ended", async () => {
    const { desk, handle, rest } = await resting(unsure);
    await handle.cancel();
    const result = await handle.wait();
    expect(result).toMatchObject({ status: "cancelled", unknown: rest.unknown });
    const resolution = { status: "completed", note: "seen" } as const;
    const other = beside(desk, unsure);
    await other.runs.resolve(handle.runId, rest.unknown[0] ?? "", resolution);
    await expect(desk.runs.resolve(handle.runId, rest.unknown[0] ?? "", resolution)).rejects.toMatchObject({
      code: "not_found",
    });
    const { steps, ...after } = await handle.wait();
    expect({ ...after, steps: result.steps }).toStrictEqual({ ...result, unknown: [] });
    expect(steps.at(-1)).toMatchObject({ type: "tool", status: "completed" });
  });
});

test("a store that does not answer for a while loses nothing that was left", async () => {
  const { desk, handle } = await resting(asked);
  let isDown = true;
  desk.store.fault = (unit) =>
    isDown && JSON.stringify(unit).includes("run.cancelling") ? { type: "throw" } : undefined;
  await beside(desk, asked).runs.cancel(handle.runId);
  await until(() => desk.clock.waits.includes(1000));
  expect(await inboxOf(desk)).toHaveLength(1);
  expect(await settlement(handle.wait())).toStrictEqual({ state: "pending" });
  isDown = false;
  desk.clock.advance(1000);
  expect((await handle.wait()).status).toBe("cancelled");
  expect(await inboxOf(desk)).toStrictEqual([]);
});
