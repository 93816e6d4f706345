import type { ModelMessage } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { demoModel } from "./demo-model.ts";
import { researcherObjective } from "./demo-researcher.ts";

const { signal } = new AbortController();
const markets = [
  { ticker: "SURE", title: "Sure?", bidCents: 97, askCents: 99, closesAt: "2030-01-09T00:00:00Z" },
  { ticker: "SOON", title: "Soon?", bidCents: 40, askCents: 44, closesAt: "2030-01-01T00:00:00Z" },
  { ticker: "LATE", title: "Late?", bidCents: 50, askCents: 53, closesAt: "2030-01-05T00:00:00Z" },
  { ticker: "NONE", title: "None?", bidCents: 50, askCents: null, closesAt: "2030-01-08T00:00:00Z" },
];
const world = { regime: { label: "calm", reason: "nothing moves" }, counts: { markets: 4 } };
const refused = { error: { code: "approval_denied", message: "denied by operator: not today" } };

/** What it says and calls, where its tools answer like this; its last word last. */
async function story(first: ModelMessage, answers: Readonly<Record<string, object>>): Promise<unknown[]> {
  const messages: ModelMessage[] = [first, { role: "user", text: "go" }];
  const model = demoModel();
  const told: unknown[] = [];
  for (;;) {
    const { text = "", toolCalls } = await model.complete({ messages, tools: [], signal });
    const [call] = toolCalls;
    if (call === undefined) return [...told, text];
    told.push([call.name, call.args]);
    messages.push({ role: "assistant", text, toolCalls });
    messages.push({ role: "tool", toolCallId: call.id, text: JSON.stringify(answers[call.name]) });
  }
}

const answers = {
  "markets.search": { items: markets },
  "market.inspect": { ticker: "LATE", askCents: 54 },
  "world.read": world,
  "paper.order": { order: { status: "filled", quantity: 5, filled: 5, filledCents: 270 } },
};

const asResearcher: ModelMessage = { role: "system", text: researcherObjective };
const asParent: ModelMessage = { role: "user", text: "find out" };

/** What the researcher says, and what its parent makes of that. */
async function both(more: object = {}): Promise<{ readonly research: unknown[]; readonly run: unknown[] }> {
  const all = { ...answers, ...more };
  const research = await story(asResearcher, all);
  const output = JSON.parse(String(research.at(-1))) as object;
  const answered = { run: "run_00000000", status: "completed", output };
  return { research, run: await story(asParent, { "subagent.researcher": answered, ...all }) };
}

test("the researcher looks, and says what it has found; its parent asks for one order, and reports", async () => {
  const market = { ticker: "LATE", title: "Late?", bidCents: 50, askCents: 54 };
  expect(await both()).toStrictEqual({
    research: [
      ["markets.search", { query: "rain", limit: 8 }],
      ["market.inspect", { ticker: "LATE" }],
      ["world.read", {}],
      JSON.stringify({ market, seen: "The world of 4 markets is calm: nothing moves." }),
    ],
    run: [
      [
        "subagent.researcher",
        { task: "Which market about rain is worth a look, at what price, and how is the world around it?" },
      ],
      ["paper.order", { ticker: "LATE", action: "buy", side: "yes", quantity: 5, limitPriceCents: 57 }],
      `Late? (LATE) stands at 50 to 54 cents.
The world of 4 markets is calm: nothing moves.
Bought on paper, as a person approved: 5 of 5, for 270 cents; the order is filled.
All of it is simulated: nobody's money was touched.`,
    ],
  });
});

test("whatever their tools answer it comes to a report, and claims nothing that was not done", async () => {
  const last = async (more: object) => (await both(more)).run.at(-1);
  expect(await last({ "paper.order": refused })).toContain(
    "Nothing was bought: denied by operator: not today\n",
  );
  expect(await last({ "markets.search": { items: [] } })).toBe("No market about rain is worth a look.");
  expect(await last({ "markets.search": refused })).toBe(
    "No market about rain is worth a look. denied by operator: not today",
  );
  expect(await last({ "market.inspect": refused })).toContain("5 of 5");
  expect(await last({ "world.read": refused })).toContain("The world could not be read: denied");
  expect(await last({ "market.inspect": { askCents: null } })).toContain("Nobody offers it");
  expect(await last({ "subagent.researcher": refused })).toBe(
    "Nothing was found out: denied by operator: not today",
  );
});
