// An unknown effect of a run is decided on the run's own record as long as the run can go on by it, and afterwards like any other.
import { RecoveryNeededError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { openDesk } from "../../test-data/call-desk.ts";
import { openRunDesk, type RunDesk, saying, write } from "../../test-data/run-desk.ts";
import { verifyAccount } from "../journal/verify-account.ts";
import type { RunHandle } from "../run/run-handle.ts";

const seen = { status: "completed", note: "it is there" } as const;

/** A run that nobody can take on before somebody has decided, and a seat on the same store. */
async function stuckRun() {
  const desk: RunDesk = openRunDesk({
    script: saying([write("a")], "done"),
    deed: () => {
      throw new RecoveryNeededError("the venue hung up");
    },
  });
  const handle: RunHandle = await desk.start();
  const { unknown } = await handle.wait({ for: "rest" });
  const { seat } = openDesk({ store: desk.store, clock: desk.clock, life: 7 });
  return { desk, handle, seat, effectId: unknown[0] ?? "" };
}

test("an unknown effect of a run that has not ended is not decided behind the run's back", async () => {
  const { desk, handle, seat, effectId } = await stuckRun();
  const { runId } = handle;
  await expect(seat.resolve(effectId, seen)).rejects.toMatchObject({
    code: "invalid_transition",
    message: `${effectId} is of ${runId}, which has not ended and goes on by what is decided: runs.resolve("${runId}", "${effectId}", …)`,
    details: { reason: "run_not_ended", effectId, runId },
  });
  expect(await handle.result()).toMatchObject({ status: "recovery_needed", unknown: [effectId] });
  await desk.runs.resolve(runId, effectId, seen);
  expect(await handle.wait()).toMatchObject({ status: "completed", unknown: [] });
});

test("once the run has ended it is decided like any other, and the journal is whole", async () => {
  const { desk, handle, seat, effectId } = await stuckRun();
  await handle.cancel();
  expect((await handle.wait()).status).toBe("cancelled");
  await seat.resolve(effectId, seen);
  expect(await seat.unknown()).toStrictEqual([]);
  await seat.close();
  expect((await verifyAccount(desk.store.inner, "acct_1")).status).toBe("ok");
});
