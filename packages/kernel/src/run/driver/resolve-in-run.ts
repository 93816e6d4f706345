// A person decides an unknown effect of a run: on the run's own record, so that it goes on by it.
import { canonicalJson, NotFoundError, type RunErrand, unknownEffectSchema } from "@spfunctions/contracts";
import { draftContent, draftRecord } from "../../journal/record-draft.ts";
import { readKept } from "../../journal/read-kept.ts";
import { effectKind } from "../../store/kernel-kinds.ts";
import type { DocumentWrite } from "../../store/store.ts";
import { contentRef } from "../../time/ids.ts";
import type { LiveRun } from "./live-run.ts";

export async function resolveInRun(
  { host, journal, run }: Pick<LiveRun, "host" | "journal" | "run">,
  { effectId, status, note, by }: Extract<RunErrand, { type: "resolve" }>,
  documents: readonly DocumentWrite[],
): Promise<void> {
  const { accountId } = by;
  const { runId } = run.opening;
  const call = [...run.calls.values()].find(
    ({ opening, status: now }) =>
      opening.kind === "call.intended" && opening.effectId === effectId && now === "unknown",
  );
  const document = await host.store.document({ kind: effectKind, accountId, id: effectId });
  if (call === undefined || document?.status !== "unknown")
    throw new NotFoundError(`there is no unknown effect ${effectId} in ${runId}`, {
      details: { effectId, runId },
    });
  const effect = readKept(unknownEffectSchema, document.body, `what is kept of ${effectId}`);
  const words = draftContent(contentRef(host.ids.unique(), "note"), host.ids.salt(), note);
  const record = draftRecord(
    "call.resolved",
    { runId, callId: call.callId, effectId, stream: runId, status, by, note: words.digest },
    { content: [words.row] },
  );
  const body = canonicalJson({ ...effect, resolved: status });
  const key = { kind: effectKind, accountId, id: effectId };
  const resolved: DocumentWrite = {
    type: "put",
    ...key,
    expects: document.revision,
    status: "resolved",
    body,
  };
  await journal.append({ durability: "power", records: [record], documents: [resolved, ...documents] });
}
