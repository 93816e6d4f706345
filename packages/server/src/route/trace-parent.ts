import { givenTraceIdSchema, type TraceId } from "@spfunctions/contracts";

const shape = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/**
 * The trace that a W3C `traceparent` header names. One that is not well-formed is as if there were none; of a version later than 00
 * only what version 00 knows is read. One that is a secret of this process is as if there were none, too (S1).
 */
export function traceIdIn(header: string | null | undefined): TraceId | undefined {
  const [, version, traceId, more] = shape.exec(header ?? "") ?? [];
  return more !== undefined && version === "00" ? undefined : givenTraceIdSchema.safeParse(traceId).data;
}
