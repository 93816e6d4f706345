// Whatever is asked of both, in whatever order and company: the SQLite store answers as the memory store does.
import { expect, test } from "vitest";
import { compareWithMemory } from "../../../test/compare-with-memory.ts";
import { dataFolder } from "../../../test/data-folder.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

const open = () => openSqliteStore({ folder: dataFolder() });

test("whatever is asked, both stores answer the same and hold the same", async () => {
  await expect(compareWithMemory(open, 100)).resolves.toBeUndefined();
});
