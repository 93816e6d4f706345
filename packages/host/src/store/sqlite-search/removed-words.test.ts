// What is taken out of the index is in no file of it any more, and not only found no more.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dataFolder } from "../../../test/data-folder.ts";
import { openSqliteSearchIndex } from "./open-sqlite-search-index.ts";

test("the words of an entry that was removed are in no file of the index, while it is open", async () => {
  const folder = dataFolder();
  const index = await openSqliteSearchIndex({ folder });
  const entries = Array.from({ length: 60 }, (_, number) => ({
    accountId: "acct_1",
    id: `m${number}`,
    text: `common word${number} ${number === 30 ? "zebracanary" : ""}`,
  }));
  for (const entry of entries) await index.put([entry]);
  const bytes = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "latin1"))
      .join("\n");
  expect(bytes()).toContain("zebracanary");
  await index.remove("acct_1", ["m30"]);
  // FTS5 keeps a word without what it has in common with the one before it.
  expect(bytes()).not.toContain("bracanary");
  expect(await index.query({ accountId: "acct_1", text: "common", limit: 100 })).toHaveLength(59);
  await index.close();
});
