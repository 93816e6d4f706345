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

/** The header that joins a further request to a trace. Of the flags only `sampled` is passed on. */
export function printTraceParent({ traceId, parentId, flags }: TraceParent): string {
  return `00-${traceId}-${parentId}-${(flags & sampled).toString(16).padStart(2, "0")}`;
}

/** The same trace under a new span, for what is done on behalf of the request. */
export function childTraceParent(parent: TraceParent, fill = fillRandomly): TraceParent {
  return { ...parent, parentId: newSpanId(fill) };
}

/** A span id: 16 hex digits, never all zero. */
export function newSpanId(fill: (bytes: Uint8Array<ArrayBuffer>) => void = fillRandomly): string {
  const bytes = new Uint8Array(8);
  do fill(bytes);
  while (bytes.every((byte) => byte === 0));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fillRandomly(bytes: Uint8Array<ArrayBuffer>): void {
  crypto.getRandomValues(bytes);
}
