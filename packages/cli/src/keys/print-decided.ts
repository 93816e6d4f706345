import type { OutputOf } from "@spfunctions/sdk";
import type { Printer } from "../io/printer.ts";

export type Revoked = OutputOf<"keys.revoke">;
type Decided = NonNullable<Revoked["decided"]>;

/** Whether a key, and the keys that come from it, have left nothing. */
export function isNothing({ madeKeys, capabilities, sessions, approvals }: Decided): boolean {
  return [madeKeys, capabilities, sessions, approvals].every((list) => list.length === 0);
}

/** What a key has decided and made, one line each, with the id by which it can be looked up. */
export function printDecided(
  { isEnded, madeKeys, capabilities, sessions, approvals, more }: Decided,
  print: Printer,
): void {
  print.out(
    isEnded
      ? "what it, and the keys that come from it, had made and decided has ended:"
      : "what it, and the keys that come from it, have made and decided still stands:",
  );
  for (const { keyId, name, scopes, isOwn } of madeKeys) {
    const own = isOwn ? "  (the key that this is done with: it does not end; revoke it with another)" : "";
    print.out(`  key       ${keyId}  ${name}  ${scopes.join(" ")}${own}`);
  }
  for (const { grantId, capability, holderKeyId = "every key", expiresAt } of capabilities)
    print.out(`  grant     ${grantId}  ${capability} for ${holderKeyId} until ${expiresAt}`);
  for (const { grantId, tool, sessionId, holderKeyId, expiresAt } of sessions)
    print.out(`  session   ${grantId}  ${tool} in ${sessionId} for ${holderKeyId} until ${expiresAt}`);
  for (const { approvalId, tool, holderKeyId, expiresAt } of approvals)
    print.out(`  approval  ${approvalId}  ${tool} for ${holderKeyId} until ${expiresAt}`);
  if (more) print.out("  and more of a sort than is listed");
}
