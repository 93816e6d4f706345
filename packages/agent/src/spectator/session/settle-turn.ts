// What a turn has come to becomes the next revision, once: whoever finds an ended run that no revision tells of writes it, in whichever process.
import { type AgentState, type Checkpoint, type RunId } from "@spfunctions/contracts";
import type { Run } from "@spfunctions/kernel";
import type { Revision } from "../checkpoints/revision-content.ts";
import { checkCitations, type Citations } from "../memory/citations.ts";
import { type FoldedTurn, foldTurn, messagesOf } from "../turn/fold-turn.ts";
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
  const { turns, checkpoints, terms, limits } = parts;
  const run = await turns.runs.read(runId);
  for (;;) {
    /* oxlint-disable no-await-in-loop -- again only where somebody else has written a revision meanwhile */
    const latest = await checkpoints.open(sessionId);
    const told = await revisionOf(parts, sessionId, latest, runId);
    const base = (told?.before ?? latest).current;
    const folded = foldTurn(run, base, terms);
    const text = folded.answers
      .map(({ said }) => said.visible)
      .filter((said) => said !== "")
      .join("\n\n");
    const citations = checkCitations(text, folded.start.shown);
    const settled = { run, folded, text, citations };
    if (told !== undefined) return { ...settled, revision: told.revision, isNew: false };
    const held = await turns.runs.capabilities(sessionId);
    const granted = [...new Set(held.granted.map(({ capability }) => capability))];
    const pending = new Set(held.pending.map(({ capability }) => capability));
    const state = {
      ...withRefs(folded.state, citations.cited, limits.listItems),
      capabilitiesGranted: granted.slice(0, limits.listItems),
      capabilitiesPending: [...pending].filter((one) => !granted.includes(one)).slice(0, limits.listItems),
    };
    const traceTail = [...(base.traceTail ?? []), traceNameOf(base, runId)].slice(-limits.traceTail);
    const turn = { state, said: messagesOf(folded, terms), traceTail };
    const written = await appendFitting(parts, sessionId, latest, turn, { type: "turn", runId });
    if (!("type" in written)) return { ...settled, revision: written, isNew: true };
    /* oxlint-enable no-await-in-loop */
  }
}

/** The revision that tells of a run, where there is one: a session has one turn after the other, so that only the last can. */
async function revisionOf(
  { checkpoints }: SessionParts,
  sessionId: string,
  latest: Revision,
  runId: RunId,
): Promise<{ readonly revision: Revision; readonly before: Revision } | undefined> {
  for (let revision = latest; ; ) {
    const { cause, checkpoint } = revision;
    if (checkpoint.revision === 1) return undefined;
    // oxlint-disable-next-line no-await-in-loop -- a handful at most
    const before = await checkpoints.get(sessionId, checkpoint.revision - 1);
    if (before === undefined) return undefined;
    if (cause.type === "turn") return cause.runId === runId ? { revision, before } : undefined;
    revision = before;
  }
}

/** The memories that were cited last, the latest at the end. */
function withRefs(state: AgentState, cited: readonly string[], most: number): AgentState {
  const others = state.memoryRefs.filter((one) => !cited.includes(one));
  return { ...state, memoryRefs: [...others, ...cited].slice(-most) };
}

export function traceNameOf({ revision }: Pick<Checkpoint, "revision">, runId: RunId): string {
  return `turn-${String(revision + 1).padStart(8, "0")}-${runId}.jsonl`;
}
