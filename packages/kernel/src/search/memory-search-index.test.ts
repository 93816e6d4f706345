import { describe, expect, test } from "vitest";
import { searchConformance } from "../conformance/search-conformance.ts";
import { createMemorySearchIndex } from "./memory-search-index.ts";

async function open() {
  return { index: createMemorySearchIndex(), dispose: () => Promise.resolve() };
}

describe("the memory index keeps what every search index promises", () => {
  test.each(searchConformance(open))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
