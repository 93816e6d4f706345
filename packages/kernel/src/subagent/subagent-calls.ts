import type { JsonObject } from "@spfunctions/contracts";
import type { ToolContext } from "../call/executors.ts";
import type { ChildTask, SubagentOutput, SubagentPlan } from "./subagent.ts";

/** What calls of subagents, and of what directs them, come to. */
export type SubagentCalls = {
  readonly start: (plan: SubagentPlan, task: ChildTask, context: ToolContext) => Promise<SubagentOutput>;
  readonly tell: (childRunId: string, text: string, context: ToolContext) => Promise<SubagentOutput>;
  readonly look: (context: ToolContext) => Promise<JsonObject[]>;
};
