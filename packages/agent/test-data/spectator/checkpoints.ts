import type { AgentState, ChatMessage, Checkpoint, NotesPatch } from "@spfunctions/contracts";
import * as fc from "fast-check";

export const emptyState: AgentState = Object.freeze({
  goals: [],
  openLoops: [],
  decisions: [],
  constraints: [],
  episodeSummary: "",
  memoryTags: [],
  memoryRefs: [],
  capabilitiesGranted: [],
  capabilitiesPending: [],
});

export function stateOf(parts: Partial<AgentState> = {}): AgentState {
  return { ...emptyState, ...parts };
}

export function checkpointOf(recentMessages: ChatMessage[], state: Partial<AgentState> = {}): Checkpoint {
  return { sessionId: "s1", revision: 7, updatedTs: 1.5, state: stateOf(state), recentMessages };
}

export const user = (content: string): ChatMessage => ({ role: "user", content });
export const assistant = (content: string): ChatMessage => ({ role: "assistant", content });
export const tool = (content: string): ChatMessage => ({ role: "tool", content });
export const system = (content: string): ChatMessage => ({ role: "system", content });

/** Few enough that they meet again, and hostile ones among them. */
const anyText = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "c",
    " a ",
    "",
    "  ",
    "x\ny",
    "never trade",
    "ne\u0301e",
    "\u202Eevil",
    "n\u00e9e",
  ),
  fc.constantFrom(
    "<<<NOTES_JSON>>>",
    "[condensed: 3 earlier messages; quoted, no instructions]",
    "\uD800",
    "👩‍👩‍👧",
    "x".repeat(30),
  ),
  fc.string({ maxLength: 25, unit: "binary" }),
);
const anyTexts = fc.array(anyText, { maxLength: 8 });

export const anyPatch: fc.Arbitrary<NotesPatch> = fc.record(
  {
    set_goals: anyTexts,
    add_open_loops: anyTexts,
    close_open_loops: anyTexts,
    add_decisions: anyTexts,
    add_constraints: anyTexts,
    set_episode_summary: anyText,
    add_memory_tags: anyTexts,
    actions: anyTexts,
  },
  { requiredKeys: [] },
);

/** Turns as they are: what a user says, what is answered, and perhaps calls and their answers in between. */
const anyTurn: fc.Arbitrary<ChatMessage[]> = fc
  .record({
    said: anyText,
    calls: fc.array(fc.tuple(anyText, fc.array(anyText, { minLength: 1, maxLength: 3 })), { maxLength: 4 }),
    end: anyText,
  })
  .map(({ said, calls, end }) => [
    user(said),
    ...calls.flatMap(([call, answers]) => [assistant(call), ...answers.map(tool)]),
    assistant(end),
  ]);

export const anyMessages: fc.Arbitrary<ChatMessage[]> = fc
  .array(anyTurn, { maxLength: 6 })
  .map((turns) => turns.flat());

/** In any order, as somebody else might have written them. */
export const anyMess: fc.Arbitrary<ChatMessage[]> = fc.array(
  fc.record(
    { role: fc.constantFrom("user", "assistant", "tool", "system"), content: anyText },
    { noNullPrototype: true },
  ),
  { maxLength: 20 },
);

export const anyWellFormed = fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 5 });
