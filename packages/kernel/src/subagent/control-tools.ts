// With these a parent's model directs its children: tools like any others, judged and journaled. No child has one.
import type { ContractTool, JsonObject } from "@spfunctions/contracts";
import type { ToolContext } from "../call/executors.ts";
import { defineTool, type Tool } from "../tool/define-tool.ts";
import { describedTool } from "../tool/described-tool.ts";
import { controlToolNames } from "./control-names.ts";
import type { SubagentCalls, ToldChild } from "./subagent-calls.ts";
import { outputOf, type SubagentPlan, toldText } from "./subagent.ts";

const run = { type: "string", "x-sf-public": true, description: "The subagent's run: run_…" } as const;
const message: JsonObject = {
  type: "object",
  properties: { run, text: toldText },
  required: ["run", "text"],
  additionalProperties: false,
};

const [sendName, replyName, monitorName] = controlToolNames;

/** Those that have something to direct: what goes on in the background can be told something and looked at, what asks can be answered. */
export function controlTools(plans: readonly SubagentPlan[], calls: SubagentCalls): Tool[] {
  const isBackground = plans.some(({ mode }) => mode === "background");
  const isAsking = plans.some(({ mayAsk }) => mayAsk);
  return [
    ...(isBackground ? [sendMessage(calls), monitor(calls)] : []),
    ...(isAsking ? [replyToClarification(calls)] : []),
  ];
}

function sendMessage(calls: SubagentCalls): Tool {
  return telling(calls, {
    name: sendName,
    description: "Tells a subagent that is under way something, which it sees in its next turn.",
  });
}

function replyToClarification(calls: SubagentCalls): Tool {
  return telling(calls, {
    name: replyName,
    description: "Answers a subagent that has asked something, and waits for what it comes to.",
  });
}

/** What a child is told makes its model go on. */
function telling(calls: SubagentCalls, named: { readonly name: string; readonly description: string }): Tool {
  const tool = defineTool({
    ...named,
    input: message,
    output: outputOf({}),
    permissions: [permission],
    sideEffect: "none",
    costEffect: "llm_cost",
    run: nothing,
  });
  return seeingThrough(tool, async (input, context) => await calls.tell(input as ToldChild | null, context));
}

function monitor(calls: SubagentCalls): Tool {
  return seeingThrough(
    defineTool({
      name: monitorName,
      description: "Lists the subagents that were started, and how each of them stands.",
      input: { type: "object", properties: {}, additionalProperties: false },
      output: {
        type: "object",
        properties: { subagents: { type: "array", items: { type: "object" } } },
        required: ["subagents"],
        additionalProperties: false,
      },
      permissions: [permission],
      sideEffect: "none",
      costEffect: "none",
      run: nothing,
    }),
    async (_input, context) => ({ subagents: await calls.look(context) }),
  );
}

const permission = "subagent:direct";

function nothing(): never {
  throw new TypeError("it is bound where the runs are that start children");
}

function seeingThrough(
  { contract }: { readonly contract: ContractTool },
  act: (input: unknown, context: ToolContext) => unknown,
): Tool {
  return describedTool(contract, { run: act, seesItThrough: true });
}
