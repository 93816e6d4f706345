// A pack for the tests: notes, tools that behave badly, and subagents that use them.
import { subagent } from "@spfunctions/agent/v1";
import { tools as notes } from "./notes-pack.ts";
import { tools as unruly } from "./unruly-pack.ts";

const budget = { maxSteps: 6, maxToolCalls: 6 } as const;

export const tools = [
  ...notes,
  ...unruly.filter(({ contract }) =>
    ["die_unkeyed", "wait", "shout"].includes(contract.name.split(".")[1] ?? ""),
  ),
  subagent({
    name: "reader",
    objective: "reader",
    tools: ["notes.read", "notes.fail", "unruly.shout"],
    budget,
  }),
  subagent({ name: "writer", objective: "writer", tools: ["notes.add"], budget }),
  subagent({ name: "rogue", objective: "rogue", tools: ["unruly.die_unkeyed", "unruly.wait"], budget }),
  subagent({ name: "asker", objective: "asker", tools: "no_tools", mayAsk: true, budget }),
  subagent({ name: "digger", objective: "digger", tools: ["notes.read"], mode: "background", budget }),
  // Its own children are started by a host: no model of a child has a tool for that.
  subagent({
    name: "lead",
    objective: "lead",
    tools: "inherit_allowlist",
    budget: { ...budget, maxChildren: 1 },
  }),
];
