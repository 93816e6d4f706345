import { expect, test } from "vitest";
import { installation, principalOf } from "../../test-data/call-desk.ts";
import { countingIds } from "../../test-data/call-ids.ts";
import { openRunDesk, saying } from "../../test-data/run-desk.ts";
import { verifyAccount } from "../journal/verify-account.ts";
import { Seat } from "../seat/seat.ts";

test("what is kept of a call of a run is erased with what the model said when it proposed it, and the run verifies", async () => {
  const desk = openRunDesk({ script: saying([{ name: "notes.write", args: { text: "plums" } }], "done") });
  const handle = await desk.runs.start({ objective: "write" });
  await handle.wait();
  const seat = new Seat({
    packs: [desk.deck.tools],
    levels: [{ level: "agent", policy: {} }],
    principal: principalOf(),
    origin: "direct",
    surface: "agent",
    installation,
    ids: countingIds(7),
    store: desk.store,
    clock: desk.clock,
  });
  const kept = async () =>
    JSON.stringify(await desk.store.readStream({ stream: handle.runId, accountId: "acct_1", limit: 100 }));
  expect((await kept()).split("plums")).toHaveLength(3);
  const call = (await desk.records(handle.runId)).find(({ kind }) => kind === "call.intended");
  expect(await seat.erase((call as { callId?: string }).callId ?? "")).toBe(3);
  expect(await kept()).not.toContain("plums");
  await seat.close();
  expect((await verifyAccount(desk.store, "acct_1")).status).toBe("ok");
  expect(await handle.result()).toMatchObject({ status: "completed", output: "done" });
});
