// A2: whoever receives a secret of another key can use what that key was granted: they have granted none of it themselves.
import { ForbiddenError } from "@spfunctions/contracts";
import type { ToolContext } from "@spfunctions/kernel";
import { type ChangedKey, rotateKey } from "./change-keys.ts";
import { type DecisionsHost, findGrantedTo } from "./key-decisions.ts";
import { areOneFamily } from "./key-family.ts";

/** Rotates a key, unless the caller's family has granted or approved what the new secret could use. */
export async function replaceSecret(
  host: DecisionsHost,
  caller: ToolContext["principal"],
  keyId: string,
): Promise<ChangedKey> {
  const changed = await rotateKey(host, caller, keyId);
  if (caller.kind !== "key" || caller.keyId === keyId) return changed;
  const { accountId } = caller;
  if (await areOneFamily(host, { accountId, keyIds: [caller.keyId, keyId] })) return changed;
  const granted = await findGrantedTo(host, { caller, keyId }, async (by, { gate, hidden } = {}) => {
    const keyIds = [by.keyId, caller.keyId] as const;
    return by.kind === "key" && (await areOneFamily(host, { accountId, keyIds }, { gate, hidden }));
  });
  if (granted === undefined) return changed;
  throw new ForbiddenError(
    `${granted} was granted or approved for the key ${keyId}, or for a key that comes from it, by this key or by one of its family, of whose calls a person must approve some; revoke the grant first, or let the answer run out, or rotate the key at the platform's machine (sf keys rotate)`,
    { details: { keyId, decided: granted, reason: "key_family" } },
  );
}
