// What a host's policy says of what calls come to, it says of a child that no call waits for, too: before its parent's model is told.
import { canonicalJson, hashText, type JsonValue } from "@spfunctions/contracts";
import { askAboutOutput, holdsOutputs, type RecordedText } from "../call/post-tool.ts";
import { readPayload } from "../journal/read-payload.ts";
import type { Run } from "../run/state/fold-run.ts";
import type { LiveRun } from "../run/driver/live-run.ts";
import { resultOf } from "../run/state/run-result.ts";
import type { Child } from "./fold-child.ts";
import { readContent } from "./parent-history.ts";
import { type SubagentPlan, subagentTool } from "./subagent.ts";

/** Why its parent's model is not told what it has answered. */
export async function whyWithheld(live: LiveRun, child: Child, run: Run): Promise<string | undefined> {
  const { host, run: parent, isForeign } = live;
  const { status, output } = resultOf(run);
  if (status !== "completed" || isForeign || !holdsOutputs(host)) return undefined;
  const input = await taskOf(live, child);
  if (input === undefined) return "what was to be decided on was erased";
  const { childRunId, started } = child;
  const { runId, principal, origin } = parent.opening;
  const { contract } =
    host.registry.tools.get(started.subagent) ??
    subagentTool(host.subagents.get(started.subagent) as SubagentPlan);
  const { name: tool, digest: toolDigest, sideEffect, costEffect } = contract;
  // One that the host has started is of no call: it has its child's name.
  const callId = started.call ?? (`call_${childRunId.slice("run_".length)}` as never);
  const asked = { runId, callId, tool, toolDigest, sideEffect, costEffect, principal, origin };
  const answer = await askAboutOutput(host, asked, input, recorded({ run: childRunId, status, output }));
  return answer.outcome === "allow" ? undefined : (answer.reason ?? "no reason given");
}

/** What it was given to do, as it is kept. */
async function taskOf({ host, run }: LiveRun, { started }: Child): Promise<RecordedText | undefined> {
  const { texts } = await readContent(host.store, run.opening);
  const text = texts.get(started.input.ref);
  if (text === undefined) return undefined;
  const { text: task, data } = (readPayload(text) as { text: string; data?: JsonValue }[]).at(-1) ?? {};
  return recorded({ task, data });
}

function recorded(value: unknown): RecordedText {
  const text = canonicalJson(value);
  return { text, hash: hashText(text) };
}
