// What a store keeps of an account with long-lived agents, as somebody finds it who reads all of it.
import type { Store } from "@spfunctions/kernel";
import { govern } from "../../src/govern.ts";
import { installation, principal } from "./agent-desk.ts";

type Desk = { readonly store: Store };

const kinds =
  `agent agent_revision agent_erasure agent_erasures memory memory_vector run session package approval asked grant capability
  segment journal effect contract inbox`.split(/\s+/);

/** All documents and records of the account. */
export async function keptIn({ store }: Desk): Promise<string> {
  const { accountId } = principal;
  const documents = (
    await Promise.all(kinds.map((kind) => store.documents({ kind, accountId, limit: 1000 })))
  ).flat();
  const streams = documents.filter(({ kind }) => kind === "run" || kind === "segment");
  const records = await Promise.all(
    streams.map(({ id: stream }) => store.readStream({ stream, accountId, limit: 1000 })),
  );
  return JSON.stringify([documents, records]);
}

/** The first call of a run. */
export async function callOf({ store }: Desk, runId: string): Promise<string> {
  const { accountId } = principal;
  const records = await store.readStream({ stream: runId, accountId, limit: 1000 });
  const ids = records.map(({ text }) => /"callId":"(call_[^"]+)"/.exec(text)?.[1]);
  return ids.find((id) => id !== undefined) ?? "";
}

/** Whoever erases. */
export function openSeat({ store }: Desk) {
  return govern({ packs: [], policy: {}, principal, store, installation });
}
