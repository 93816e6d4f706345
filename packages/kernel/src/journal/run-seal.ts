import { type RunDocument, runDocumentSchema, type SegmentSeal } from "@spfunctions/contracts";
import { runKind } from "../store/kernel-kinds.ts";
import type { Store, StoredDocument } from "../store/store.ts";
import { readKept } from "./read-kept.ts";

export function runIn({ id, body }: StoredDocument): RunDocument {
  return readKept(runDocumentSchema, body, `what is kept of ${id}`);
}

/** Whether a stream is a run's own, and no segment of its account's journal. */
export function isRunStream(stream: string): boolean {
  return stream.startsWith("run_");
}

/** Where a run's stream ends, once the run has. */
export async function readRunSeal(
  store: Store,
  accountId: string,
  stream: string,
): Promise<SegmentSeal | undefined> {
  const document = await store.document({ kind: runKind, accountId, id: stream });
  return document && runIn(document).seal;
}
