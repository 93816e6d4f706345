import type { Store, StoredDocument } from "./store.ts";

/** Every document of a kind, page by page. */
export async function* documentsOf(
  store: Store,
  kind: string,
  accountId: string,
  status?: string,
): AsyncGenerator<StoredDocument> {
  for (let after = ""; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const page = await store.documents({
      kind,
      accountId,
      after,
      limit: 200,
      ...(status !== undefined && { status }),
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < 200) return;
    after = last.id;
  }
}
