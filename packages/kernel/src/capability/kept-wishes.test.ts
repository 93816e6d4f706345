// G3: whose question is whose, and for how long an answer is kept.
import { expect, test } from "vitest";
import { principalOf } from "../../test-data/call-desk.ts";
import { everyGrant, type NetworkDesk, openNetworkDesk } from "../../test-data/call-network.ts";
import { FaultyStore } from "../../test-data/call-store.ts";

const dayMs = 24 * 3_600_000;

test("a key in a session does not wait by the question of another key in a session of the same name", async () => {
  const options = { origin: "model", sessionId: "monday" } as const;
  const one = openNetworkDesk(options);
  const other = openNetworkDesk({
    ...options,
    principal: principalOf("acct_1", { keyId: "key_2" }),
    store: new FaultyStore(one.store.inner),
    clock: one.clock,
    life: 2,
  });
  await one.got();
  await one.got();
  await other.got();
  const wishes = await one.operator.capabilities.list();
  expect(wishes.map(({ holder }) => holder.keyId)).toStrictEqual(["key_1", "key_2"]);
});

test("what was granted and is over goes after a day, and what was revoked or used up after thirty", async () => {
  const desk = openNetworkDesk();
  const { capabilities } = desk.operator;
  const lasting = { scope: "until", forMs: 60_000 } as const;
  const revoked = await capabilities.grant("net:revoked.example", lasting);
  await capabilities.revoke(revoked.grantId);
  await capabilities.grant("net:over.example", lasting);
  const left = async (afterMs: number) => {
    desk.clock.jump(afterMs);
    await sweep(desk);
    return (await everyGrant(desk))
      .map(({ capability }) => capability)
      .filter((name) => name !== "net:swept.example");
  };
  expect(await left(60_000 + dayMs - 2)).toStrictEqual(["net:revoked.example", "net:over.example"]);
  expect(await left(2)).toStrictEqual(["net:revoked.example"]);
  expect(await left(29 * dayMs - 2)).toStrictEqual(["net:revoked.example"]);
  expect(await left(2)).toStrictEqual([]);
});

/** Whatever an operator decides takes away what was kept for long enough. */
async function sweep({ operator }: NetworkDesk): Promise<void> {
  const { grantId } = await operator.capabilities.grant("net:swept.example", { scope: "once" });
  await operator.capabilities.revoke(grantId);
}
