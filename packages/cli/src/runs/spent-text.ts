import type { Spent } from "@spfunctions/contracts";
import { durationText } from "../call/five-answers.ts";

export function spentText(spent: Spent): string {
  const { steps, toolCalls, inputTokens, outputTokens, usd, wallMs, children } = spent;
  const told = [
    steps && counted(steps, "step"),
    toolCalls && counted(toolCalls, "call"),
    children && counted(children, "subagent"),
    inputTokens && `${inputTokens} tokens in`,
    outputTokens && `${outputTokens} tokens out`,
    usd && `${Number(usd.toPrecision(6))} USD`,
    wallMs && durationText(wallMs),
  ];
  return told.filter(Boolean).join(", ") || "nothing";
}

export function counted(count: number, name: string): string {
  return `${count} ${count === 1 ? name : `${name}s`}`;
}
