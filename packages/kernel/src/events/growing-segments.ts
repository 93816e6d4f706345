import { segmentSealSchema } from "@spfunctions/contracts";
import { readKept } from "../journal/read-kept.ts";
import { segmentKind } from "../store/kernel-kinds.ts";
import type { Store, StoredDocument } from "../store/store.ts";
import { type Mark, notACursor } from "./event-cursor.ts";

/**
 * The marks of segments that something may still come from, and the last one, from which newer ones are found. I1: a segment of
 * another account is no segment.
 */
export async function stillGrowing(store: Store, accountId: string, marks: readonly Mark[]): Promise<Mark[]> {
  const streams = marks.map(({ stream }) => stream);
  const documents = await store.documentsById(segmentKind, accountId, streams);
  const found = new Map(documents.map((document) => [document.id, document]));
  return marks.filter(({ stream, seq, index }, at) => {
    const document = found.get(stream);
    if (document === undefined) throw notACursor("unknown_place");
    const end = endOf(document);
    if (end === undefined) return true;
    if (seq > end + 1 || (seq > end && index > 0)) throw notACursor("unknown_place");
    return seq <= end || at === marks.length - 1;
  });
}

/** The number of a segment's last record, once it is sealed. */
export function endOf({ id, status, body }: StoredDocument): number | undefined {
  return status === "open" ? undefined : readKept(segmentSealSchema, body, `the seal of ${id}`).count;
}
