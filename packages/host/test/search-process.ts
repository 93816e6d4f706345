// Opens a search index in a process of its own, puts an entry there under its own name, and says what it finds.
import { openSqliteSearchIndex, type SqliteSearchIndex } from "@spfunctions/host/store";

export type SearchAsk = { readonly open: string; readonly name: string } | { readonly find: true };

let index: SqliteSearchIndex | undefined;

process.on("message", (ask: SearchAsk) => {
  void answer(ask).then(
    (said) => process.send?.(said),
    (error: Error) => process.send?.([error.message]),
  );
});
process.on("disconnect", () => process.exit());

async function answer(ask: SearchAsk): Promise<readonly string[]> {
  if ("open" in ask) {
    index = await openSqliteSearchIndex({ folder: ask.open });
    await index.put([{ accountId: "one", id: ask.name, text: "rain" }]);
    return [];
  }
  const found = await index?.query({ accountId: "one", text: "rain", limit: 100 });
  await index?.close();
  return found?.map(({ id }) => id).toSorted() ?? [];
}
