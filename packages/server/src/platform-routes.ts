// Every way in, tied to the same law.
import { type ContractTool, version } from "@spfunctions/contracts";
import type { CallOutcome } from "@spfunctions/kernel";
import { approvalAnswerers } from "./approvals/approval-answerers.ts";
import { ApprovalDesk } from "./approvals/approval-desk.ts";
import { grantAnswerers } from "./grants/grant-answerers.ts";
import { GrantDesk } from "./grants/grant-desk.ts";
import type { PlatformParts } from "./platform-parts.ts";
import { createApp } from "./route/app.ts";
import { documentsOf } from "./route/documents.ts";
import { readinessOf } from "./route/readiness.ts";
import { newRequestId } from "./route/request-id.ts";
import { type CutCall, toolAnswerer } from "./route/tool-handler.ts";
import { callStream } from "./stream/call-stream.ts";
import { eventsAnswerer } from "./stream/events-answerer.ts";
import { runCredentialAnswerer } from "./tokens/run-credential-answerer.ts";

/** `cut`: told of a call that was cancelled because the platform ended. */
export function routesOf(parts: PlatformParts, cut: (call: CutCall) => void): ReturnType<typeof createApp> {
  const { store, installation, clock, ids, limits, fault, manifestOf, keys, door, wakes } = parts;
  const closing = parts.closing.signal;
  const requestId = newRequestId;
  const host = {
    ...parts,
    requestId,
    closing,
    cutting: parts.cutting.signal,
    cut,
    underWay: parts.underWay.add,
    waking: (accountId: string) => (wakes.hasListeners(accountId) ? () => wakes.wake(accountId) : undefined),
    happened: (accountId: string, { sideEffect }: ContractTool, outcome?: CallOutcome) => {
      // A refusal has changed nothing.
      if (sideEffect === "secret" && outcome?.type !== "refused") keys.forget(accountId);
      wakes.wake(accountId);
    },
  };
  const desk = { ...parts, happened: (accountId: string) => wakes.wake(accountId) };
  const credentials = runCredentialAnswerer(host, { installation, clock, ids });
  return createApp({
    tools: manifestOf("implemented").tools,
    answererOf: (tool) => toolAnswerer(host, tool, callStream),
    documents: documentsOf(manifestOf, installation.signer, version),
    events: eventsAnswerer({ keys, store, door, limits, wakes, clock, requestId, fault, signal: closing }),
    account: [
      ...approvalAnswerers(host, new ApprovalDesk(desk)),
      ...grantAnswerers(host, new GrantDesk(desk)),
      ["POST", "/api/runs/{runId}/credential", credentials],
    ],
    door,
    readiness: readinessOf(store, clock, limits.readyMs),
    requestId,
    fault,
  });
}
