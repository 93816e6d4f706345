// J3, A2: an operator beside the process that writes leaves a word about a capability in the inbox, and it counts as if said there.
import { expect, onTestFinished, test } from "vitest";
import { boss } from "../../test-data/call-approvals.ts";
import { installation, otherInstallation, principalOf } from "../../test-data/call-desk.ts";
import { countingIds } from "../../test-data/call-ids.ts";
import { type NetworkDesk, openNetworkDesk } from "../../test-data/call-network.ts";
import { type GuestOperatorOptions, openGuestOperator } from "../approval/guest-operator.ts";
import { problemsOf } from "../journal/verify-account.ts";

function guestOf({ store, clock }: NetworkDesk, changes: Partial<GuestOperatorOptions> = {}) {
  const ids = countingIds(7);
  const guest = openGuestOperator({
    store: store.inner,
    clock,
    installation,
    ids,
    principal: boss,
    waitMs: 1000,
    ...changes,
  });
  onTestFinished(async () => await guest.close());
  return guest;
}

test("granted, revoked and denied from beside, on record where calls are", async () => {
  const desk = openNetworkDesk({ origin: "model" });
  expect(await desk.got()).toBe("capability_denied");
  const { capabilities } = guestOf(desk);
  const [wish] = await capabilities.list();
  const granted = await capabilities.grant(wish?.grantId ?? "", {
    scope: "until",
    forMs: 60_000,
    note: "today",
  });
  expect(granted).toMatchObject({ status: "granted", note: "today", decidedBy: boss });
  expect(await desk.got()).toBe("completed");
  expect(await capabilities.revoke(granted.grantId)).toMatchObject({ status: "revoked" });
  expect(await desk.got("https://other.example/")).toBe("capability_denied");
  const [other] = await capabilities.list();
  expect(await capabilities.deny(other?.grantId ?? "")).toMatchObject({ status: "denied" });
  expect(await capabilities.grant("net:a.example")).toMatchObject({
    capability: "net:a.example",
    scope: "once",
  });
  const answers = (await desk.records()).filter(({ kind }) => kind === "capability.answered");
  expect(answers.length).toBe(4);
  expect(problemsOf(await desk.seat.verify())).toStrictEqual([]);
});

test("what is refused is told from beside as it is there", async () => {
  const desk = openNetworkDesk();
  await desk.got();
  const { capabilities } = guestOf(desk);
  await expect(capabilities.grant("net:*.com")).rejects.toMatchObject({ code: "invalid_input" });
  await expect(capabilities.grant("net", { scope: "always" as never })).rejects.toMatchObject({
    code: "invalid_input",
  });
  await expect(capabilities.revoke("cap_00000000")).rejects.toMatchObject({ code: "not_found" });
  const reader = guestOf(desk, { principal: principalOf("acct_1", { keyId: "key_2", scopes: ["read"] }) });
  await expect(reader.capabilities.grant("net")).rejects.toMatchObject({ code: "forbidden" });
  expect(await capabilities.list({ status: "any" })).toStrictEqual([]);
});

test("B22: under another secret nobody grants anything from beside", async () => {
  const desk = openNetworkDesk();
  await desk.got();
  const stranger = guestOf(desk, { installation: otherInstallation });
  await expect(stranger.capabilities.grant("net")).rejects.toMatchObject({ code: expect.any(String) });
  expect(await desk.got()).toBe("capability_denied");
});

test("what is granted once and used at once was granted", async () => {
  const desk = openNetworkDesk();
  await desk.got();
  const { capabilities } = guestOf(desk);
  const granting = capabilities.grant("net:example.com");
  const isUsed = async () => (await desk.got()) === "completed";
  while (!(await isUsed()));
  expect(await granting).toMatchObject({ capability: "net:example.com", scope: "once" });
});

test("S1: a secret in place of a key's id lies in no inbox", async () => {
  const desk = openNetworkDesk();
  await desk.got();
  const keyId = `sf_live_${"a1B2c3D4".repeat(4)}`;
  const { capabilities } = guestOf(desk, { waitMs: 0 });
  await expect(capabilities.grant("net", { keyId })).rejects.toMatchObject({ details: { path: "/keyId" } });
  expect(await capabilities.list({ status: "any" })).toStrictEqual([]);
});
