// J3: a run has one writer. Whoever else wants something of it leaves it in its inbox, proved with the installation's secret; the
// writer journals it.
import {
  canonicalJson,
  keptRunErrandSchema,
  type KeyedHash,
  type RunErrand,
  type RunId,
} from "@spfunctions/contracts";
import { isCorrupt, readKept } from "../../journal/read-kept.ts";
import { inboxKind } from "../../store/kernel-kinds.ts";
import type { DocumentWrite, Store, StoredDocument, Unit } from "../../store/store.ts";
import { runErrandWake } from "./run-document.ts";

/** What is to be committed to leave something for a run's writer. */
export function leaveErrand(
  runId: RunId,
  id: string,
  errand: RunErrand,
  proves: KeyedHash,
  now: number,
): Unit {
  const body = canonicalJson({ value: errand, proof: proofOf(runId, id, errand, proves) });
  const { accountId } = errand.by;
  const left = { type: "put", kind: inboxKind, accountId, id, expects: 0, status: runId, body } as const;
  return { durability: "power", now, documents: [left], wakes: [runErrandWake(runId)] };
}

export type LeftErrand = { readonly errand: RunErrand | undefined; readonly taken: DocumentWrite };

/** What lies there for a run, oldest first. What this installation did not leave is nothing, and is cleared away like the rest. */
export async function errandsOf(
  store: Store,
  accountId: string,
  runId: RunId,
  proves: KeyedHash,
): Promise<LeftErrand[]> {
  const documents = await store.documents({ kind: inboxKind, accountId, status: runId, limit: 100 });
  return documents.map((document) => ({
    errand: errandIn(document, runId, proves),
    taken: takenAway(document),
  }));
}

function errandIn({ id, body }: StoredDocument, runId: RunId, proves: KeyedHash): RunErrand | undefined {
  try {
    const { value, proof } = readKept(keptRunErrandSchema, body, "what was left for a run");
    return proof === proofOf(runId, id, value, proves) ? value : undefined;
  } catch (error) {
    if (isCorrupt(error)) return undefined;
    throw error;
  }
}

function takenAway({ kind, accountId, id, revision: expects }: StoredDocument): DocumentWrite {
  return { type: "remove", kind, accountId, id, expects };
}

function proofOf(runId: RunId, id: string, errand: RunErrand, proves: KeyedHash): string {
  return proves(`simplefunctions run errand v1\n${runId}\n${id}\n${canonicalJson(errand)}`);
}
