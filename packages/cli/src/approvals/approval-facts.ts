import type { Approval, Principal, StandingGrant } from "@spfunctions/contracts";

/** What it is now: what has run out is kept as it was until somebody comes for it. */
export function statusNow({ status, expiresAt }: Approval, now: number): Approval["status"] {
  const canRunOut = status === "pending" || status === "approved";
  return canRunOut && now >= Date.parse(expiresAt) ? "expired" : status;
}

/** Of a run, that it acts with somebody's key: what it is called by is no run's id. */
export function whoText({ kind, keyId, accountId }: Principal): string {
  return `${calledText({ kind, keyId })} of account ${accountId}`;
}

/** An operator at a command line has a name after the kind: `operator:ana`. */
export function calledText({ kind, keyId }: Pick<Principal, "kind" | "keyId">): string {
  if (kind === "run") return `a run under ${keyId}`;
  if (kind === keyId) return kind;
  return `${kind} ${kind === "operator" && keyId.startsWith("operator:") ? keyId.slice("operator:".length) : keyId}`;
}

export function effectsText({ sideEffect, costEffect }: Pick<Approval, "sideEffect" | "costEffect">): string {
  return `side effect ${sideEffect}, cost ${costEffect}`;
}

/** A moment, and how far away it is. */
export function momentText(time: string, now: number): string {
  const left = Date.parse(time) - now;
  const away = spanText(Math.abs(left));
  return `${time.slice(0, 19).replace("T", " ")} UTC (${left > 0 ? `in ${away}` : `${away} ago`})`;
}

const units = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
] as const;

function spanText(ms: number): string {
  const [size, name] = units.find(([one]) => ms >= one) ?? [1000, "second"];
  const count = Math.floor(ms / size);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** Whether a yes can be for a session, and not for this call alone. */
export function mayStand({ sessionId, sideEffect, gate }: Approval): boolean {
  return (
    sessionId !== undefined && gate === undefined && (sideEffect === "none" || sideEffect === "user_write")
  );
}

/** What a standing grant lets run, in a sentence. */
export function grantText(grant: StandingGrant, now: number): string {
  const { tool, principal, sessionId, fixedInput, maxUses, uses, expiresAt } = grant;
  const fixed = Object.entries(fixedInput ?? {}).map(
    ([pointer, value]) => `${pointer} ${JSON.stringify(value)}`,
  );
  const input = fixed.length === 0 ? "any input" : `an input in which stay ${fixed.join(", ")}`;
  const often =
    maxUses === undefined ? usedText(uses) : `used ${uses} of ${maxUses} time${maxUses === 1 ? "" : "s"}`;
  return `${tool} by ${whoText(principal)} in session ${sessionId}, with ${input}; ${often}, until ${momentText(expiresAt, now)}`;
}

function usedText(uses: number): string {
  if (uses === 0) return "not used yet";
  return uses === 1 ? "used once" : `used ${uses} times`;
}
