import type { Store, StoredDocument } from "@spfunctions/kernel";

/** How many of an account's documents come before it is another account's turn. */
export const turnSize = 20;

/**
 * The documents of every account that have this kind and status. It goes round by account, some of each at a time: who has many
 * keeps nobody waiting who has few.
 */
export async function* documentsWith(
  store: Store,
  kind: string,
  status: string,
): AsyncGenerator<StoredDocument, void, void> {
  let turns = (await store.accountsWith(kind, status)).map((accountId) => ({ accountId, after: "" }));
  while (turns.length > 0) {
    const next: typeof turns = [];
    for (const { accountId, after } of turns) {
      // oxlint-disable-next-line no-await-in-loop -- a page at a time, in order
      const page = await store.documents({ kind, accountId, status, after, limit: turnSize });
      yield* page;
      const last = page.at(-1);
      if (last !== undefined && page.length === turnSize) next.push({ accountId, after: last.id });
    }
    turns = next;
  }
}
