import type { AgentEvent, RuntimeEvent } from "@spfunctions/contracts";
import { effectsText, momentText } from "../approvals/approval-facts.ts";
import { childText, type ChildTree } from "../children/run-tree.ts";
import { durationText } from "../call/five-answers.ts";
import { asCommands } from "../io/as-commands.ts";
import { type Printer, whole } from "../io/printer.ts";

type Err = Pick<Printer, "err">;

/** Says what a run does, as it happens, and beside the answer. */
export function progressTold({ err }: Err, options: string): (event: RuntimeEvent | AgentEvent) => void {
  const say = (text: string) => err({ text, style: "dim" });
  return (event) => {
    switch (event.type) {
      case "model.started":
        return say("asking the model");
      case "model.attempt.discarded":
        return say(`attempt ${event.attempt} at asking the model came to nothing${whyOf(event, options)}`);
      case "policy.checked":
        if (event.verdict.outcome === "deny") say(`${event.tool}: refused: ${event.verdict.reason}`);
        return;
      case "tool.started":
        return say(`${event.tool}: allowed, and begun; ${effectsText(event)}`);
      case "tool.progress":
        return say(`${event.tool}: ${event.message}`);
      case "tool.completed":
        return say(`${event.tool}: completed in ${durationText(event.durationMs)}`);
      case "tool.failed":
        return say(`${event.tool}: ${event.error.code}: ${asCommands(event.error.message, options)}`);
      case "approval.required":
        return sayAsked({ err }, event, options);
      case "approval.resolved":
        return say(`${event.tool}: ${event.approvalId} is ${event.status}`);
      default:
    }
  };
}

function whyOf(
  { error }: Extract<RuntimeEvent, { type: "model.attempt.discarded" }>,
  options: string,
): string {
  return error === undefined ? "" : `: ${error.code}: ${asCommands(error.message, options)}`;
}

type Asked = { readonly approvalId: string; readonly tool: string; readonly expiresAt: string };

/** A call waits for a person: what they can do about it. `child`: which one asks, where it is not the run itself. */
export function sayAsked(
  { err }: Err,
  { approvalId, tool, expiresAt }: Asked,
  options: string,
  child?: Pick<ChildTree, "subagent" | "runId">,
): void {
  const by = child === undefined ? "" : `, asked by ${childText(child)}`;
  err({ text: "waiting", style: "yellow" }, `: ${tool}${by}, until ${momentText(expiresAt, Date.now())}`);
  err(whole(`  what is asked: sf approvals show ${approvalId}${options}`));
  err(whole(`  to approve it: sf approvals approve ${approvalId}${options}`));
  err(whole(`  to deny it:    sf approvals deny ${approvalId} --note "why"${options}`));
}
