// A run whose tool runs in another place, where a person is asked: it waits for what is answered there, and sends the call again.
import { describe, expect, test } from "vitest";
import { AskingPlace } from "../../test-data/asking-place.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { settlement, turn, until } from "../../test-data/call-waiting.ts";
import {
  atOnce,
  openRunDesk,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
} from "../../test-data/run-desk.ts";
import { call } from "../../test-data/run-levers.ts";
import { verifyAccount } from "../journal/verify-account.ts";

function scene(more: RunDeskOptions = {}): { place: AskingPlace; options: RunDeskOptions; desk: RunDesk } {
  const place = new AskingPlace();
  const options: RunDeskOptions = {
    script: saying([call("a")], "written"),
    packs: [place.tool()],
    ...more,
  };
  return { place, options, desk: openRunDesk(options) };
}

const sent = ["call.intended", "call.settled denied_before_execution approval_required", "call.waiting"];
const callsOf = async (desk: RunDesk, runId: string) =>
  (await desk.labels(runId)).filter((label) => label.startsWith("call."));

describe("a call that a person is asked about where it runs", () => {
  test("waits, is sent again once it is approved, and counts once", async () => {
    const { place, desk } = scene();
    const handle = await desk.start();
    const rest = await handle.wait({ for: "rest" });
    expect(rest).toMatchObject({ status: "requires_approval", approvals: [{ elsewhere: { times: 1 } }] });
    place.decide("approved");
    expect(await handle.wait()).toMatchObject({ status: "completed", spent: { toolCalls: 1 } });
    expect(await callsOf(desk, handle.runId)).toStrictEqual([
      ...sent,
      "call.intended",
      "call.settled completed",
    ]);
    expect(place.runs).toHaveLength(1);
    expect((await verifyAccount(desk.store.inner, "acct_1")).status).not.toBe("broken");
  });

  test("is told to the model where it is denied there", async () => {
    const { place, desk } = scene();
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    place.decide("denied");
    expect((await handle.wait()).status).toBe("completed");
    expect(await callsOf(desk, handle.runId)).toStrictEqual([...sent, "call.refused approval_denied"]);
    expect(JSON.stringify(desk.model.asked[1]?.messages)).toContain("has denied it where it would run");
    expect(place.runs).toStrictEqual([]);
  });

  test.each([true, false])(
    "goes on in the next process, where it was answered before: %o",
    async (isAnswered) => {
      const { place, desk, options } = scene();
      const handle = await desk.start();
      await handle.wait({ for: "rest" });
      await desk.store.die();
      if (isAnswered) place.decide("approved");
      const looks = place.looks.length;
      const next = reopenRunDesk(desk, options);
      const [again] = await next.runs.open();
      await until(() => place.looks.length > looks);
      for (let turns = 0; turns < 20; turns++) await turn();
      // It is waited for there, and not asked again and again.
      expect(place.looks.length - looks).toBeLessThan(4);
      if (!isAnswered) place.decide("approved");
      expect((await again?.wait())?.status).toBe("completed");
      expect(place.runs).toHaveLength(1);
    },
  );

  test("waits also where it is sent again after a crash, and is asked about then", async () => {
    const { place, desk, options } = scene();
    desk.store.fault = atFirst("call.settled", { type: "die", written: false });
    const handle = await desk.start();
    await desk.store.died.promise;
    const next = reopenRunDesk(desk, options);
    const again = await next.runs.resume(handle.runId);
    expect(await settlement(again.wait({ for: "rest" }))).toMatchObject({
      state: "kept",
      value: { status: "requires_approval", approvals: [{ approvalId: place.approvalId }] },
    });
    const [intended = "", ...asked] = sent;
    expect(await callsOf(next, handle.runId)).toStrictEqual([intended, "call.retried", ...asked]);
    place.decide("approved");
    expect(await again.wait()).toMatchObject({ status: "completed", spent: { toolCalls: 1 } });
    expect(place.runs).toHaveLength(1);
    expect((await verifyAccount(desk.store.inner, "acct_1")).status).not.toBe("broken");
  });

  test("waits also where it is a free read", async () => {
    const place = new AskingPlace();
    const desk = openRunDesk({
      packs: [place.tool("notes.read")],
      script: saying([call("a", "notes.read")], "read"),
    });
    const handle = await desk.start();
    expect(await settlement(handle.wait({ for: "rest" }))).toMatchObject({
      state: "kept",
      value: { status: "requires_approval", approvals: [{ approvalId: place.approvalId }] },
    });
    place.decide("approved");
    expect((await handle.wait()).status).toBe("completed");
    expect(await callsOf(desk, handle.runId)).toStrictEqual([
      "call.read denied_before_execution approval_required",
      "call.waiting",
      "call.intended",
      "call.settled completed",
    ]);
    expect(place.runs).toHaveLength(1);
  });

  test("is given up with its run", async () => {
    const { place, desk } = scene({ strategy: atOnce(2) });
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    await handle.cancel();
    expect((await handle.wait()).status).toBe("cancelled");
    expect(await callsOf(desk, handle.runId)).toStrictEqual([...sent, "call.refused cancelled"]);
    expect(place.runs).toStrictEqual([]);
  });
});
