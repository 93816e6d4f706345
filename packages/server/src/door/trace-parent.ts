import type { TraceId } from "@spfunctions/contracts";

/** What a W3C `traceparent` header says. */
export type TraceParent = {
  readonly traceId: TraceId;
  /** The span that the request belongs to, 16 hex digits. */
  readonly parentId: string;
  readonly flags: number;
};

const shape = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const sampled = 0x01;

/**
 * Reads a `traceparent` header. One that is not well-formed is as if there were none; of a version later than 00 only
 * what version 00 knows is read.
 */
export function parseTraceParent(header: string | null | undefined): TraceParent | undefined {
  const [, version, traceId, parentId, flags = "", more] = shape.exec(header ?? "") ?? [];
  if (traceId === undefined || parentId === undefined) return undefined;
  const isLater = version !== "00";
  if (more !== undefined && !isLater) return undefined;
  const read = Number.parseInt(flags, 16);
  return { traceId: traceId as TraceId, parentId, flags: isLater ? read & sampled : read };
}
