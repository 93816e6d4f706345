// What a run has said and done, step by step, from its own records: what is broken is told by nobody (B22).
import {
  type Approval,
  type ApprovalOfCall,
  type ContentDigest,
  hashText,
  type JournalRecord,
  type JsonValue,
  parseJsonStrict,
  type Spent,
} from "@spfunctions/contracts";
import { exportTrace, readTrace, type RunResult, type Trace } from "@spfunctions/kernel";
import { type TimelineCall, timelineOf } from "../trace/timeline.ts";
import type { FoundRun } from "./look-at-runs.ts";

type RecordOf<Kind extends JournalRecord["kind"]> = Extract<JournalRecord, { kind: Kind }>;

/** A call that a model proposed; without a verdict where it was never looked at. */
export type StoryCall = {
  readonly callId: string;
  readonly tool: string;
  readonly made?: TimelineCall;
  readonly approval?: ApprovalOfCall & Pick<Approval, "decidedAt">;
  /** Whether it is still where it asked, whatever was answered since. */
  readonly isWaiting?: true;
  readonly effectId?: string;
  /** The run of the subagent that it has started. */
  readonly child?: string;
};

/** One attempt at asking the model, and what it proposed. */
export type StoryStep = {
  readonly step: number;
  readonly attempt: number;
  readonly model: string;
  readonly status: RecordOf<"model.settled">["status"] | "asked";
  readonly said?: string;
  readonly spent?: Spent;
  readonly calls: readonly StoryCall[];
};

export type RunStory = {
  readonly strategy: RecordOf<"run.opened">["strategy"];
  /** What of its host's had a say in it. */
  readonly ports: RecordOf<"run.opened">["ports"];
  readonly objective: JsonValue;
  readonly steps: readonly StoryStep[];
  /** How often another process has taken it on. */
  readonly takenOver: number;
  readonly cancelledBy?: RecordOf<"run.cancelling">["by"];
  readonly endedAt?: string;
};

export async function readRunStory({
  store,
  document: { runId, starter },
}: Pick<FoundRun, "store" | "document">): Promise<RunStory> {
  const lines: string[] = [];
  for await (const line of exportTrace(store, starter.accountId, runId)) lines.push(line);
  const trace = await readTrace(`${lines.join("\n")}\n`);
  return storyOf(lines.flatMap(recordIn), trace);
}

/** Each was verified when it was exported. */
function recordIn(line: string): JournalRecord[] {
  const { record } = JSON.parse(line) as { readonly record?: string };
  return record === undefined ? [] : [parseJsonStrict(record) as JournalRecord];
}

function storyOf(records: readonly JournalRecord[], trace: Trace): RunStory {
  const opening = records[0] as RecordOf<"run.opened">;
  const of = <Kind extends JournalRecord["kind"]>(kind: Kind) =>
    records.filter((record): record is RecordOf<Kind> => record.kind === kind);
  const waited = new Map<string, RecordOf<"call.waiting">>(
    of("call.waiting").map((one) => [one.callId, one]),
  );
  const made = new Map<string, TimelineCall>(
    timelineOf(trace).map((call) => [
      call.entry.callId,
      withInputAsked(call, trace, waited.get(call.entry.callId)),
    ]),
  );
  const settled = of("model.settled");
  const children = of("subagent.started");
  const steps = of("model.intended").map((asked): StoryStep => {
    const { step, attempt, model, stepId } = asked;
    const end = settled.find((one) => one.stepId === stepId && one.attempt === attempt);
    if (end === undefined) return { step, attempt, model, status: "asked", calls: [] };
    const { text } = (payloadIn(trace, end.output) ?? {}) as { readonly text?: string };
    const calls = end.calls.map(({ callId, tool }) => {
      const child = children.find((one) => one.call === callId)?.childRunId;
      return { callId, tool, ...callOf(trace, made, callId), ...(child && { child }) };
    });
    const { status, spent } = end;
    return { step, attempt, model, status, ...(text !== undefined && { said: text }), spent, calls };
  });
  const [by] = of("run.cancelling").map((one) => one.by);
  const [end] = of("run.ended");
  return {
    strategy: opening.strategy,
    ports: opening.ports,
    objective: payloadIn(trace, opening.input),
    steps,
    takenOver: of("run.resumed").length,
    ...(by && { cancelledBy: by }),
    ...(end && { endedAt: end.ts }),
  };
}

function callOf(
  { calls }: Trace,
  made: ReadonlyMap<string, TimelineCall>,
  callId: RecordOf<"model.settled">["calls"][number]["callId"],
): Omit<StoryCall, "callId" | "tool"> {
  const call = made.get(callId);
  const opening = calls.get(callId)?.opening;
  if (call === undefined || opening === undefined) return {};
  const approval = "approval" in opening ? opening.approval : undefined;
  return {
    made: call,
    ...(approval && { approval }),
    ...(opening.kind === "call.waiting" && { isWaiting: true }),
    ...(opening.kind === "call.intended" && { effectId: opening.effectId }),
  };
}

/** A call that was ended where nobody had its tool has no input in its last record; what it asked with is in the one before. */
function withInputAsked(
  call: TimelineCall,
  { content }: Trace,
  asked: RecordOf<"call.waiting"> | undefined,
): TimelineCall {
  const { entry } = call;
  const row = asked && content.get(asked.input.ref);
  if (row === undefined || entry.inputHash !== undefined || entry.erased?.includes("input") === true)
    return call;
  if (!("text" in row)) return { ...call, entry: { ...entry, erased: ["input"] } };
  return { ...call, entry: { ...entry, inputHash: hashText(row.text), input: parseJsonStrict(row.text) } };
}

/** The same, with what a run has asked as that stands in its result. */
export function withQuestionsOf(story: RunStory, { approvals }: Pick<RunResult, "approvals">): RunStory {
  const byId = new Map<string, ApprovalOfCall>(approvals.map((one) => [one.approvalId, one]));
  const calls = (step: StoryStep) =>
    step.calls.map((call): StoryCall => {
      const approval = call.isWaiting === true && byId.get(call.approval?.approvalId ?? "");
      return approval ? { ...call, approval } : call;
    });
  return { ...story, steps: story.steps.map((step) => ({ ...step, calls: calls(step) })) };
}

/** Nothing where it was erased. */
function payloadIn({ content }: Trace, digest: ContentDigest | undefined): JsonValue {
  const row = digest && content.get(digest.ref);
  return row === undefined || !("text" in row) ? null : parseJsonStrict(row.text);
}
