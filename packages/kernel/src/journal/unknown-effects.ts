// X1: never silently unknown. An effect whose end nobody saw is listed from the commit that says so until somebody has decided.
import { canonicalJson, type UnknownEffect, unknownEffectSchema } from "@spfunctions/contracts";
import { documentsOf } from "../store/documents-of.ts";
import { effectKind as kind } from "../store/kernel-kinds.ts";
import type { DocumentWrite, Store, StoredDocument } from "../store/store.ts";
import type { CallState } from "./fold-calls.ts";
import { readKept } from "./read-kept.ts";

/** What a list says of an unknown effect that its records say, too. */
export type ListedEffect = Pick<
  UnknownEffect,
  "effectId" | "callId" | "runId" | "stream" | "tool" | "idempotencyKey"
>;

/** What the records of a call say of its effect. Returns undefined unless that is unknown. */
export function unknownOf({ status, callId, opening }: CallState, stream: string): ListedEffect | undefined {
  // What was only replayed has no effect.
  if (status !== "unknown" || !("effectId" in opening) || opening.replayed === true) return undefined;
  const { effectId, runId, tool, idempotencyKey } = opening;
  return { effectId, callId, runId, stream, tool, idempotencyKey };
}

/** Whether the list says what the records say. */
export function isListedAs(listed: UnknownEffect, recorded: ListedEffect): boolean {
  return Object.entries(recorded).every(([field, value]) => listed[field as keyof ListedEffect] === value);
}

/** What a tool, or whoever gave up waiting for it, says of such an end. */
type UnclearEnd = {
  readonly body: Pick<UnknownEffect, "externalOperationId" | "reconciliationRef">;
  readonly error?: Error | undefined;
};

/** An effect that was begun with `opening`, as it is listed. */
export function unknownEffect(
  { runId, callId, tool }: Pick<UnknownEffect, "runId" | "callId" | "tool">,
  names: Pick<UnknownEffect, "stream" | "effectId" | "idempotencyKey">,
  { body, error }: UnclearEnd,
): UnknownEffect {
  const { externalOperationId, reconciliationRef } = body;
  return {
    ...names,
    runId,
    callId,
    tool,
    reason: error?.message ?? "the tool does not know",
    ...(externalOperationId === undefined ? {} : { externalOperationId }),
    ...(reconciliationRef === undefined ? {} : { reconciliationRef }),
  };
}

export function listUnknown(accountId: string, effect: UnknownEffect): DocumentWrite {
  const body = canonicalJson(effect);
  return { type: "put", kind, accountId, id: effect.effectId, expects: 0, status: "unknown", body };
}

export async function unknownEffects(store: Store, accountId: string): Promise<UnknownEffect[]> {
  const effects: UnknownEffect[] = [];
  for await (const document of documentsOf(store, kind, accountId, "unknown"))
    effects.push(unknownEffectIn(document));
  return effects;
}

export function unknownEffectIn({ id, body }: StoredDocument): UnknownEffect {
  return readKept(unknownEffectSchema, body, `what is kept of the effect ${id}`);
}

/** The listed effects of a call without what a tool said about them, for when its payloads are erased. */
export async function forgetReasons(
  store: Store,
  accountId: string,
  effectIds: readonly string[],
): Promise<DocumentWrite[]> {
  const documents = await store.documentsById(kind, accountId, effectIds);
  return documents.map((document) => {
    const { externalOperationId: _o, reconciliationRef: _r, ...effect } = unknownEffectIn(document);
    const { id, status, revision } = document;
    const body = canonicalJson({ ...effect, reason: "(erased)" });
    return { type: "put", kind, accountId, id, expects: revision, status, body };
  });
}
