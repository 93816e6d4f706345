// How a run begins. A1, A2: it acts with a credential of its own, that can neither trade nor approve.
import {
  canonicalJson,
  type Digest,
  InvalidInputError,
  type JsonValue,
  parseAtDoor,
  type Principal,
  redactionVersion,
  type RunDocument,
  type RunId,
  runScopes,
  type RuntimePackage,
  sessionIdSchema,
  traceIdSchema,
} from "@spfunctions/contracts";
import { freeze, recordedForm } from "../call/payload.ts";
import { draftContent, draftRecord } from "../journal/record-draft.ts";
import type { Draft } from "../journal/stream-writer.ts";
import { type DocumentWrite, installationAccount } from "../store/store.ts";
import { contentRef, nameCall } from "../time/ids.ts";
import { packageKind } from "./kept-package.ts";
import { portsOf, type RunHost } from "./run-host.ts";

export type StartRun = {
  /** What it is to do: a text, or messages. */
  readonly objective: JsonValue;
  readonly sessionId?: string | undefined;
  readonly traceId?: string | undefined;
};

/** A run that is still to be written. */
export type OpeningRun = { readonly document: RunDocument; readonly draft: Draft };

/** Everything is read once, and what it must do is kept in its recorded form: the model is shown no other (S1). */
export function openingRun(
  host: RunHost,
  starter: Principal,
  policyDigest: Digest,
  { objective, ...given }: StartRun,
): OpeningRun {
  const said = freeze(objective);
  if (said.type === "unreadable")
    throw new InvalidInputError(`the objective ${said.problem.message}`, { details: { path: "/objective" } });
  const session = readOptional(sessionIdSchema, given.sessionId, "sessionId");
  const trace = readOptional(traceIdSchema, given.traceId, "traceId");
  const { ids, clock, package: runtimePackage } = host;
  const unique = ids.unique();
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
    origin: "model",
    policyDigest,
    ports: portsOf(host),
    strategy: runtimePackage.strategy,
    input: content.digest,
  } as const;
  const now = new Date(clock.now()).toISOString();
  return {
    document: { ...shared, startedAt: now, updatedAt: now },
    draft: {
      durability: "power",
      records: [draftRecord("run.opened", body, { content: [content.row] })],
      documents: [keepPackage(runtimePackage)],
    },
  };
}

function runCredential({ accountId, keyId, scopes }: Principal, runId: RunId): Principal {
  const kept = runScopes.filter((scope) => scopes.includes(scope));
  return { accountId, keyId, scopes: kept, kind: "run", runId };
}

function keepPackage(runtimePackage: RuntimePackage): DocumentWrite {
  const { fingerprint: id } = runtimePackage;
  const body = canonicalJson(runtimePackage);
  return { type: "keep", kind: packageKind, accountId: installationAccount, id, status: "kept", body };
}

function readOptional<Schema extends Parameters<typeof parseAtDoor>[0]>(
  schema: Schema,
  given: string | undefined,
  what: string,
): ReturnType<typeof parseAtDoor<Schema>> | undefined {
  return given === undefined ? undefined : parseAtDoor(schema, given, what, InvalidInputError);
}
