import type { CliIo } from "../io/cli-io.ts";
import { type JournaledSegment, membersOf, storedRecords } from "./journaled-segments.ts";

/** What lies in a segment, or in a run's own stream, counted and not verified; plain JSON. */
export type SegmentSummary = {
  readonly segment: string;
  readonly accountId: string;
  /** The folder, or what a database is called. */
  readonly where: string;
  readonly openedAt?: string;
  /** `sealed`: nothing more can come. */
  readonly state: "open" | "sealed" | "unreadable";
  readonly records: number;
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
  /** Calls of which this segment does not say how they ended. */
  readonly unknown: number;
  /** Bytes of its records and payloads. */
  readonly bytes: number;
};

export async function summarizeSegment(
  segment: JournaledSegment,
  io: Pick<CliIo, "signal">,
): Promise<SegmentSummary> {
  const { accountId, stream, folder, openedAt, state } = segment;
  const ends = new Map<string, End>();
  let [records, bytes] = [0, 0];
  for await (const { text, content } of storedRecords(segment, io)) {
    records += 1;
    const payloads = content.flatMap((row) => ("text" in row ? [row.text] : []));
    bytes += [text, ...payloads].reduce((sum, one) => sum + Buffer.byteLength(one), 0);
    note(ends, membersOf(text));
  }
  const count = (end: End) => [...ends.values()].filter((one) => one === end).length;
  return {
    segment: stream,
    accountId,
    where: folder,
    ...(openedAt !== undefined && { openedAt }),
    state: openedAt === undefined ? "unreadable" : state,
    records,
    calls: ends.size,
    refused: count("refused"),
    failed: count("failed"),
    unknown: count("unknown"),
    bytes,
  };
}

type End = "done" | "refused" | "failed" | "unknown";

const endsOfStatus: Readonly<Record<string, End>> = {
  completed: "done",
  failed: "failed",
  timed_out: "failed",
  cancelled: "failed",
  // Where it runs nothing has begun.
  denied_before_execution: "refused",
};

/** What a record says about how its call ended, where it says anything. */
function note(ends: Map<string, End>, record: Readonly<Record<string, unknown>>): void {
  const { kind, callId, status, error } = record;
  if (typeof callId !== "string") return;
  const end = endsOfStatus[String(status)] ?? "unknown";
  switch (kind) {
    case "call.refused":
      ends.set(callId, "refused");
      return;
    case "call.waiting":
      // Also one that was sent to another place, which asks a person: it goes on once they have answered.
      ends.delete(callId);
      return;
    case "call.repeated":
      ends.set(callId, error === undefined ? "done" : "failed");
      return;
    case "call.intended":
      ends.set(callId, "unknown");
      return;
    case "call.read":
    case "call.settled":
      ends.set(callId, end);
      return;
    case "call.resolved":
      if (ends.has(callId)) ends.set(callId, end);
      return;
    default:
  }
}
