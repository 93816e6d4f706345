// A2, B22: whoever can write the store can put something into its inbox. It counts only in its own place and with a proof made with
// the installation's secret, which is in no store.
import {
  type ApprovalErrand,
  type ErrandOutcome,
  type KeyedHash,
  keptErrandSchema,
  keptOutcomeSchema,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { proofOf, provenBody } from "../installation/proven.ts";
import { unlessCorrupt, readKept } from "../journal/read-kept.ts";
import { inboxKind } from "../store/kernel-kinds.ts";
import type { DocumentWrite, StoredDocument } from "../store/store.ts";

/** What lies in the inbox waits for the driver, or is done and waits for whoever left it. */
export type InboxStatus = "left" | "done";

/** What the driver listens to. */
export function inboxWake(accountId: string): string {
  return `inbox ${accountId}`;
}

export function isInboxWake(key: string): boolean {
  return key.startsWith("inbox ");
}

/** What whoever has left an errand listens to. */
export function errandWake(id: string): string {
  return `errand ${id}`;
}

export function putErrand(errand: ApprovalErrand, proves: KeyedHash): DocumentWrite {
  const { id, by } = errand;
  const body = provenBody("errand", errand, proves);
  return { type: "put", kind: inboxKind, accountId: by.accountId, id, expects: 0, status: "left", body };
}

/** Nothing where this installation has not written it, or not here. */
export function errandIn(
  { id, accountId, body }: StoredDocument,
  proves: KeyedHash,
): ApprovalErrand | undefined {
  const kept = unlessCorrupt(() => readKept(keptErrandSchema, body, "what was left in the inbox"));
  if (kept === undefined || kept.proof !== proofOf("errand", kept.value, proves)) return undefined;
  return kept.value.id === id && kept.value.by.accountId === accountId ? kept.value : undefined;
}

/** Says in the place of an errand what became of it. */
export function putOutcome(
  { accountId, id, revision }: StoredDocument,
  error: SimpleFunctionsError | undefined,
  now: number,
  proves: KeyedHash,
): DocumentWrite {
  const { code, message, details } = error?.toJSON() ?? {};
  const value = {
    id,
    at: new Date(now).toISOString(),
    ...(error !== undefined && { error: { code, message, ...(details && { details }) } }),
  };
  const body = provenBody("outcome", value, proves);
  return { type: "put", kind: inboxKind, accountId, id, expects: revision, status: "done", body };
}

/** Nothing where this installation has not written it, or not here. */
export function outcomeIn({ id, body }: StoredDocument, proves: KeyedHash): ErrandOutcome | undefined {
  const kept = unlessCorrupt(() => readKept(keptOutcomeSchema, body, "what became of an errand"));
  if (kept === undefined || kept.proof !== proofOf("outcome", kept.value, proves)) return undefined;
  return kept.value.id === id ? kept.value : undefined;
}
