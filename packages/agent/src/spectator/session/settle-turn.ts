// What a turn has come to becomes the next revision, once: whoever finds an ended run that no revision tells of writes it, in whichever process.
import type { AgentState, Checkpoint, RunId } from "@spfunctions/contracts";
import type { Run } from "@spfunctions/kernel";
import type { Revision } from "../checkpoints/revision-content.ts";
import { checkCitations, type Citations } from "../memory/citations.ts";
import { type FoldedTurn, foldTurn, messagesOf } from "../turn/fold-turn.ts";
import { keptStartOf } from "../turn/turn-start.ts";
import { appendFitting } from "./append-fitting.ts";
import type { SessionParts } from "./session-parts.ts";

export type SettledTurn = {
  readonly run: Run;
  readonly folded: FoldedTurn;
  /** Everything that was said to the user in it. */
  readonly text: string;
  readonly citations: Citations;
  readonly revision: Revision;
  /** Whether it was written now. */
  readonly isNew: boolean;
};

export async function settleTurn(parts: SessionParts, sessionId: string, runId: RunId): Promise<SettledTurn> {
  const run = await parts.turns.runs.read(runId);
  await settleBefore(parts, sessionId, run);
  return await settle(parts, sessionId, run);
}

async function settle(parts: SessionParts, sessionId: string, run: Run): Promise<SettledTurn> {
  const { turns, checkpoints, terms, limits } = parts;
  const { runId } = run.opening;
  for (;;) {
    /* oxlint-disable no-await-in-loop -- again only where somebody else has written a revision meanwhile */
    const latest = await checkpoints.open(sessionId);
    const told = await revisionOf(parts, sessionId, latest, run);
    const base = (told?.before ?? latest).current;
    const folded = foldTurn(run, base, terms);
    const text = folded.answers
      .map(({ said }) => said.visible)
      .filter((said) => said !== "")
      .join("\n\n");
    const citations = checkCitations(text, folded.start.shown);
    const settled = { run, folded, text, citations };
    if (told !== undefined) return { ...settled, revision: told.revision, isNew: false };
    const state = {
      ...withRefs(folded.state, citations.cited, limits.listItems),
      ...(await turns.held(sessionId)),
    };
    const traceTail = [...(base.traceTail ?? []), traceNameOf(base, runId)];
    const turn = { state, said: messagesOf(folded, terms), traceTail };
    const written = await appendFitting(parts, sessionId, latest, turn, { type: "turn", runId });
    if (!("type" in written)) return { ...settled, revision: written, isNew: true };
    /* oxlint-enable no-await-in-loop */
  }
}

/** The revision that tells of a run, where there is one: it comes after the one that the turn goes on from. */
async function revisionOf(
  { checkpoints }: SessionParts,
  sessionId: string,
  { checkpoint: { revision: last } }: Revision,
  run: Run,
): Promise<{ readonly revision: Revision; readonly before: Revision } | undefined> {
  const base = keptStartOf(run)?.base.revision ?? Math.max(1, last - fewBack);
  let before = await checkpoints.get(sessionId, base);
  for (let number = base + 1; number <= last && before !== undefined; number++) {
    // oxlint-disable-next-line no-await-in-loop -- the next one, unless others have written meanwhile
    const revision = await checkpoints.get(sessionId, number);
    const isTold = revision?.cause.type === "turn" && revision.cause.runId === run.opening.runId;
    if (isTold) return { revision, before };
    before = revision;
  }
  return undefined;
}

/** Where nobody knows any more what a turn went on from. */
const fewBack = 16;

/** Whoever has ended the turn before may be no more, and this one have begun before anybody has seen that. */
async function settleBefore(parts: SessionParts, sessionId: string, run: Run): Promise<void> {
  const { turns } = parts;
  const { previous } = run.opening;
  const base = keptStartOf(run)?.base.revision;
  if (previous === undefined || base === undefined) return;
  if ((await turnUpTo(parts, sessionId, base)) === previous) return;
  const before = await turns.runs.read(previous);
  if (turns.isTurn(before)) await settle(parts, sessionId, before);
}

/** The last turn that a revision knows of. */
async function turnUpTo(
  { checkpoints }: SessionParts,
  sessionId: string,
  revision: number,
): Promise<RunId | undefined> {
  for (let number = revision; number > 1; number--) {
    // oxlint-disable-next-line no-await-in-loop -- one or two, unless it was undone often
    const { cause } = (await checkpoints.get(sessionId, number)) ?? {};
    if (cause?.type === "turn") return cause.runId;
  }
  return undefined;
}

/** The memories that were cited last, the latest at the end. */
function withRefs(state: AgentState, cited: readonly string[], most: number): AgentState {
  const others = state.memoryRefs.filter((one) => !cited.includes(one));
  return { ...state, memoryRefs: [...others, ...cited].slice(-most) };
}

export function traceNameOf({ revision }: Pick<Checkpoint, "revision">, runId: RunId): string {
  return `turn-${String(revision + 1).padStart(8, "0")}-${runId}.jsonl`;
}
