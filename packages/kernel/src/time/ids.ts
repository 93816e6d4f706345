import {
  type CallId,
  type ContentRef,
  type EffectId,
  hashText,
  type RunId,
  type TraceId,
} from "@spfunctions/contracts";
import { randomFillSync, randomUUID } from "node:crypto";

/** Where names come from. */
export type Ids = {
  /** A part without meaning, different every time: 8 to 40 letters, digits and `-`. */
  readonly unique: () => string;
  /** What makes a digest unguessable. It lies with the content and is erased with it. */
  readonly salt: () => string;
};

export const randomIds: Ids = { unique: () => randomUUID(), salt: randomSalt };

const pool = Buffer.alloc(4096);
let used = pool.length;

function randomSalt(): string {
  if (used + 16 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.toString("base64url", used - 16, used);
}

/** The names of one call: they differ in their prefix, so that a person sees what belongs together. */
export type CallNames = {
  readonly runId: RunId;
  readonly callId: CallId;
  readonly effectId: EffectId;
  readonly traceId: TraceId;
};

/** `traceId`: of the trace that it is part of, unless it is one of its own. */
export function nameCall(unique: string, traceId?: string): CallNames {
  return {
    runId: `run_${unique}` as RunId,
    callId: `call_${unique}` as CallId,
    effectId: `eff_${unique}` as EffectId,
    traceId: traceId === undefined ? traceIdOf(unique) : (traceId as TraceId),
  };
}

/** A UUID is a trace id without its dashes; of any other name one is made. */
function traceIdOf(unique: string): TraceId {
  const plain = unique.length === 36 ? withoutDashes(unique) : unique;
  return (/^(?!0{32})[0-9a-f]{32}$/.test(plain) ? plain : hashText(unique).slice(7, 39)) as TraceId;
}

function withoutDashes(uuid: string): string {
  return `${uuid.slice(0, 8)}${uuid.slice(9, 13)}${uuid.slice(14, 18)}${uuid.slice(19, 23)}${uuid.slice(24)}`;
}

/** What a call's names share. */
export function uniqueOf({ callId }: { readonly callId: string }): string {
  return callId.slice("call_".length);
}

/** Content rows are named after their call. */
export function contentRef(unique: string, part: string): ContentRef {
  return `content_${unique}-${part}` as ContentRef;
}
