// What a turn is begun with is the objective of its run, so that whoever goes on with it goes on from the same.
import {
  type AgentRevision,
  type Digest,
  digestSchema,
  isJsonObject,
  JournalCorruptError,
  type JsonValue,
  type MemoryId,
  memoryIdSchema,
} from "@spfunctions/contracts";
import type { Run } from "@spfunctions/kernel";

export type TurnStart = {
  /** What the user said. */
  readonly text: string;
  /** The revision that it goes on from. */
  readonly base: { readonly revision: number; readonly hash: Digest };
  /** The block of what was remembered, as the model is shown it, and of which memories. */
  readonly memory: string;
  readonly shown: readonly MemoryId[];
};

export function objectiveOf({ text, ...turn }: TurnStart): JsonValue {
  return [{ role: "user", text, data: { turn } }];
}

export function baseOf({ checkpoint: { revision }, hash }: AgentRevision): TurnStart["base"] {
  return { revision, hash };
}

/** As it is kept: without secrets. Nothing where it was erased. */
export function keptStartOf({ objective }: Pick<Run, "objective">): TurnStart | undefined {
  const [first] = Array.isArray(objective) ? objective : [];
  if (!isJsonObject(first) || typeof first["text"] !== "string" || !isJsonObject(first["data"]))
    return undefined;
  const { turn } = first["data"];
  const start = isJsonObject(turn) ? readTurn(turn) : undefined;
  return start && { text: first["text"], ...start };
}

/** The same, for whoever cannot go on without it. */
export function turnStartOf(run: Pick<Run, "objective" | "opening">): TurnStart {
  const start = keptStartOf(run);
  if (start !== undefined) return start;
  const { runId } = run.opening;
  throw new JournalCorruptError(
    `${runId} is no turn of an agent, or what it was begun with was erased; cancel it`,
    {
      details: { runId, reason: "no_turn" },
    },
  );
}

function readTurn(turn: Record<string, JsonValue>): Omit<TurnStart, "text"> | undefined {
  const { base, memory, shown } = turn;
  if (!isJsonObject(base) || typeof memory !== "string" || !areIds(shown)) return undefined;
  const { revision, hash } = base;
  const digest = digestSchema.safeParse(hash);
  if (typeof revision !== "number" || !digest.success) return undefined;
  return { base: { revision, hash: digest.data }, memory, shown };
}

function areIds(value: JsonValue | undefined): value is MemoryId[] {
  return Array.isArray(value) && value.every((one) => memoryIdSchema.safeParse(one).success);
}
