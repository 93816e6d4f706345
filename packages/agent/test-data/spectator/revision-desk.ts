import type { AgentState, ChatMessage, RunId } from "@spfunctions/contracts";
import { createMemoryStore, type DocumentKey, openInstallation, type Store } from "@spfunctions/kernel";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { Checkpoints, type CheckpointsOptions } from "../../src/spectator/checkpoints/checkpoints.ts";
import type { Revision, RevisionContent } from "../../src/spectator/checkpoints/revision-content.ts";
import { stateOf } from "./checkpoints.ts";

export const installation = openInstallation(new Uint8Array(32).fill(7));
export const otherInstallation = openInstallation(new Uint8Array(32).fill(8));
export const account = "acct_1";

export type RevisionDesk = {
  readonly store: Store;
  readonly clock: ManualClock;
  readonly checkpoints: Checkpoints;
};

export function openDesk(options: Partial<CheckpointsOptions> = {}): RevisionDesk {
  const store = options.store ?? createMemoryStore();
  const clock = new ManualClock();
  const { keyHash: proves, redaction } = installation;
  const checkpoints = new Checkpoints({ accountId: account, proves, redaction, clock, ...options, store });
  return { store, clock, checkpoints };
}

export const runId = (number: number) => `run_${String(number).padStart(8, "0")}` as RunId;
export const turn = (number: number) => ({ type: "turn", runId: runId(number) }) as const;

export function contentOf(
  state: Partial<AgentState> = {},
  recentMessages: ChatMessage[] = [],
): RevisionContent {
  return { state: stateOf(state), recentMessages };
}

/** The revision, or a fault where somebody was faster. */
export function won(result: Awaited<ReturnType<Checkpoints["append"]>>): Revision {
  if ("type" in result) throw new Error("somebody was faster");
  return result;
}

/** A session with so many revisions; the goals of each are its number. */
export async function grow(
  checkpoints: Checkpoints,
  sessionId: string,
  revisions: number,
): Promise<Revision> {
  let last = await checkpoints.open(sessionId);
  while (last.checkpoint.revision < revisions) {
    const number = last.checkpoint.revision + 1;
    const { state, recentMessages } = last.current;
    const next = { state: { ...state, goals: [`goal ${number}`] }, recentMessages };
    last = won(await checkpoints.append(sessionId, last, next, turn(number)));
  }
  return last;
}

export const revisionKey = (number: number, sessionId = "s1", accountId = account): DocumentKey => ({
  kind: "agent_revision",
  accountId,
  id: `${sessionId}/${String(number).padStart(10, "0")}`,
});
export const headKey = (sessionId = "s1", accountId = account): DocumentKey => ({
  kind: "agent",
  accountId,
  id: sessionId,
});

/** What lies in a store, changed by somebody who can write to it and has no secret. Nothing: the row goes. */
export async function rewrite(store: Store, key: DocumentKey, body: string | undefined): Promise<void> {
  const standing = await store.document(key);
  const expects = standing?.revision ?? 0;
  const status = standing?.status ?? "kept";
  const write =
    body === undefined
      ? { type: "remove" as const, ...key, expects }
      : { type: "put" as const, ...key, expects, status, body };
  const { type } = await store.commit({ durability: "process", now: 0, documents: [write] });
  if (type !== "committed") throw new Error("it was not written");
}

export async function bodyOf(store: Store, key: DocumentKey): Promise<string> {
  const document = await store.document(key);
  if (document === undefined) throw new Error(`there is no ${key.id}`);
  return document.body;
}
