// How a run begins. A1, A2: it acts with a credential of its own, that can neither trade nor approve.
import {
  canonicalJson,
  type DepthBudget,
  type Digest,
  InvalidInputError,
  type JsonValue,
  parseAtDoor,
  type Principal,
  redactionVersion,
  type RunDocument,
  type RunId,
  type RuntimePackage,
  type SessionId,
  givenSessionIdSchema,
  type TraceId,
  givenTraceIdSchema,
} from "@spfunctions/contracts";
import type { RunTree } from "../call/call-host.ts";
import { type Payload, readable, recordedForm } from "../call/payload.ts";
import { readPayload } from "../journal/read-payload.ts";
import { draftContent, draftRecord } from "../journal/record-draft.ts";
import type { Draft } from "../journal/stream-writer.ts";
import { packageKind } from "../store/kernel-kinds.ts";
import { type DocumentWrite, installationAccount } from "../store/store.ts";
import { contentRef, nameCall } from "../time/ids.ts";
import { depthBudgetOf } from "../subagent/depth-budget.ts";
import { shortened } from "./model/condense.ts";
import { runCredential } from "./run-credential.ts";
import type { RunHost } from "./run-host.ts";
import { openingMessages } from "./model/run-messages.ts";
import { putSession, type SessionPlace } from "./session.ts";

export type StartRun = {
  /** What it is to do: a text, or messages, each with `data` beside its text where it has any. */
  readonly objective: JsonValue;
  readonly sessionId?: string | undefined;
  readonly traceId?: string | undefined;
};

/** Whose child a run is. Its name follows from whose it is, so that it begins once. */
export type AsChild = {
  readonly runId: RunId;
  readonly parent: { readonly runId: RunId; readonly mayAsk: boolean };
  readonly depth: DepthBudget;
  readonly tree: RunTree;
};

/** What was given to begin a run with, read once: what its owner does to it from then on is too late. */
export type ReadStart = {
  readonly said: Payload;
  readonly sessionId: SessionId | undefined;
  readonly traceId: TraceId | undefined;
};

export function readStart({ objective, ...given }: StartRun): ReadStart {
  const said = readable(objective, "the objective", "/objective");
  const sessionId = readOptional(givenSessionIdSchema, given.sessionId, "sessionId");
  return { said, sessionId, traceId: readOptional(givenTraceIdSchema, given.traceId, "traceId") };
}

/** A run that is still to be written. */
export type OpeningRun = { readonly document: RunDocument; readonly draft: Draft };

/** Everything is read once, and what it must do is kept in its recorded form: the model is shown no other (S1). */
export function openingRun(
  host: RunHost,
  starter: Principal,
  policyDigest: Digest,
  { said, sessionId: session, traceId: trace }: ReadStart,
  place: SessionPlace | undefined,
  child?: AsChild,
): OpeningRun {
  const { ids, clock, package: runtimePackage } = host;
  const unique = child?.runId.slice("run_".length) ?? ids.unique();
  const { runId, traceId } = nameCall(unique, trace);
  const recorded = recordedForm(said, { publicPaths: [], secretPaths: [] }, host.keyedHash);
  const content = draftContent(contentRef(unique, "objective"), ids.salt(), recorded.text, recorded.hash);
  const shared = {
    runId,
    agentId: runtimePackage.agentId,
    starter,
    packageFingerprint: runtimePackage.fingerprint,
    ...(session !== undefined && { sessionId: session }),
  };
  const body = {
    ...shared,
    stream: runId,
    accountId: starter.accountId,
    redactionVersion,
    manifestDigest: host.registry.manifest.digest,
    traceId,
    principal: runCredential(starter, runId),
    origin: child === undefined ? host.origin : "subagent",
    policyDigest,
    ports: host.ports,
    strategy: runtimePackage.strategy,
    ...(place?.last && { previous: place.last.runId }),
    ...(host.choice && { shown: host.choice.shownFor(wordsIn(recorded.text)) }),
    ...(child && { parent: child.parent }),
    depth: child?.depth ?? depthBudgetOf(host.judgeOf(starter).budget),
    input: content.digest,
  } as const;
  const now = new Date(clock.now()).toISOString();
  const at = { runId, accountId: starter.accountId, at: now };
  const about = { objective: objectiveIn(recorded.text), policySummary: { policyDigest } };
  return {
    document: {
      ...shared,
      ...(child && { parentRunId: child.parent.runId }),
      startedAt: now,
      updatedAt: now,
    },
    draft: {
      durability: "power",
      records: [draftRecord("run.opened", body, { content: [content.row] })],
      documents: [keepPackage(runtimePackage), ...(place ? [putSession(host, place, at, about)] : [])],
    },
  };
}

/** What was said last by whoever asks. */
function objectiveIn(text: string): string {
  const told = openingMessages({ objective: readPayload(text) });
  return shortened(told.findLast(({ role }) => role === "user")?.text ?? "", 200);
}

function wordsIn(text: string): string {
  const told = openingMessages({ objective: readPayload(text) });
  return told.flatMap((message) => (message.role === "user" ? message.text : [])).join(" ");
}

/** Written down once: a package is frozen, and every run of it keeps it. */
const keeping = new WeakMap<RuntimePackage, DocumentWrite>();

export function keepPackage(runtimePackage: RuntimePackage): DocumentWrite {
  const known = keeping.get(runtimePackage);
  if (known !== undefined) return known;
  const { fingerprint: id } = runtimePackage;
  const body = canonicalJson(runtimePackage);
  const kept = {
    type: "keep",
    kind: packageKind,
    accountId: installationAccount,
    id,
    status: "kept",
    body,
  } as const;
  keeping.set(runtimePackage, kept);
  return kept;
}

function readOptional<Schema extends Parameters<typeof parseAtDoor>[0]>(
  schema: Schema,
  given: string | undefined,
  what: string,
): ReturnType<typeof parseAtDoor<Schema>> | undefined {
  return given === undefined ? undefined : parseAtDoor(schema, given, what, InvalidInputError);
}
