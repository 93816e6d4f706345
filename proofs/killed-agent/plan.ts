// What the agent does in every turn, in the same way in whichever process: it notes something, does two operations, and says that it is done.
import type { ModelAdapter, ModelCompleteInput } from "@spfunctions/kernel";

export const sessionId = "diary";
export const constraints = ["spend nothing"];
export const said = (turn: number): string => `turn ${turn}`;
export const decided = (turn: number): string => `decided in turn ${turn}`;
export const operationsOf = (turn: number): readonly [keyed: string, plain: string] => [
  `keyed-${turn}`,
  `plain-${turn}`,
];

/** Says the same whenever it is asked the same. */
export const model: ModelAdapter = {
  name: "diarist",
  offline: true,
  complete: async ({ messages }) => ({
    text: answerTo(messages),
    toolCalls: [],
    finish: "stop",
    usage: { inputTokens: 10, outputTokens: 10 },
  }),
};

function answerTo(messages: ModelCompleteInput["messages"]): string {
  const at = messages.findLastIndex(({ role, text }) => role === "user" && /^turn \d+$/.test(text));
  const turn = Number(messages[at]?.text.slice("turn ".length));
  if (messages.slice(at).some(({ role }) => role === "assistant")) return `Done with turn ${turn}.`;
  const [keyed, plain] = operationsOf(turn);
  const notes = {
    set_goals: [`finish turn ${turn}`],
    add_decisions: [decided(turn)],
    add_open_loops: [`loop ${turn}`],
    close_open_loops: [`loop ${turn - 1}`],
    actions: turn % 7 === 0 ? ["condense_now"] : [],
  };
  const calls = [
    { id: "a", tool: "ledger.keyed", args: { operation: keyed } },
    { id: "b", tool: "ledger.plain", args: { operation: plain } },
  ];
  return `I go on.
<<<NOTES_JSON>>>${JSON.stringify(notes)}<<<END_NOTES_JSON>>>
<<<TOOL_CALLS_JSON>>>${JSON.stringify(calls)}<<<END_TOOL_CALLS_JSON>>>`;
}
