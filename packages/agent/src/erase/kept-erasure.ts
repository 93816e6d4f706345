// What is erased is on record before it is, with ids alone: whoever comes after a crash knows what is to go, and whoever has an agent open
// knows that what it has read may be gone.
import { type AgentErasure, agentErasureSchema, type CallId, type KeyedHash } from "@spfunctions/contracts";
import {
  type DocumentWrite,
  documentsOf,
  provenRow,
  provenValue,
  type Store,
  type StoredDocument,
} from "@spfunctions/kernel";

const erasureKind = "agent_erasure";
/** One document of an account, which changes with every erasing. */
const countKind = "agent_erasures";

export type ErasuresOf = { readonly store: Store; readonly accountId: string; readonly proves: KeyedHash };

export type KeptErasure = { readonly value: AgentErasure; readonly stored: number };

export async function keptErasure(
  { store, accountId, proves }: ErasuresOf,
  callId: CallId,
): Promise<KeptErasure | undefined> {
  const document = await store.document({ kind: erasureKind, accountId, id: callId });
  const value = document && erasureIn(document, proves);
  return document && { value: value ?? nothingOf(callId), stored: document.revision };
}

export async function* keptErasures({ store, accountId, proves }: ErasuresOf): AsyncGenerator<AgentErasure> {
  for await (const document of documentsOf(store, erasureKind, accountId)) {
    const value = erasureIn(document, proves);
    if (value !== undefined) yield value;
  }
}

/** Changes with every erasing of the account; 0 where there was none. */
export async function erasureCount({ store, accountId }: Omit<ErasuresOf, "proves">): Promise<number> {
  return (await store.document({ kind: countKind, accountId, id: countKind }))?.revision ?? 0;
}

/** The same with what is found now. Nothing is dropped: what is gone cannot be found again. */
export function mergedErasure(before: AgentErasure, now: Omit<AgentErasure, "callId">): AgentErasure {
  const logs = new Map([...before.logs, ...now.logs].map((log) => [`${log.sessionId}/${log.name}`, log]));
  return {
    ...now,
    callId: before.callId,
    runs: [...new Set([...before.runs, ...now.runs])],
    memories: [...new Set([...before.memories, ...now.memories])],
    logs: [...logs.values()],
  };
}

/** Whether it was written: somebody else may have changed it meanwhile. */
export async function keepErasure(
  { store, accountId, proves }: ErasuresOf,
  value: AgentErasure,
  expects: number,
  now: number,
): Promise<boolean> {
  const key = { kind: erasureKind, accountId, id: value.callId };
  const count = { kind: countKind, accountId, id: countKind };
  const documents: DocumentWrite[] = [
    { type: "put", ...key, expects, status: value.status, body: provenRow(key, value, proves) },
    {
      type: "put",
      ...count,
      expects: await erasureCount({ store, accountId }),
      status: "kept",
      body: "{}",
    },
  ];
  return (await store.commit({ durability: "power", now, documents })).type === "committed";
}

export function nothingOf(callId: CallId): AgentErasure {
  return { callId, status: "begun", runs: [], underWay: [], memories: [], logs: [] };
}

/** One that this installation did not write says nothing. */
function erasureIn(document: StoredDocument, proves: KeyedHash): AgentErasure | undefined {
  const value = agentErasureSchema.safeParse(provenValue(document, proves));
  return value.success && value.data.callId === document.id ? value.data : undefined;
}
