import type { Store, StoredDocument } from "@spfunctions/kernel";
import { pageOf } from "../tools/page-of.ts";

type Listing = {
  readonly kind: string;
  readonly accountId: string;
  /** Only what has this status; everything unless given. */
  readonly status?: string | undefined;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
};

/** One page of what an account has saved, in the order of ids. */
export async function savedPage<View>(
  store: Store,
  { kind, accountId, status, after = "", limit = 20 }: Listing,
  viewOf: (document: StoredDocument) => View,
): Promise<{ items: View[]; next?: string }> {
  const query = { kind, accountId, after, limit: limit + 1 };
  const found = await store.documents({ ...query, ...(status !== undefined && { status }) });
  const { items, ...rest } = pageOf(found, limit, ({ id }) => id);
  return { ...rest, items: items.map(viewOf) };
}
