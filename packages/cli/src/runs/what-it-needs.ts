// What only a person can do for a run, as commands.
import type { ApprovalOfCall } from "@spfunctions/contracts";
import { chatAgentId } from "../chat/chat-agent-id.ts";
import { asWord } from "../io/as-word.ts";
import { type GivenNetwork, networkWords } from "../command-line/network-options.ts";
import { toldWord } from "../io/told-word.ts";
import { demoAgentId } from "../run/demo-agent-id.ts";

/** Of a question that another place has asked, that place knows more. */
export function howToAnswer({ approvalId, elsewhere }: ApprovalOfCall, options: string): string {
  return elsewhere === undefined
    ? `sf approvals show ${approvalId}${options}`
    : `it is answered on the platform that has the tool: sf approvals show ${approvalId} --url …`;
}

export function isOpen({ status }: Pick<ApprovalOfCall, "status">): boolean {
  return status === "pending";
}

/** Of a question that somebody has answered, or that has run out. */
export function howItStands({ approvalId, status }: ApprovalOfCall): string {
  return `${approvalId} is ${status.replaceAll("_", " ")}`;
}

export function howToDecide(runId: string, effectId: string, options: string): string {
  return `sf runs resolve ${runId} ${effectId} --status … --note …${options}`;
}

/** A run, and as far as that is known, what keeps it. */
export type Resumable = {
  readonly runId: string;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
};

export function howToResume({ runId, agentId, sessionId }: Resumable, options: string): string {
  if (agentId === chatAgentId)
    return `sf chat --resume --session ${asWord(sessionId ?? "…")} --pack … --model …${options}`;
  const drivenWith = agentId === demoAgentId ? "--demo" : "--pack … --model …";
  return `sf runs resume ${runId} ${drivenWith}${options}`;
}

/** Of one that goes on with another: whoever takes that on takes it on, too. */
export function howToGoOnWith(master: Resumable, options: string): string {
  return `it goes on with ${master.runId}: ${howToResume(master, options)}`;
}

/** What a run is driven with, as it was given on a command line. */
export type GivenDriving = GivenNetwork & {
  readonly demo?: true;
  readonly pack?: readonly string[];
  readonly url?: string;
  readonly keyFile?: string;
  readonly model?: string;
};

/** The same, where it is known what it is driven with. */
export function howToResumeWith(runId: string, given: GivenDriving, options: string): string {
  const { demo, pack = [], url, keyFile, model } = given;
  const words = [
    ...(demo === true ? ["--demo"] : []),
    ...pack.map((name) => `--pack ${asWord(name)}`),
    ...(url ? [`--url ${asWord(url)}`] : []),
    ...(keyFile === undefined ? [] : [`--key-file ${asWord(keyFile)}`]),
    ...(model === undefined ? [] : [`--model ${toldWord(model)}`]),
    ...networkWords(given),
  ];
  return `${["sf runs resume", runId, ...words].join(" ")}${options}`;
}
