// A parent and its children, driven by one model that knows by its instructions who it is.
import type { ModelCompleteInput } from "../src/model/model-adapter.ts";
import { subagent, type SubagentSpec } from "../src/subagent/subagent.ts";
import { Deck, type Deed } from "./call-deck.ts";
import {
  generous,
  levelOf,
  openRunDesk,
  type RunDesk,
  type RunDeskOptions,
  type Saying,
  type Script,
} from "./run-desk.ts";

export const budget = { maxSteps: 40, maxToolCalls: 40, maxChildren: 4, maxDepth: 2 } as const;

/** What each says, one a step; a child is known by its first word. */
export type Parts = {
  readonly parent: Script | readonly Saying[];
  readonly [child: string]: Script | readonly Saying[];
};

export type FamilyOptions = Omit<RunDeskOptions, "script" | "deed"> & {
  readonly deed?: Deed;
  readonly policy?: object;
};

/** Its objective is its name, so that the model knows who is asked. */
export function childSpec(name: string, more: Partial<SubagentSpec> = {}): SubagentSpec {
  return { name, objective: name, ...more };
}

export function openFamily(
  parts: Parts,
  specs: readonly SubagentSpec[],
  { policy = {}, deed, ...options }: FamilyOptions = {},
): RunDesk {
  const deck = options.deck ?? new Deck(deed);
  return openRunDesk({
    levels: levelOf({ ...generous, budget, ...policy }),
    packs: [deck.tools, specs.map((spec) => subagent(spec))],
    ...options,
    deck,
    script: (input, step) => scriptOf(parts, input)(input, step),
  });
}

function scriptOf(parts: Parts, { messages }: ModelCompleteInput): Script {
  const [first] = messages;
  const name = first?.role === "system" ? (first.text.split(/\s/)[0] ?? "") : "parent";
  const said = parts[name] ?? parts.parent;
  return typeof said === "function" ? said : (_input, step) => said[step - 1] ?? "that is all";
}

export const start = (name: string, task = "look", more: object = {}) => ({
  name: name.includes(".") ? name : `subagent.${name}`,
  args: { task, ...more },
});

/** The nth child of a run, once it is driven. */
export async function untilChild(desk: RunDesk, runId: string, index = 0): Promise<string> {
  for (;;) {
    const child = (await (await desk.runs.get(runId)).result()).children[index];
    if (child !== undefined && desk.runs.driving(child.runId) !== undefined) return child.runId;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function kindsOfChildren(desk: RunDesk, runId: string): Promise<string[]> {
  return (await desk.kinds(runId)).filter((kind) => kind.startsWith("subagent."));
}
