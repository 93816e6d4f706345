import {
  AccountJournals,
  createMemoryStore,
  randomIds,
  registerPacks,
  systemClock,
} from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { installation } from "../../test-data/test-platform.ts";
import { Seats } from "./seats.ts";

test("where there is no room, the seat that was longest not used is given up", () => {
  const store = createMemoryStore();
  const [clock, ids, registry] = [systemClock, randomIds, registerPacks([])];
  const terms = { manifestDigest: registry.manifest.digest, segmentRecords: 100 };
  const journals = new AccountJournals({ store, clock, ids }, terms);
  const seats = new Seats({ registry, store, installation, journals, clock, ids, limits: {} }, 2);
  const seatOf = (keyId: string) =>
    seats.of(
      {
        principal: { accountId: "acct_1", keyId, scopes: ["read"], kind: "key" },
        policy: { maxSideEffect: "none" },
        version: "1",
      },
      "direct",
    );
  const [busy, idle] = [seatOf("key_busy"), seatOf("key_idle")];
  expect(seatOf("key_busy")).toBe(busy);
  seatOf("key_new");
  expect(seatOf("key_busy")).toBe(busy);
  expect(seatOf("key_idle")).not.toBe(idle);
});
