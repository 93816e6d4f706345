// Erasing takes a call's payloads and their salts; its records, their hashes and the chain stay as they are, and say so.
import {
  type ContentRow,
  type JournalRecord,
  NotFoundError,
  journalRecordSchema,
  type Principal,
} from "@spfunctions/contracts";
import { forgetReasons } from "../recovery/unknown-effects.ts";
import type { Erasure, Store, StoredRecord } from "../store/store.ts";
import type { AccountJournal } from "./account-journal.ts";
import { readKept } from "./read-kept.ts";
import { readWholeStream } from "./read-stream.ts";
import { draftRecord } from "./record-draft.ts";
import { segmentsOf } from "./verify-account.ts";

/** Erases what was kept of a call's inputs, outputs and messages; how many payloads there were is the answer. */
export async function eraseCall(
  { store, journal, principal }: { store: Store; journal: AccountJournal; principal: Principal },
  callId: string,
): Promise<number> {
  const { accountId } = principal;
  const { erasures, effectIds } = await payloadsOf(store, accountId, callId);
  if (erasures.length === 0)
    throw new NotFoundError(`there is no call ${callId} with payloads in this account`);
  const records = erasures.map(({ stream, seq, ref }) =>
    draftRecord("content.erased", { by: principal, stream, of: seq, ref: ref as never }),
  );
  const documents = await forgetReasons(store, accountId, effectIds);
  await journal.append({ durability: "power", records, documents, erasures });
  return erasures.length;
}

type Payloads = { readonly erasures: Erasure[]; readonly effectIds: string[] };

/** Nothing says in which segments a call's records are: they are looked through. */
async function payloadsOf(store: Store, accountId: string, callId: string): Promise<Payloads> {
  const erasures: Erasure[] = [];
  const effectIds = new Set<string>();
  for await (const stream of segmentsOf(store, accountId)) {
    for await (const stored of readWholeStream(store, stream, accountId)) {
      const record = recordOf(stored, callId);
      if (record === undefined) continue;
      if ("effectId" in record) effectIds.add(record.effectId);
      const present = stored.content.filter(hasText);
      erasures.push(...present.map(({ ref }) => ({ stream, accountId, seq: stored.seq, ref })));
    }
  }
  return { erasures, effectIds: [...effectIds] };
}

function recordOf({ seq, text }: StoredRecord, callId: string): JournalRecord | undefined {
  if (!text.includes(callId)) return undefined;
  const record = readKept(journalRecordSchema, text, `record ${seq}`);
  // A call that was answered from it holds the same input.
  const isOf = record.kind === "call.repeated" && record.of.callId === callId;
  return isOf || ("callId" in record && record.callId === callId) ? record : undefined;
}

/** Nothing about a row has been verified here. */
function hasText(row: ContentRow): boolean {
  return typeof row === "object" && row !== null && "text" in row;
}
