import type { JsonObject } from "@spfunctions/contracts";
import type { ToolContext } from "../call/executors.ts";
import type { ChildTask, SubagentOutput, SubagentPlan } from "./subagent.ts";

/** What a child is told by a call. */
export type ToldChild = { readonly run: string; readonly text: string };

/** What calls of subagents, and of what directs them, come to. `null`: it was erased, and what was begun with it goes on. */
export type SubagentCalls = {
  readonly start: (
    plan: SubagentPlan,
    task: ChildTask | null,
    context: ToolContext,
  ) => Promise<SubagentOutput>;
  readonly tell: (said: ToldChild | null, context: ToolContext) => Promise<SubagentOutput>;
  readonly look: (context: ToolContext) => Promise<JsonObject[]>;
};
