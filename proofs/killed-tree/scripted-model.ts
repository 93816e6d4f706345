// Says by what it is shown alone who it is, how far it has come, and what is next: the same in whichever process it is asked.
import type { JsonObject } from "@spfunctions/contracts";
import type {
  ModelAdapter,
  ModelCompleteInput,
  ModelCompleteResult,
  ModelMessage,
} from "@spfunctions/kernel";
import { kindOf, type Operation } from "../killed-runtime/plan.ts";
import { lastWord, outcomeOf, toolOf, usage } from "../killed-runtime/scripted-model.ts";
import { type Role, roles, stepsOf, taskOf, toldBy, toolOfRole } from "./plan.ts";

export const model: ModelAdapter = {
  name: "scripted-tree",
  offline: true,
  complete: async (input) => answer(input),
};

const question = "which year?";
const reply = "2026, and no other";

type Ended = {
  readonly operation: Operation;
  readonly step: number;
  readonly round: number;
  readonly text: string;
};

function answer({ messages }: ModelCompleteInput): ModelCompleteResult {
  const { role, job } = whoIsAsked(messages);
  const said = messages.filter((one) => one.role === "user").map(({ text }) => text);
  if (role === "asker" && !said.includes(reply)) return lastWord(JSON.stringify({ ask: question }));
  const steps = stepsOf(role, job);
  const ended = messages.flatMap(endedIn);
  const last = ended.at(-1);
  if (last === undefined) return propose(messages, job, 0, 0, steps[0] ?? []);
  // What has not happened, as somebody found out, is done again.
  const again = ended.filter(
    ({ step, round, operation, text }) =>
      step === last.step && round === last.round && cameTo(operation, text) === undefined,
  );
  if (again.length > 0)
    return propose(
      messages,
      job,
      last.step,
      last.round + 1,
      again.map(({ operation }) => operation).toSorted(),
    );
  const next = steps[last.step + 1];
  if (next !== undefined) return propose(messages, job, last.step + 1, 0, next);
  const teller = toldBy[role];
  const told = said.find((text) => text.includes(`The subagent subagent.${teller} (`));
  if (teller !== undefined && told === undefined) return lastWord("I wait");
  const came = ended.flatMap(({ operation, text }) => {
    const outcome = cameTo(operation, text);
    return outcome === undefined ? [] : `${operation} ${outcome}`;
  });
  const note =
    told === undefined ? [] : [`${teller} ${told.replace(/\(run_\w+\)/, "").replaceAll("\n", " ")}`];
  return lastWord(`${role} of job ${job}: ${[...came.toSorted(), ...note].join("; ")}`);
}

function whoIsAsked(messages: readonly ModelMessage[]): { readonly role: Role; readonly job: number } {
  for (const { role: by, text } of messages) {
    const [, job] = by === "user" ? (/ job (\d+)$/.exec(text) ?? []) : [];
    if (job === undefined) continue;
    return { role: roles.find((one) => text === taskOf(one, Number(job))) ?? "root", job: Number(job) };
  }
  throw new Error("what is to be done is not shown");
}

function propose(
  messages: readonly ModelMessage[],
  job: number,
  step: number,
  round: number,
  operations: readonly Operation[],
): ModelCompleteResult {
  const toolCalls = operations.map((operation) => ({
    id: `${step}.${round}.${operation}`,
    ...callOf(messages, job, operation),
  }));
  return { text: "", toolCalls, finish: "tool_calls", usage };
}

function callOf(
  messages: readonly ModelMessage[],
  job: number,
  operation: Operation,
): { readonly name: string; readonly args: JsonObject } {
  const kind = kindOf(operation);
  const role = operation.split("-")[1] as Role;
  if (kind === "subagent") return { name: toolOfRole(role), args: { task: taskOf(role, job) } };
  if (kind === "wait") return { name: "team.wait", args: { operation } };
  if (kind !== "reply") return { name: toolOf[kind] ?? "", args: { operation } };
  const asking = messages.flatMap(endedIn).find(({ operation: one }) => one === `subagent-${role}`);
  const { run } = JSON.parse(asking?.text ?? "{}") as { readonly run?: string };
  return { name: "subagent.reply_to_clarification", args: { run: run ?? "", text: reply } };
}

function endedIn(message: ModelMessage): Ended[] {
  if (message.role !== "tool") return [];
  const [, step, round, operation = ""] = /^(\d+)\.(\d+)\.(.*)$/.exec(message.toolCallId) ?? [];
  return [{ operation, step: Number(step), round: Number(round), text: message.text }];
}

/** What a call came to; nothing where it is known not to have happened. */
function cameTo(operation: Operation, text: string): string | undefined {
  if (!["subagent", "reply"].includes(kindOf(operation))) return outcomeOf(operation, text);
  const { run: _run, ...came } = JSON.parse(text) as { readonly run?: string };
  return JSON.stringify(came);
}
