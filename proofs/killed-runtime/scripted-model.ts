// Says by what it is shown alone: the same in whichever process it is asked, and also where only a condensed text is left of what was
// said before. A sum over what every operation came to goes along in the names of its calls.
import { hashText } from "@spfunctions/contracts";
import type {
  ModelAdapter,
  ModelCompleteInput,
  ModelCompleteResult,
  ModelMessage,
} from "@spfunctions/kernel";
import { isDenied, kindOf, type Operation, type Part, stepsOf } from "./plan.ts";

export const toolOf: Readonly<Record<string, string>> = {
  search: "tools.search",
  find: "archive.find",
  read: "shelf.read",
  keyed: "ledger.keyed",
  natural: "ledger.natural",
  plain: "ledger.plain",
  paper: "desk.order",
};

export const usage = { inputTokens: 1, outputTokens: 1 };

/** Where a run is: its last calls, and the sum before them. */
type Place = { readonly step: number; readonly round: number; readonly sum: number };

export const model: ModelAdapter = {
  name: "scripted",
  offline: true,
  complete: async (input) => answer(input),
};

function answer({ messages, tools }: ModelCompleteInput): ModelCompleteResult {
  const all = messages.map((one) => JSON.stringify(one)).join("\n");
  const [, part, job] = (/do part (\d) of job (\d+)/.exec(objectiveIn(messages)) ?? []).map(Number);
  if (job === undefined || (part !== 1 && part !== 2)) throw new Error("what is to be done is not shown");
  const said = /it came to (\d+)/.exec(all)?.[1];
  if (said !== undefined) return lastWord(JSON.stringify({ job, sum: Number(said) }));
  const steps = stepsOf(job, part);
  const last = lastPlace(all, part);
  if (last === undefined)
    return propose(part, { step: 0, round: 0, sum: sumBefore(all, job, part) }, steps[0] ?? []);
  const ended = outcomesOf(
    messages,
    part,
    last,
    tools.map(({ name }) => name),
  );
  const sum = [...ended].reduce((so, [operation, outcome]) => added(so, operation, outcome), last.sum);
  // What has not happened, as somebody found out, is done again.
  const again = [...ended].flatMap(([operation, outcome]) => (outcome === undefined ? operation : []));
  if (again.length > 0) return propose(part, { ...last, round: last.round + 1, sum }, again);
  const next = steps[last.step + 1];
  if (next !== undefined) return propose(part, { step: last.step + 1, round: 0, sum }, next);
  // The second is not what it must be at first, and is asked for once more.
  return lastWord(part === 1 ? `part 1 of job ${job} came to ${sum}` : `it came to ${sum}`);
}

/** The last thing that was asked is what this run is to do, but for being told what was wrong with its answer. */
function objectiveIn(messages: readonly ModelMessage[]): string {
  return messages.findLast(({ role, text }) => role === "user" && text.startsWith("do part "))?.text ?? "";
}

const nameOf = (part: Part, { step, round, sum }: Place, operation: Operation) =>
  `p${part}.${step}.${round}.${sum}.${operation}`;

function propose(part: Part, place: Place, operations: readonly Operation[]): ModelCompleteResult {
  const toolCalls = operations.map((operation) => {
    const kind = kindOf(operation);
    const args = kind === "search" ? { query: "find something in the archive", limit: 1 } : { operation };
    return { id: nameOf(part, place, operation), name: toolOf[kind] ?? "", args };
  });
  return { text: "", toolCalls, finish: "tool_calls", usage };
}

function lastPlace(all: string, part: Part): Place | undefined {
  const places = Array.from(all.matchAll(/p(\d)\.(\d+)\.(\d+)\.(\d+)\./g), ([, of, ...rest]) => {
    const [step = 0, round = 0, sum = 0] = rest.map(Number);
    return { of: Number(of), step, round, sum };
  }).filter(({ of }) => of === part);
  return places.toSorted((one, other) => one.step - other.step || one.round - other.round).at(-1);
}

/** What each of the last calls came to; nothing for what is known not to have happened. */
function outcomesOf(
  messages: readonly ModelMessage[],
  part: Part,
  place: Place,
  shown: readonly string[],
): Map<Operation, string | undefined> {
  const head = nameOf(part, place, "");
  return new Map(
    messages.flatMap((message) => {
      if (message.role !== "tool" || !message.toolCallId.startsWith(head)) return [];
      const operation = message.toolCallId.slice(head.length);
      return [[operation, outcomeOf(operation, message.text, shown)] as const];
    }),
  );
}

export function outcomeOf(
  operation: Operation,
  text: string,
  shown: readonly string[] = [],
): string | undefined {
  if (kindOf(operation) === "search") return shown.includes("archive.find") ? "found" : "not found";
  if (text.includes("it was found out later that this call completed")) return "done";
  if (text.includes("it was found out later that this call failed")) return undefined;
  const [, code] = /^\{"error":\{"code":"(\w+)"/.exec(text) ?? [];
  if (code !== undefined) return code;
  if (kindOf(operation) === "read")
    return text.includes(`"did ${operation}, stamped"`) ? "stamped" : "not stamped";
  return text.includes(`"did ${operation}"`) ? "done" : "something else";
}

function added(sum: number, operation: Operation, outcome: string | undefined): number {
  if (outcome === undefined) return sum;
  return (sum + Number.parseInt(hashText(`${operation} ${outcome}`).slice(-7), 16)) % 1_000_000_007;
}

/** What a part must come to: everything is found, stamped and done but for what a person has denied. */
export function wantedSum(job: number, part: Part): number {
  const outcomes: Readonly<Record<string, string>> = { search: "found", read: "stamped" };
  return stepsOf(job, part)
    .flat()
    .reduce(
      (sum, operation) =>
        added(
          sum,
          operation,
          isDenied(operation) ? "approval_denied" : (outcomes[kindOf(operation)] ?? "done"),
        ),
      part === 1 ? 0 : wantedSum(job, 1),
    );
}

/** The second part goes on from what the first has answered, in the same session. */
function sumBefore(all: string, job: number, part: Part): number {
  if (part === 1) return 0;
  return Number(new RegExp(`part 1 of job ${job} came to (\\d+)`).exec(all)?.[1] ?? 0);
}

export function lastWord(text: string): ModelCompleteResult {
  return { text, toolCalls: [], finish: "stop", usage };
}
