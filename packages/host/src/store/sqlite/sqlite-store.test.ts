import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@spfunctions/kernel";
import { type OpenedStore, storeConformance } from "@spfunctions/kernel/conformance";
import { describe, expect, test } from "vitest";
import { openSqliteStore } from "./open-sqlite-store.ts";

async function open(): Promise<OpenedStore> {
  const folder = mkdtempSync(join(tmpdir(), "sf-store-"));
  const opened: Store[] = [];
  let now = 1_000_000;
  const openOnce = async (role: "driver" | "guest" = "driver") => {
    const store = await openSqliteStore({ folder, role, clock: () => now });
    opened.push(store);
    return store;
  };
  return {
    store: await openOnce(),
    reopen: () => openOnce(),
    rival: () => {
      now += 60_000;
      return openOnce();
    },
    beside: () => openOnce("guest"),
    dispose: async () => {
      await Promise.all(opened.map((store) => store.close()));
      rmSync(folder, { recursive: true });
    },
  };
}

describe("the SQLite store keeps what every store promises", () => {
  test.each(storeConformance(open))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
