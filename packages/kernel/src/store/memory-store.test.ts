import { describe, expect, test } from "vitest";
import { storeConformance } from "../conformance/store-conformance.ts";
import { createMemoryStore } from "./memory-store.ts";

async function open() {
  const store = createMemoryStore();
  return { store, dispose: () => store.close() };
}

const leftOut = {
  reopen: "nothing outlives the store",
  rival: "nobody else can open it",
  beside: "nobody else can open it",
};

describe("the memory store keeps what every store promises", () => {
  test.each(storeConformance(open, leftOut))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
