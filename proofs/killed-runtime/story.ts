// What the journals, the approvals and the world say in the end. They must tell the same story.
import {
  type JournalRecord,
  journalRecordSchema,
  type RunDocument,
  runDocumentSchema,
} from "@spfunctions/contracts";
import { problemsOf, type Store, type StoredRecord, verifyAccount } from "@spfunctions/kernel";
import type { CountingServer } from "../crash-truth/counting-server.ts";
import { accountId, isSeenOutside, kindOf, operationsOf, sessionOf } from "./plan.ts";
import { installation } from "./runtime.ts";

export type Story = Counts & {
  /** By job and part what was answered, and by operation how often it can be seen outside. */
  readonly outcomes: ReadonlyMap<string, string>;
  readonly runs: number;
};

export type Counts = {
  /** Runs that a later life has taken on, and how often in all. */
  readonly takenOver: number;
  readonly timesTakenOver: number;
  readonly approvals: number;
  readonly denied: number;
  /** Effects of which nobody knew what became, and that a person has decided on: done, and not. */
  readonly resolved: { readonly completed: number; readonly failed: number };
  readonly retried: number;
  readonly condensed: number;
  readonly revised: number;
};

type Record = { readonly record: JournalRecord; readonly content: StoredRecord["content"] };
export type Told = { readonly document: RunDocument; readonly records: readonly Record[] };

export async function storyOf(
  store: Store,
  world: CountingServer,
  jobs: number,
  broken: string[],
): Promise<Story> {
  broken.push(...problemsOf(await verifyAccount(store, accountId, [installation.signer.publicKey])));
  const outcomes = new Map<string, string>();
  const told = await tellAll(store);
  const sessions = Map.groupBy(told, ({ document }): string => document.sessionId ?? "");
  for (let job = 1; job <= jobs; job++) {
    const parts = inOrder(sessions.get(sessionOf(job)) ?? [], broken);
    if (parts.length !== 2) broken.push(`job ${job} has ${parts.length} runs`);
    for (const [index, part] of parts.entries())
      outcomes.set(`job ${job}, part ${index + 1}`, outcomeOf(part));
    for (const operation of operationsOf(job)) lookOutside(operation, world, outcomes, broken);
  }
  for (const operation of world.seen.keys())
    if (!outcomes.has(operation)) broken.push(`${operation} was done, and nobody wanted it`);
  for (const one of told) requireOnce(one, broken);
  return { outcomes, runs: told.length, ...countsOf(told) };
}

export async function tellAll(store: Store): Promise<Told[]> {
  const listed = await store.documents({ kind: "run", accountId, limit: 100_000 });
  return await Promise.all(
    listed.map(async ({ id, body }) => {
      const stored = await store.readStream({ stream: id, accountId, limit: 100_000 });
      return {
        document: runDocumentSchema.parse(JSON.parse(body)),
        records: stored.map(({ text, content }) => ({
          record: journalRecordSchema.parse(JSON.parse(text)),
          content,
        })),
      };
    }),
  );
}

export function recordsOf<Kind extends JournalRecord["kind"]>(
  { records }: Told,
  kind: Kind,
): Extract<JournalRecord, { kind: Kind }>[] {
  return records.flatMap(({ record }) =>
    record.kind === kind ? (record as Extract<JournalRecord, { kind: Kind }>) : [],
  );
}

/** A session's runs, each of which says which was before it. */
function inOrder(runs: readonly Told[], broken: string[]): readonly Told[] {
  const sorted = runs.toSorted((one, other) => (one.document.startedAt < other.document.startedAt ? -1 : 1));
  for (const [index, run] of sorted.entries()) {
    const [opening] = recordsOf(run, "run.opened");
    if (opening?.previous !== sorted[index - 1]?.document.runId)
      broken.push(`${run.document.runId} does not go on from the run before it`);
  }
  return sorted;
}

/** How a run ended, and with what. Exactly once. */
export function outcomeOf({ records }: Told): string {
  const ends = records.flatMap(({ record, content }) => {
    if (record.kind !== "run.ended") return [];
    const row = content.find(({ ref }) => ref === record.output?.ref);
    return `${record.status} with ${row !== undefined && "text" in row ? row.text : "nothing"}`;
  });
  return ends.join(" and ");
}

/** X1: what repeats by a key is applied once; what nobody may repeat is attempted once, and a person has said what became of it. */
export function lookOutside(
  operation: string,
  { seen }: CountingServer,
  outcomes: Map<string, string>,
  broken: string[],
): void {
  const { attempts, applied } = seen.get(operation) ?? { attempts: 0, applied: 0 };
  const kind = kindOf(operation);
  const wanted = isSeenOutside(operation) ? 1 : 0;
  const isRight = kind === "natural" ? applied >= wanted : applied === wanted;
  if (!isRight || (kind === "plain" && attempts > 1))
    broken.push(`${operation} was attempted ${attempts} and applied ${applied} times`);
  outcomes.set(operation, `done ${Math.min(applied, 1)} times`);
}

/** A1, J1: each intent has a key of its own, each approval is used once, and nothing is left that nobody knows of. */
export function requireOnce(run: Told, broken: string[]): void {
  const { runId } = run.document;
  const intents = recordsOf(run, "call.intended");
  for (const key of twice(intents.map(({ idempotencyKey }) => idempotencyKey)))
    broken.push(`${runId} has two intents for ${key}`);
  for (const id of twice(intents.flatMap(({ approval }) => approval?.approvalId ?? [])))
    broken.push(`${runId} has used ${id} twice`);
  const resolved = new Set(recordsOf(run, "call.resolved").map(({ effectId }) => effectId));
  for (const { effectId, status } of recordsOf(run, "call.settled"))
    if (status === "unknown" && !resolved.has(effectId))
      broken.push(`nobody knows what became of ${effectId}`);
}

function twice(list: readonly string[]): string[] {
  return list.filter((one, index) => list.indexOf(one) !== index);
}

export function countsOf(told: readonly Told[]): Counts {
  const all = <Kind extends JournalRecord["kind"]>(kind: Kind) => told.flatMap((one) => recordsOf(one, kind));
  const resolved = all("call.resolved");
  return {
    takenOver: told.filter((one) => recordsOf(one, "run.resumed").length > 0).length,
    timesTakenOver: all("run.resumed").length,
    approvals: all("call.intended").filter(({ approval }) => approval !== undefined).length,
    denied: all("call.refused").filter(({ error }) => error.code === "approval_denied").length,
    resolved: {
      completed: resolved.filter(({ status }) => status === "completed").length,
      failed: resolved.filter(({ status }) => status === "failed").length,
    },
    retried: all("call.retried").length,
    condensed: all("context.condensed").length,
    revised: all("call.revised").length,
  };
}
