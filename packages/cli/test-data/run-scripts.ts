// What a model says in the tests of `sf run`, as the file that it is read from.
import type { ScriptStep } from "@spfunctions/host/models";
import { type Home, notesPack } from "./run-sf.ts";

export const adding = (text: string): ScriptStep => ({
  text: `I add ${text}.`,
  toolCalls: [{ name: "notes.add", args: { text } }],
  usage: { inputTokens: 10, outputTokens: 5 },
});
export const reading: ScriptStep = {
  text: "I look.",
  toolCalls: [{ name: "notes.read", args: { id: 7 } }],
  usage: { inputTokens: 10, outputTokens: 5 },
};
export const saying = (text: string): ScriptStep => ({ text, usage: { inputTokens: 10, outputTokens: 5 } });

/** A policy that lets notes be added, where a person approves it. */
export const writing = { maxSideEffect: "user_write" } as const;

/** What every run needs. */
export const bounded = {
  budget: { maxSteps: 5, maxToolCalls: 5 },
  session: { persist: true, ttlMs: 60_000, maxHistoryTokens: 1000 },
} as const;

/** The words of a run of these steps, over the notes. */
export function running(home: Home, steps: readonly ScriptStep[], ...more: readonly string[]): string[] {
  home.write("script.json", steps);
  home.write("policy.json", writing);
  return ["run", "tend my notes", "--pack", notesPack, "--model", "scripted:script.json", ...more];
}

export const withPolicy = ["--policy", "policy.json"] as const;

/** The id of the run that was told of, and of what it has asked. */
export function runIdIn(text: string): string {
  return /run_[\w-]{8,}/.exec(text)?.[0] ?? "";
}

export function approvalIdIn(text: string): string {
  return /appr_[\w-]{8,}/.exec(text)?.[0] ?? "";
}
