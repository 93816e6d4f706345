// G3, A2: whoever has asked for a capability does not grant it by its name, and no key grants what a key of its family can use.
import { expect, test } from "vitest";
import { boss, operatorOf } from "../../test-data/call-approvals.ts";
import { principalOf } from "../../test-data/call-desk.ts";
import { type NetworkDesk, openNetworkDesk } from "../../test-data/call-network.ts";
import type { IsInFamily } from "../approval/may-answer.ts";

const place = "https://api.example.com/";
const covering = ["net:api.example.com", "net:*.example.com", "net"];
const asker = principalOf();
const admin = { ...asker, scopes: ["read", "write", "admin"] } as const;

let life = 20;
function capabilitiesOf(desk: NetworkDesk, principal: typeof boss | typeof admin, isInFamily?: IsInFamily) {
  return operatorOf(desk, { principal, life: life++, ...(isInFamily && { isInFamily }) }).capabilities;
}

test("a wish that waits or was denied is not granted by name by whoever has it; another operator grants it", async () => {
  const desk = openNetworkDesk({ origin: "model" });
  expect(await desk.got(place)).toBe("capability_denied");
  const own = capabilitiesOf(desk, admin);
  const another = capabilitiesOf(desk, boss);
  const refused = async () => {
    for (const capability of covering)
      for (const terms of [{}, { keyId: asker.keyId }])
        await expect(own.grant(capability, terms)).rejects.toMatchObject({
          code: "forbidden",
          details: { reason: "own_question" },
        });
  };
  await refused();
  const [wish] = await another.list();
  await expect(own.deny(wish?.grantId ?? "")).rejects.toMatchObject({ details: { reason: "own_question" } });
  await another.deny(wish?.grantId ?? "");
  await refused();
  expect(await own.list({ status: "granted" })).toStrictEqual([]);
  await expect(own.grant("net:other.example")).resolves.toMatchObject({ status: "granted" });
  await expect(own.grant("net:api.example.com", { keyId: "key_9" })).resolves.toMatchObject({
    status: "granted",
  });
  expect(await desk.got(place)).toBe("capability_denied");
  await another.grant("net:api.example.com");
  expect(await desk.got(place)).toBe("completed");
});

test("a key grants and denies nothing that a key of its family can use, by name or by a wish's id, also before it is wished for", async () => {
  const desk = openNetworkDesk({ origin: "model" });
  const isInFamily: IsInFamily = async ({ keyId }) => ["key_8", asker.keyId].includes(keyId);
  const second = capabilitiesOf(desk, { ...admin, keyId: "key_8" }, isInFamily);
  const refused = { code: "forbidden", details: { reason: "key_family" } };
  for (const capability of covering)
    for (const terms of [{}, { keyId: asker.keyId }, { keyId: "key_8" }])
      await expect(second.grant(capability, terms)).rejects.toMatchObject(refused);
  expect(await desk.got(place)).toBe("capability_denied");
  const [wish] = await second.list();
  await expect(second.grant(wish?.grantId ?? "")).rejects.toMatchObject(refused);
  await expect(second.deny(wish?.grantId ?? "")).rejects.toMatchObject(refused);
  const answers = (await desk.records()).filter(({ kind }) => kind === "capability.answered");
  expect(answers).toHaveLength(covering.length * 3 + 2);
  // What somebody else has granted each of them ends.
  await capabilitiesOf(desk, boss).grant(wish?.grantId ?? "");
  expect(await second.revoke(wish?.grantId ?? "")).toMatchObject({ status: "revoked" });
});

test.each([
  ["https://api.example.com/", "net:API.example.com"],
  ["https://api.example.com/", "net:api.example.com."],
  ["https://api.example.com/", "net:api.example.com:443"],
  ["https://api.example.com/", "net:*.EXAMPLE.com"],
  ["https://api.example.com/", "net:api\u3002example.com"],
  ["https://b\u00fccher.example.com/", "net:b\u00fccher.example.com"],
  ["https://b\u00fccher.example.com/", "net:xn--bcher-kva.example.com"],
  ["https://API.Example.COM/", "net:api.example.com"],
  ["https://93.184.216.34/", "net:1572395042"],
  ["https://93.184.216.34/", "net:0x5d.184.216.34"],
])("a wish for %s is not granted to itself by another spelling either: %s", async (url, capability) => {
  const desk = openNetworkDesk({ origin: "model" });
  expect(await desk.got(url)).toBe("capability_denied");
  await expect(capabilitiesOf(desk, admin).grant(capability)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:invalid_input|forbidden)$/),
  });
  expect(await desk.got(url)).toBe("capability_denied");
});
