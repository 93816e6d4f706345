import { ForbiddenError } from "@spfunctions/contracts";
import type { ToolContext } from "@spfunctions/kernel";
import { type ChangedKey, revokeKey } from "./change-keys.ts";
import type { Decided } from "./decided-schema.ts";
import { type DecisionsHost, endDecisions, keysToEnd, readDecisions } from "./key-decisions.ts";
import { keyKind, readKeyRecord } from "./key-record.ts";

type Caller = ToolContext["principal"];

type Ending = {
  readonly keyId: string;
  /** What becomes of what the key, and the keys that come from it, have decided and made. */
  readonly decided?: "list" | "end" | undefined;
};

type EndedKey = Omit<ChangedKey, "secret"> & { readonly decided?: Decided };

/** Ends a key, and with `end` the keys that come from it and all that they have decided. */
export async function endKey(
  host: DecisionsHost,
  caller: Caller,
  { keyId, decided }: Ending,
): Promise<EndedKey> {
  const revoked = await revokeKey(host, caller, keyId, { withDecided: decided === "end" });
  const whose = { caller, keyId };
  if (decided === undefined) return revoked;
  const isBounded = await isBoundedKey(host, caller);
  // What other keys have decided is not shown to a key that is bounded to some tools.
  if (decided === "list")
    return isBounded ? revoked : { ...revoked, decided: await readDecisions(host, whose) };
  if (isBounded)
    throw new ForbiddenError(
      "this key is bounded to some tools, and ends nothing that other keys have decided; use an admin key that is not, or revoke the key alone",
      { details: { reason: "bounded_key" } },
    );
  const made = await keysToEnd(host, whose);
  // Before anything is ended: each must be the caller's to end.
  const ended = await Promise.all(made.map(async (one) => await revokeKey(host, caller, one.keyId)));
  const documents = [revoked, ...ended].flatMap((one) => one.documents);
  return { ...revoked, documents, decided: await endDecisions(host, whose) };
}

async function isBoundedKey(
  { store, installation }: DecisionsHost,
  { accountId, keyId, kind }: Caller,
): Promise<boolean> {
  if (kind === "operator") return false;
  const document = await store.document({ kind: keyKind, accountId, id: keyId });
  return document === undefined || readKeyRecord(document, installation.keyHash).allowTools !== undefined;
}
