import { createMemoryStore, systemClock } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../contracts/test-data/refusal-of.ts";
import { keptSeed } from "./kept-seed.ts";

const open = async (asked: Parameters<typeof keptSeed>[2], store = createMemoryStore()) =>
  await keptSeed(store, systemClock, asked);

describe("the world of a store", () => {
  test("is the usual one, or the one that was asked for first, and stays that", async () => {
    const store = createMemoryStore();
    expect(await open({})).toStrictEqual({ seed: "simplefunctions", series: 720 });
    const amber = { seed: "amber", series: 7 };
    expect(await open(amber, store)).toStrictEqual(amber);
    expect(await open({}, store)).toStrictEqual(amber);
    expect(await open({ seed: "amber" }, store)).toStrictEqual(amber);
  });

  test("is not another later: what somebody has contracts of would not exist in it", async () => {
    const store = createMemoryStore();
    await open({ seed: "amber" }, store);
    const seed = await rejectionOf(open({ seed: "jade" }, store));
    expect([seed.code, seed.details, seed.message]).toStrictEqual([
      "host_configuration_needed",
      { reason: "other_seed" },
      "the markets of this data folder are made with another seed; leave it out to go on with them, or take another data folder",
    ]);
    expect((await rejectionOf(open({ series: 3 }, store))).details).toStrictEqual({ reason: "other_series" });
  });

  test("is one for two that open it at once", async () => {
    const store = createMemoryStore();
    const both = await Promise.allSettled([open({ seed: "amber" }, store), open({ seed: "jade" }, store)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => (a < b ? -1 : 1))).toStrictEqual([
      "fulfilled",
      "rejected",
    ]);
  });

  test.each([{ series: 0 }, { series: 1.5 }, { seed: 7 as never }])(
    "cannot be made from %j",
    async (asked) => {
      expect((await rejectionOf(open(asked))).code).toBe("invalid_input");
    },
  );
});
