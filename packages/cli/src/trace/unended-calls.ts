import { documentsOf, runKind, segmentKind, type Store } from "@spfunctions/kernel";
import type { CliIo } from "../io/cli-io.ts";
import { hasEnded, runStates } from "../runs/run-states.ts";
import { membersOf, storedRecords } from "./journaled-segments.ts";

/** A call that was begun and has no end on record: it is under way, or whoever made it is gone. Nothing of it was verified. */
export type UnendedCall = {
  /** The segment, or the run, that it is in. */
  readonly stream: string;
  readonly callId: string;
  readonly effectId: string;
  readonly tool: string;
  /** When it was begun. */
  readonly ts: string;
};

type Where = { readonly store: Store; readonly accountId: string; readonly io: Pick<CliIo, "signal"> };

/** In segments that have no end either. */
export async function* unendedInSegments(where: Where): AsyncGenerator<UnendedCall> {
  for await (const { id } of documentsOf(where.store, segmentKind, where.accountId, "open"))
    yield* unendedIn(where, id);
}

/** In runs that have not ended. */
export async function* unendedInRuns(where: Where): AsyncGenerator<UnendedCall> {
  for (const state of runStates.filter((one) => !hasEnded(one)))
    for await (const { id } of documentsOf(where.store, runKind, where.accountId, state))
      yield* unendedIn(where, id);
}

async function* unendedIn({ store, accountId, io }: Where, stream: string): AsyncGenerator<UnendedCall> {
  const begun = new Map<string, UnendedCall>();
  for await (const { text } of storedRecords({ store, accountId, stream }, io)) {
    const { kind, callId, effectId, tool, ts, replayed } = membersOf(text);
    // What was only replayed has no effect.
    if (kind === "call.intended" && replayed !== true)
      begun.set(String(callId), {
        stream,
        callId: String(callId),
        effectId: String(effectId),
        tool: String(tool),
        ts: String(ts),
      });
    if (kind === "call.settled") begun.delete(String(callId));
  }
  yield* begun.values();
}
