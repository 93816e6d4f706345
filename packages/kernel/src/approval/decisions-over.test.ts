// A2: what the host says is decided by nobody who may lets no call run, whenever it was decided.
import { expect, test } from "vitest";
import { ask, boss, openAsking, operatorOf, write } from "../../test-data/call-approvals.ts";
import { codeOf, principalOf } from "../../test-data/call-desk.ts";
import { openNetworkDesk } from "../../test-data/call-network.ts";
import type { Decision } from "./approvals-host.ts";

function overFor(keyId: string) {
  const asked: Decision[] = [];
  const isDecisionOver = async (decision: Decision) => {
    asked.push(decision);
    return decision.decidedBy?.keyId === keyId;
  };
  return { asked, isDecisionOver };
}

test("an approval that is over runs nothing: a person is asked anew, and another's yes counts", async () => {
  const { asked, isDecisionOver } = overFor(boss.keyId);
  const desk = openAsking({ isDecisionOver });
  const { approvalId } = await ask(desk);
  await desk.operator.approve(approvalId);
  const again = await ask(desk);
  expect(again.approvalId).not.toBe(approvalId);
  expect(asked[0]).toMatchObject({
    keyId: principalOf().keyId,
    decidedBy: { keyId: boss.keyId },
    question: { approvalId },
  });
  await operatorOf(desk, { principal: { ...boss, keyId: "anna" }, life: 8 }).approve(again.approvalId);
  expect(codeOf(await desk.call(write))).toBe("completed");
});

test("nor does a yes for the session", async () => {
  const { isDecisionOver } = overFor(boss.keyId);
  const desk = openAsking({ isDecisionOver, sessionId: "monday" });
  const { approvalId } = await ask(desk);
  await desk.operator.approveForSession(approvalId);
  for (const _ of [1, 2]) expect(codeOf(await desk.call(write))).toBe("approval_required");
  expect(desk.deck.runs).toStrictEqual([]);
});

test("a capability whose grant is over is not reached by it", async () => {
  const { isDecisionOver } = overFor(boss.keyId);
  const desk = openNetworkDesk({ isDecisionOver });
  await desk.operator.capabilities.grant("net:example.com", { scope: "until", forMs: 60_000 });
  expect(await desk.got()).toBe("capability_denied");
  const anna = operatorOf(desk, { principal: { ...boss, keyId: "anna" }, life: 8 });
  await anna.capabilities.grant("net:example.com");
  expect(await desk.got()).toBe("completed");
});
