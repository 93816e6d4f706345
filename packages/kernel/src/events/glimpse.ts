import type { JournalRecordKind } from "@spfunctions/contracts";

/** What of a record tells whose it is. Nothing else of it was looked at: it can be passed over by this, and never shown (B22). */
export type Glimpse = {
  readonly kind: JournalRecordKind;
  readonly callId: string;
  /** Of a record that opens a call. */
  readonly keyId: string | undefined;
  readonly held: unknown;
};

/** Nothing where the text is about no call, or is no record at all. */
export function glimpse(text: string): Glimpse | undefined {
  const { kind, callId, principal, held } = membersOf(text);
  if (typeof kind !== "string" || typeof callId !== "string") return undefined;
  const { keyId } = membersIn(principal);
  return {
    kind: kind as JournalRecordKind,
    callId,
    keyId: typeof keyId === "string" ? keyId : undefined,
    held,
  };
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(text: string): Members {
  try {
    return membersIn(JSON.parse(text));
  } catch {
    return {};
  }
}

function membersIn(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}
