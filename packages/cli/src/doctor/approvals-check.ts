import { approvalKind, documentsOf, type Store } from "@spfunctions/kernel";
import { membersOf } from "../trace/journaled-segments.ts";
import { accountsIn } from "../trace/open-journals.ts";
import { type Check, ok, warn } from "./check.ts";
import { howToList } from "./for-accounts.ts";

type Looked = { readonly where: string; readonly options: string; readonly now: number };

/** How many questions wait for a person. Whether they are what was asked, the journal's own check says. */
export async function approvalsCheck(store: Store, { where, options, now }: Looked): Promise<Check> {
  const whose: string[] = [];
  for (const accountId of await accountsIn(store)) {
    // oxlint-disable-next-line no-await-in-loop -- see above
    for await (const { body } of documentsOf(store, approvalKind, accountId, "pending"))
      if (!hasRunOut(body, now)) whose.push(accountId);
  }
  const pending = whose.length;
  const about = { check: "approvals", where, facts: { pending } };
  if (pending === 0) return ok(about, "none waits for an answer");
  const what = pending === 1 ? "1 waits for an answer" : `${pending} wait for an answer`;
  const accounts = [...new Set(whose)];
  return warn(
    about,
    `${what} (account ${accounts.join(", ")})`,
    howToList(`sf approvals ls${options}`, accounts),
  );
}

/** What has run out is kept as it was until somebody comes for it. */
function hasRunOut(body: string, now: number): boolean {
  const { value } = membersOf(body) as { readonly value?: { readonly expiresAt?: string } };
  return now >= Date.parse(value?.expiresAt ?? "");
}
