import { unknownEffectSchema } from "@spfunctions/contracts";
import { readKept } from "../../journal/read-kept.ts";
import { isRunStream } from "../../journal/run-seal.ts";
import { effectKind } from "../../store/kernel-kinds.ts";
import type { Store } from "../../store/store.ts";
import { listedRun } from "./read-run.ts";

/** The run that an effect is of: the one that is named, or one below it. */
export async function holderOfEffect(
  store: Store,
  accountId: string,
  { runId, effectId }: { readonly runId: string; readonly effectId: string },
): Promise<string> {
  const effect = await store.document({ kind: effectKind, accountId, id: effectId });
  const stream = effect && readKept(unknownEffectSchema, effect.body, `what is kept of ${effectId}`).stream;
  if (stream === undefined || !isRunStream(stream)) return runId;
  for (let above: string | undefined = stream; above !== undefined; ) {
    if (above === runId) return stream;
    // oxlint-disable-next-line no-await-in-loop -- as many as it is deep
    above = (await listedRun(store, accountId, above)).document.parentRunId;
  }
  return runId;
}
