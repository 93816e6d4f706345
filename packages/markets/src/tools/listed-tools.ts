import { strictObject, ToolNotActiveError } from "@spfunctions/contracts";
import { defineTool, type ToolSpec } from "@spfunctions/kernel";

const nothing = strictObject({});
type Listed = Pick<
  ToolSpec<string, typeof nothing, typeof nothing>,
  "name" | "status" | "title" | "description" | "sideEffect" | "costEffect"
>;

/** Names that are spoken for. Their effects are those that they would have, so that nobody can take a name for something milder. */
const listed: readonly Listed[] = [
  {
    name: "auth.status",
    status: "forbidden",
    title: "Ask whether one is logged in",
    description: "Never a tool: whether a key is set is known to the SDK, locally.",
    sideEffect: "none",
    costEffect: "none",
  },
  {
    name: "events.search",
    status: "deferred",
    title: "Search events",
    description: "Deferred, as is everything under events: markets.search finds markets by the same words.",
    sideEffect: "none",
    costEffect: "search_cost",
  },
  {
    name: "intents.propose",
    status: "forbidden",
    title: "Have an order proposed",
    description: "Never a tool: intents.create drafts an order, and a person decides with execution.place.",
    sideEffect: "user_write",
    costEffect: "llm_cost",
  },
  {
    name: "investigations.create",
    status: "deferred",
    title: "Start an investigation",
    description: "Deferred: research.query and brief.write answer at once and leave nothing behind.",
    sideEffect: "user_write",
    costEffect: "llm_cost",
  },
  {
    name: "market.related",
    status: "deferred",
    title: "Markets that mean something to another",
    description: "Deferred: there is no graph of meanings; crossvenue.pairs compares words and times.",
    sideEffect: "none",
    costEffect: "search_cost",
  },
  {
    name: "webhooks.create",
    status: "deferred",
    title: "Be called when something happens",
    description: "Deferred: a webhook has a secret and reaches outside; alerts.create keeps a rule here.",
    sideEffect: "secret",
    costEffect: "none",
  },
];

/** What is listed for review, and called by nobody. */
export function listedTools() {
  return listed.map((tool) =>
    defineTool({
      ...tool,
      permissions: [],
      agent: { callable: false },
      replay: { replayable: false },
      input: nothing,
      output: nothing,
      run: () => {
        throw new ToolNotActiveError(`${tool.name} is ${tool.status}, and does nothing`);
      },
    }),
  );
}
