// B22: a run goes on from a journal that is whole, and from no other. What is listed of it must be what its journal says.
import {
  canonicalJson,
  type Digest,
  InvalidPackageError,
  InvalidTransitionError,
  JournalCorruptError,
  type KeyedHash,
  NotFoundError,
  runIdSchema,
} from "@spfunctions/contracts";
import { requireId } from "../../call/require-id.ts";
import { safeText } from "../../call/safe-text.ts";
import { readWholeStream } from "../../journal/read-stream.ts";
import { runIn } from "../../journal/run-seal.ts";
import { requireWhole, verifyStream } from "../../journal/verify-stream.ts";
import { runKind } from "../../store/kernel-kinds.ts";
import type { Store } from "../../store/store.ts";
import { foldRun, requireRun, type Run } from "../state/fold-run.ts";
import type { ListedRun } from "./listed-run.ts";
import { headProof } from "./run-document.ts";
import type { RunHost } from "../run-host.ts";
import { hasEnded, runStates } from "../state/run-states.ts";

/** I1: a run of another account is as one that is not there. */
export async function listedRun(store: Store, accountId: string, id: string): Promise<ListedRun> {
  requireId(id, "run");
  const found = runIdSchema.safeParse(id).success
    ? await store.document({ kind: runKind, accountId, id })
    : undefined;
  if (found === undefined)
    throw new NotFoundError(`there is no run ${safeText(id, 100)} in this account`, {
      details: { reason: "no_run" },
    });
  const document = runIn(found);
  const state = runStates.find((one) => one === found.status);
  if (state === undefined || document.runId !== id) throw notAsListed(id);
  return { document, revision: found.revision, state };
}

/** A run as its journal has it, with how it is listed. `first`: how it was listed a moment ago, where that is known. */
export async function readRun(
  store: Store,
  accountId: string,
  runId: string,
  first?: ListedRun,
): Promise<ListedRun & { readonly run: Run }> {
  let known = first;
  for (let before: ListedRun | undefined; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- again only where somebody has written meanwhile
    const listed: ListedRun = known ?? (await listedRun(store, accountId, runId));
    // oxlint-disable-next-line no-await-in-loop -- see above
    const run = await foldStream(store, accountId, listed);
    if (run !== undefined && isListedAs(listed, run)) return { ...listed, run };
    if (before?.revision === listed.revision) throw notAsListed(runId);
    if (known === undefined) before = listed;
    known = undefined;
  }
}

/** Nothing where it goes on after what it was listed as having come to: somebody is writing. */
async function foldStream(
  store: Store,
  accountId: string,
  { document: { runId, seal } }: Pick<ListedRun, "document">,
): Promise<Run | undefined> {
  let run: Run | undefined;
  let impossible: InvalidTransitionError | undefined;
  const verification = await verifyStream(
    readWholeStream(store, runId, accountId),
    { of: { stream: runId, accountId }, seal },
    (verified) => {
      if (impossible !== undefined) return;
      try {
        run = foldRun(run, verified);
      } catch (error) {
        if (!(error instanceof InvalidTransitionError)) throw error;
        impossible = error;
      }
    },
  );
  if (verification.status === "broken" && verification.broken.reason === "after_the_seal") return undefined;
  requireWhole(verification, `the journal of ${runId}`);
  if (impossible !== undefined) throw impossibleRun(runId, impossible);
  return requireRun(run, runId);
}

/** B22: what somebody has written there who has not the installation's secret is gone on with by nobody. */
export function requireProven(
  { document, state, run }: ListedRun & { readonly run: Run },
  proves: KeyedHash,
): void {
  const { runId, head } = document;
  const isProven =
    head?.seq === run.head.seq &&
    head.hash === run.head.hash &&
    head.proof === headProof(runId, state, run.head, proves);
  if (isProven) return;
  throw new JournalCorruptError(
    `${runId} is not as this installation has left it: its records, or how it is listed, were written by somebody else. Nothing of it is gone on with; verify the journal`,
    { details: { runId, reason: "no_proof" } },
  );
}

export function impossibleRun(runId: string, cause: InvalidTransitionError): JournalCorruptError {
  return new JournalCorruptError(`the journal of ${runId} says what cannot have happened; verify it`, {
    cause,
  });
}

function isListedAs({ document, state }: ListedRun, { shape, opening }: Run): boolean {
  const { agentId, packageFingerprint, sessionId, starter, parentRunId, seal } = document;
  const isSealed = seal !== undefined;
  return (
    shape.state === state &&
    hasEnded(state) === isSealed &&
    canonicalJson({ agentId, packageFingerprint, sessionId, starter, parentRunId }) ===
      canonicalJson({
        agentId: opening.agentId,
        packageFingerprint: opening.packageFingerprint,
        sessionId: opening.sessionId,
        starter: opening.starter,
        parentRunId: opening.parent?.runId,
      })
  );
}

function notAsListed(runId: string): JournalCorruptError {
  return new JournalCorruptError(
    `${safeText(runId, 100)} is not listed as what its journal says; verify the journal`,
    { details: { reason: "listed" } },
  );
}

/** A run goes on under the package it was started with, and under no other (B3, B7). */
export function requireSamePackage(
  { opening }: Pick<Run, "opening">,
  host: RunHost,
  policyDigest: Digest,
  differences: readonly string[] = [],
): void {
  const { packageFingerprint, runId, parent } = opening;
  if (packageFingerprint !== host.package.fingerprint && parent !== undefined)
    throw new InvalidPackageError(
      `${runId} is a child of ${parent.runId}, and goes on with that: resume ${parent.runId}`,
      { details: { runId, reason: "child" } },
    );
  if (packageFingerprint !== host.package.fingerprint || opening.policyDigest !== policyDigest) {
    const changed = differences.join("; ") || "with other tools, policies, hooks, model or strategy";
    throw new InvalidPackageError(
      `${runId} was started under another package (${packageFingerprint}): here it would go on ${changed}. Resume it with what it was started with, or cancel it`,
      { details: { runId, reason: "other_package" } },
    );
  }
  const [before, now] = [opening.ports, host.ports].map((ports) => ports.toSorted().join(", "));
  if (before === now) return;
  throw new InvalidPackageError(
    `${runId} was started where these had a say in it: ${before || "none"}; here it would be: ${now || "none"}. Resume it where the same are given, or cancel it`,
    { details: { runId, reason: "other_ports" } },
  );
}
