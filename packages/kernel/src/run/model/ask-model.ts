// A model call is an effect: its worst case is set aside in the commit that says it begins, and what it said has an effect once it is
// on record whole. What nobody knows the cost of has cost what was set aside.
import { type CallId, HostConfigurationNeededError, type Spent, type StepId } from "@spfunctions/contracts";
import { failureContent } from "../../call/conclude.ts";
import { recordedForm } from "../../call/payload.ts";
import { emit } from "../../call/emit.ts";
import { safeText } from "../../call/safe-text.ts";
import { draftContent, draftRecord, type RecordDraft } from "../../journal/record-draft.ts";
import type { ModelTool } from "../../model/model-adapter.ts";
import { contentRef } from "../../time/ids.ts";
import { completeOnce, type ModelFailure } from "./complete-once.ts";
import { draftTold, type Told, toldOf } from "./conversation.ts";
import type { Run } from "../state/fold-run.ts";
import type { LiveRun } from "../driver/live-run.ts";
import { type Offered, withoutHeldSecrets } from "./offered-tools.ts";
import type { ModelAnswer } from "./read-answer.ts";
import { bytesOf, costOf, tokensIn } from "../state/run-budget.ts";
import { defaultOutputTokens, type RunHost } from "../run-host.ts";

export type ModelTurn = Told & {
  readonly step: number;
  readonly attempt: number;
  readonly tools: readonly ModelTool[];
  readonly maxTokens: number;
  readonly worst: Spent;
  /** How much of what it was told besides is in it. */
  readonly notes: number;
};

/** What a model would be asked, and what that may cost at worst. */
export async function planTurn(
  { host, run, conversation }: Pick<LiveRun, "host" | "run" | "conversation">,
  { step, attempt }: Pick<ModelTurn, "step" | "attempt">,
  offered: Offered,
): Promise<ModelTurn> {
  const { model, assemble } = host;
  const told = assemble === undefined ? conversation.upTo(run) : toldOf((await assemble(run)).messages);
  const tools = withoutHeldSecrets(offered.tools);
  const maxTokens = model.maxOutputTokens ?? defaultOutputTokens;
  const tokens = { inputTokens: tokensOf(host, told, offered), outputTokens: maxTokens };
  const worst = { steps: 1, ...tokens, ...(model.price && { usd: costOf(tokens, model.price) }) };
  return { ...told, step, attempt, tools, maxTokens, worst, notes: run.notes.length };
}

/** What it is shown, and what it must answer with: a provider bills both. */
export function tokensOf({ model, output }: RunHost, told: Told, offered: Offered): number {
  const { messages } = told;
  const { tools } = offered;
  const tokens =
    model.countTokens?.({ messages, tools, ...(output && { output }) }) ??
    tokensIn(told.bytes + offered.bytes + (output === undefined ? 0 : bytesOf(output)));
  if (Number.isSafeInteger(tokens) && tokens >= 0) return tokens;
  throw new HostConfigurationNeededError("countTokens gave back what is no count of tokens; repair it", {
    details: { reason: "no_count" },
  });
}

/** Asks, and keeps what came of it. */
export async function askModel(live: LiveRun, turn: ModelTurn): Promise<void> {
  const { host, journal, run, unique } = live;
  const { step, attempt, messages, tools, digest, worst, maxTokens } = turn;
  const names = { runId: run.opening.runId, stepId: `step_${unique}-${step}` as StepId, attempt };
  const name = `${unique}-${step}-m${attempt}`;
  const told = draftTold(name, host.ids.salt(), digest);
  const model = host.model.adapter.name;
  const asked = { step, model, messages: messages.length, told: told.digest, reserved: worst };
  const intended = draftRecord("model.intended", { ...names, ...asked }, { content: [told.row] });
  // Told something since that was put together, it is to be shown that, too.
  const isWhole = () => live.run.notes.length === turn.notes;
  if (!(await journal.appendIf(isWhole, { durability: "process", records: [intended] }))) return;
  const begun = host.clock.elapsed();
  const said = await completeOnce(live, { messages, tools, maxTokens }, tellerOf(live, names));
  live.patienceMs = "error" in said ? (said.retryAfterMs ?? 0) : 0;
  const durationMs = Math.max(0, host.clock.elapsed() - begun);
  const settled = { ...names, durationMs, unique: name, step, worst };
  const records = "error" in said ? failed(live, settled, said) : answered(live, settled, said);
  await journal.append({ durability: "process", records });
}

/** Nothing where nobody watches. */
function tellerOf(
  { watch, host }: LiveRun,
  { runId, stepId }: Pick<Settled, "runId" | "stepId">,
): ((text: string) => void) | undefined {
  if (watch === undefined) return undefined;
  return (text) => {
    const ts = new Date(host.clock.now()).toISOString();
    emit(watch, { type: "model.delta", runId, stepId, ts, live: true, text });
  };
}

/** What is said of an attempt, however it ended. */
type Settled = Pick<ModelTurn, "step" | "attempt" | "worst"> & {
  readonly runId: Run["opening"]["runId"];
  readonly stepId: StepId;
  readonly durationMs: number;
  /** What its content is named by. */
  readonly unique: string;
};

function failed(
  { host }: LiveRun,
  { unique, worst, step: _step, ...names }: Settled,
  { status, error, spent: known }: ModelFailure,
): RecordDraft[] {
  const failure = failureContent(host, unique, error);
  const spent = known === undefined ? { ...worst, steps: 0 } : { ...known, ...priceOf(host, known) };
  const body = { ...names, status, calls: [], spent, error: failure.body };
  const record = draftRecord("model.settled", body, { content: [failure.row] });
  return [record, ...overrunBy(spent, worst, names)];
}

function answered(live: LiveRun, settled: Settled, { said, toolCalls, usage }: ModelAnswer): RecordDraft[] {
  const { host } = live;
  const { unique, step, worst, ...names } = settled;
  const spent = { steps: 1, ...usage, ...priceOf(host, usage) };
  const recorded = recordedForm(said, { publicPaths: [], secretPaths: [] }, host.keyedHash);
  const ref = contentRef(unique, "answer");
  const { row, digest } = draftContent(ref, host.ids.salt(), recorded.text, recorded.hash, recorded.value);
  const calls = toolCalls.map(({ name, args }, index) => {
    const callId = `call_${live.unique}-${step}-${index + 1}` as CallId;
    live.keepArgs(callId, args);
    return { callId, tool: safeText(name, 200) };
  });
  const body = { ...names, status: "completed", output: digest, calls, spent } as const;
  const record = draftRecord("model.settled", body, { content: [row] });
  return [record, ...overrunBy(spent, worst, names)];
}

function priceOf({ model }: LiveRun["host"], spent: Spent): Pick<Spent, "usd"> {
  return model.price === undefined ? {} : { usd: costOf(spent, model.price) };
}

/** A provider that has billed more than it could. */
function overrunBy(
  spent: Spent,
  reserved: Spent,
  { runId, stepId }: Pick<Settled, "runId" | "stepId">,
): RecordDraft[] {
  const { inputTokens = 0, outputTokens = 0 } = spent;
  const isMore = inputTokens > (reserved.inputTokens ?? 0) || outputTokens > (reserved.outputTokens ?? 0);
  return isMore ? [draftRecord("budget.overrun", { runId, stepId, reserved, spent })] : [];
}
