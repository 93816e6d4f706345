// What a model says of its own state in a NOTES block. B31: nothing that it is to reach, to finish or to obey is lost without being told;
// B17: what it says widens nothing. Texts stay as they are, whatever protocol marks they contain: they are made harmless where they are shown.
import type { AgentState, NotesPatch } from "@spfunctions/contracts";
import type { AgentLimits } from "./agent-limits.ts";
import { othersIn, withOperatorConstraints } from "./operator-constraints.ts";
import { readTexts, type RefusedNote, Refusals, whyRefused } from "./read-texts.ts";

/** `actions` are no part of the state: `readActions` reads them. */
type NotesKey = Exclude<keyof NotesPatch, "actions">;

type NotesChange =
  | { readonly key: "set_goals"; readonly before: readonly string[]; readonly after: readonly string[] }
  | { readonly key: "close_open_loops"; readonly removed: readonly string[] }
  | { readonly key: "add_open_loops" | "add_constraints"; readonly added: readonly string[] }
  | {
      readonly key: "add_decisions" | "add_memory_tags";
      readonly added: readonly string[];
      /** The oldest, which had to make room. */
      readonly dropped: readonly string[];
    }
  | { readonly key: "set_episode_summary"; readonly before: string; readonly after: string };

export type NotesTerms = {
  /** Of the configuration. */
  readonly operatorConstraints: readonly string[];
  readonly limits: Pick<AgentLimits, "listItems" | "itemChars" | "tagChars" | "summaryChars">;
};

export type AppliedNotes = {
  readonly state: AgentState;
  readonly changes: readonly NotesChange[];
  readonly refused: readonly RefusedNote<NotesKey>[];
};

type Step = {
  readonly state?: Partial<AgentState>;
  readonly change?: NotesChange | undefined;
  readonly refused?: readonly RefusedNote<NotesKey>[];
};

/** The state with what the notes change of it, what that is, and what was refused. */
export function applyNotes(state: AgentState, patch: NotesPatch, terms: NotesTerms): AppliedNotes {
  const constraints = withOperatorConstraints(state.constraints, terms.operatorConstraints);
  const before: AgentState = { ...state, constraints };
  const steps: Step[] = [
    setGoals(before, patch, terms),
    ...changeOpenLoops(before, patch, terms),
    addNewest(before.decisions, patch, "add_decisions", terms.limits.listItems, terms.limits.itemChars),
    addConstraints(before, patch, terms),
    setSummary(before, patch, terms),
    addNewest(before.memoryTags, patch, "add_memory_tags", terms.limits.listItems, terms.limits.tagChars),
  ];
  return {
    state: Object.assign({ ...before }, ...steps.map((step) => step.state)) as AgentState,
    changes: steps.flatMap(({ change }) => change ?? []),
    refused: steps.flatMap(({ refused }) => refused ?? []),
  };
}

/** What is set is the whole list. Where nothing of it can stay, what was there stays: only an empty list clears. */
function setGoals({ goals }: AgentState, { set_goals: given }: NotesPatch, { limits }: NotesTerms): Step {
  if (given === undefined) return {};
  const refusals = new Refusals("set_goals");
  const read = readTexts(given, limits.itemChars, refusals);
  const after = withinRoom(read, limits.listItems, refusals);
  const refused = refusals.all();
  if ((after.length === 0 && given.length > 0) || isSame(goals, after)) return { refused };
  return { state: { goals: after }, change: { key: "set_goals", before: goals, after }, refused };
}

/** What is closed makes room for what is added; what is added and closed in one breath is closed. */
function changeOpenLoops({ openLoops }: AgentState, patch: NotesPatch, { limits }: NotesTerms): Step[] {
  const { add_open_loops: adds = [], close_open_loops: closes = [] } = patch;
  const refusals = new Refusals("add_open_loops");
  const unknown = new Refusals("close_open_loops");
  const wanted = readTexts(adds, limits.itemChars, refusals);
  // What is there may be older than today's limits: it can be closed all the same.
  const closed = new Set(closes.flatMap((text) => [text, text.trim()]));
  const known = new Set([...openLoops, ...wanted]);
  for (const text of new Set(closes))
    if (!known.has(text) && !known.has(text.trim())) unknown.add("not_there", text);
  const kept = openLoops.filter((text) => !closed.has(text));
  const there = new Set(openLoops);
  const isNew = (text: string) => !closed.has(text) && !there.has(text);
  const added = withinRoom(wanted.filter(isNew), limits.listItems - kept.length, refusals);
  const removed = openLoops.filter((text) => closed.has(text));
  const isChanged = added.length > 0 || removed.length > 0;
  return [
    {
      ...(isChanged && { state: { openLoops: [...kept, ...added] } }),
      change: added.length > 0 ? { key: "add_open_loops", added } : undefined,
      refused: refusals.all(),
    },
    {
      change: removed.length > 0 ? { key: "close_open_loops", removed } : undefined,
      refused: unknown.all(),
    },
  ];
}

function addConstraints({ constraints }: AgentState, patch: NotesPatch, terms: NotesTerms): Step {
  const { operatorConstraints, limits } = terms;
  const refusals = new Refusals("add_constraints");
  const read = readTexts(patch.add_constraints ?? [], limits.itemChars, refusals);
  const others = new Set(othersIn(constraints, operatorConstraints));
  const wanted = othersIn(read, operatorConstraints).filter((text) => !others.has(text));
  const added = withinRoom(wanted, limits.listItems - others.size, refusals);
  const refused = refusals.all();
  if (added.length === 0) return { refused };
  return {
    state: { constraints: [...constraints, ...added] },
    change: { key: "add_constraints", added },
    refused,
  };
}

function addNewest(
  standing: readonly string[],
  patch: NotesPatch,
  key: "add_decisions" | "add_memory_tags",
  mostItems: number,
  mostChars: number,
): Step {
  const refusals = new Refusals(key);
  const read = readTexts(patch[key] ?? [], mostChars, refusals);
  const known = new Set(standing);
  const added = read.filter((text) => !known.has(text));
  const refused = refusals.all();
  if (added.length === 0) return { refused };
  const all = [...standing, ...added];
  const dropped = all.slice(0, Math.max(0, all.length - mostItems));
  const kept = all.slice(dropped.length);
  const state = key === "add_decisions" ? { decisions: kept } : { memoryTags: kept };
  return { state, change: { key, added, dropped }, refused };
}

function setSummary(state: AgentState, patch: NotesPatch, { limits }: NotesTerms): Step {
  const { set_episode_summary: given } = patch;
  if (given === undefined) return {};
  const after = given.trim();
  const refusals = new Refusals("set_episode_summary");
  const why = whyRefused(after, limits.summaryChars, { lines: true });
  // A blank text is not the empty one: only that clears.
  const refused = after === "" && given !== "" ? "blank" : why;
  if (refused !== undefined) refusals.add(refused, after);
  const before = state.episodeSummary;
  if (refused !== undefined || before === after) return { refused: refusals.all() };
  return { state: { episodeSummary: after }, change: { key: "set_episode_summary", before, after } };
}

/** B31: the first that fit; of what stands nothing makes room. */
function withinRoom(texts: readonly string[], room: number, refusals: Refusals<string>): string[] {
  const fit = texts.slice(0, Math.max(0, room));
  for (const text of texts.slice(fit.length)) refusals.add("no_room", text);
  return fit;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
