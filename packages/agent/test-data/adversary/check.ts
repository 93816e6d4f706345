// What must hold whatever was said: each promise is looked at on its own, in the journal as it is kept and in what the tools saw.
import { inspect } from "node:util";
import {
  type Approval,
  canonicalJson,
  hashText,
  isSimpleFunctionsError,
  type JournalRecord,
  journalRecordSchema,
  type JsonValue,
  parseJsonStrict,
  runtimeEventSchema,
} from "@spfunctions/contracts";
import { openOperator, type StoredRecord, verifyAccount } from "@spfunctions/kernel";
import { installation } from "../../../kernel/test-data/call-desk.ts";
import { canaries } from "./canaries.ts";
import { lawOf } from "./law.ts";
import type { Case } from "./case.ts";
import type { Played, PlayedRun } from "./play.ts";
import { boss } from "./stage.ts";
import { accountId } from "./terms.ts";
import { type Execution, facts } from "./tools.ts";

type Kept = { readonly record: JournalRecord; readonly stored: StoredRecord };
type Opened = Kept & { readonly record: Extract<JournalRecord, { kind: "call.intended" | "call.read" }> };

/** What a person reads who looks for what went wrong; nothing where everything is as it must be. */
export async function problemsOf(given: Case, played: Played): Promise<string[]> {
  const { store } = played;
  const runIds = (await store.inner.documents({ kind: "run", accountId, limit: 100 })).map(({ id }) => id);
  const runs = await Promise.all(
    runIds.map(async (runId) =>
      (await store.inner.readStream({ stream: runId, accountId, limit: 100_000 })).map(read),
    ),
  );
  const approvals = await openOperator({ store: store.inner, installation, principal: boss }).list({
    status: "any",
  });
  const { status, missing } = await verifyAccount(store.inner, accountId, [installation.signer.publicKey]);
  return [
    ...(status === "broken" || missing.length > 0
      ? [`the journal is ${status}, ${missing.length} missing`]
      : []),
    ...livelinessOf(played),
    ...(given.law.run.output ? played.runs.flatMap(answerOf) : []),
    ...runs.flatMap((kept) => [...endOf(kept), ...budgetOf(given, kept, played)]),
    ...executionsOf(given, played, runs.flat(), approvals),
    ...approvalsOf(runs.flat(), approvals, played),
    ...shownOf(given, played),
    ...leaksOf(played),
  ];
}

function read(stored: StoredRecord): Kept {
  return { stored, record: journalRecordSchema.parse(parseJsonStrict(stored.text)) };
}

/** Everything comes to an end, and nothing happens behind it. A fault is one of ours, with a code. */
function livelinessOf({ runs, isClosed, hasActedSince, unannounced }: Played): string[] {
  return [
    ...runs.flatMap(comeToOf),
    ...(isClosed ? [] : ["it could not be closed"]),
    ...(hasActedSince ? ["a tool ran after everything was closed"] : []),
    // A read that costs nothing much is recorded before its answer is given, and needs no intent.
    ...[...unannounced]
      .filter(({ tool }) => !isFreeRead(tool))
      .map(({ tool }) => `${tool} ran before its intent`),
  ];
}

function comeToOf({ isHung, fault, events }: PlayedRun): string[] {
  const isOurs = fault === undefined || (isSimpleFunctionsError(fault) && fault.code !== "internal");
  const ends = events?.flatMap(({ type }, index) => (endings.has(type) ? index : []));
  const strange = events?.find((event) => !runtimeEventSchema.safeParse(event).success);
  return [
    ...(isHung ? ["a run has not come to an end"] : []),
    ...(isOurs ? [] : [`a fault that is none of ours: ${inspect(fault)}`]),
    ...(ends === undefined || (ends.length === 1 && ends[0] === (events?.length ?? 0) - 1)
      ? []
      : [`a watcher saw ${ends.length} ends`]),
    ...(strange === undefined ? [] : [`a watcher saw ${JSON.stringify(strange)}`]),
  ];
}

/** Completed is only what has answered as it must. */
function answerOf({ result }: PlayedRun): string[] {
  if (result?.status !== "completed") return [];
  const { answer, ...more } = (result.output ?? {}) as { readonly answer?: unknown };
  return typeof answer === "string" && Object.keys(more).length === 0
    ? []
    : [`it has answered ${JSON.stringify(result.output)}`];
}

const endings = new Set(["runtime.completed", "runtime.failed", "runtime.cancelled"]);

function isFreeRead(tool: string): boolean {
  const { side, cost } = facts.get(tool) ?? {};
  return side === "none" && (cost === "none" || cost === "api_cost");
}

/** Exactly one end, and only notes behind it (J4). */
function endOf(kept: readonly Kept[]): string[] {
  const ends = kept.flatMap(({ record }, index) => (record.kind === "run.ended" ? { index, ...record } : []));
  const [end] = ends;
  const notes = end?.status === "cancelled" ? ["call.late", "call.resolved"] : ["call.late"];
  const behind = kept
    .slice((end?.index ?? kept.length) + 1)
    .filter(({ record }) => !notes.includes(record.kind));
  return [
    ...(ends.length === 1 ? [] : [`${ends.length} ends of one run`]),
    ...behind.map(({ record }) => `${record.kind} behind the end`),
  ];
}

function budgetOf(given: Case, kept: readonly Kept[], { executions }: Played): string[] {
  const { maxSteps, maxToolCalls, maxTokens } = lawOf(given.law);
  const [opening] = kept.flatMap(({ record }) => (record.kind === "run.opened" ? record : []));
  const ran = executions.filter(({ runId }) => runId === opening?.runId).length;
  const settled = kept.flatMap(({ record }) => (record.kind === "model.settled" ? record : []));
  const steps = settled.filter(({ status }) => status === "completed").length;
  const overrun = kept.findIndex(({ record }) => record.kind === "budget.overrun");
  const tokens = settled.reduce(
    (sum, { spent }) => sum + (spent.inputTokens ?? 0) + (spent.outputTokens ?? 0),
    0,
  );
  const after = overrun < 0 ? [] : kept.slice(overrun).filter(({ record }) => begins.has(record.kind));
  return [
    ...(ran <= maxToolCalls ? [] : [`${ran} calls ran, ${maxToolCalls} may`]),
    ...(steps <= maxSteps ? [] : [`${steps} steps, ${maxSteps} may be`]),
    ...(overrun >= 0 || tokens <= maxTokens ? [] : [`${tokens} tokens, ${maxTokens} may be`]),
    ...after.map(({ record }) => `${record.kind} after a provider has billed more than it could`),
  ];
}

const begins = new Set(["model.intended", "call.intended", "call.read"]);

function executionsOf(
  given: Case,
  played: Played,
  kept: readonly Kept[],
  approvals: readonly Approval[],
): string[] {
  const law = lawOf(given.law);
  return played.executions.flatMap((execution) => {
    const { tool, callId, attempt } = execution;
    const may = law.of(tool);
    const opening = openingOf(execution, kept);
    const isAsked = may === "asked" || played.asks.has(callId);
    const approval = opening?.record.kind === "call.intended" ? opening.record.approval : undefined;
    return [
      ...(may === "never" ? [`${tool} ran, and never may`] : []),
      ...(attempt === 1 ? [] : [`${tool} ran a ${attempt}. time`]),
      ...(opening === undefined ? [`${tool} ran and is not on record as that call`] : []),
      ...(isAsked && approval === undefined ? [`${tool} ran, and nobody was asked`] : []),
      ...(opening === undefined || isInput(opening, execution.text)
        ? []
        : [`${tool} ran with what is not on record`]),
      ...(isProposed(execution, played, kept)
        ? []
        : [`${tool} ran with what nobody has proposed: ${execution.text}`]),
      ...(approval === undefined || opening === undefined
        ? []
        : fitOf(opening, approval.approvalId, approvals)),
    ];
  });
}

function openingOf({ tool, callId, runId }: Execution, kept: readonly Kept[]): Opened | undefined {
  return kept.find(
    (one): one is Opened =>
      (one.record.kind === "call.intended" || (one.record.kind === "call.read" && isFreeRead(tool))) &&
      one.record.callId === callId &&
      one.record.runId === runId &&
      one.record.tool === tool,
  );
}

/** What is on record is what ran, but for what was hidden. */
function isInput(opening: Opened, text: string): boolean {
  const recorded = inputText(opening);
  if (recorded === text) return true;
  const parts = recorded.split(/\[redacted(?::[a-z0-9_]+)*\]/);
  let at = 0;
  const isInOrder = parts.every((part) => {
    const found = text.indexOf(part, at);
    at = found + part.length;
    return found >= 0;
  });
  return (
    parts.length > 1 && isInOrder && text.startsWith(parts[0] ?? "") && text.endsWith(parts.at(-1) ?? "")
  );
}

function inputText({ record, stored }: Opened): string {
  const row = stored.content.find(({ ref }) => ref === record.input.ref);
  return row !== undefined && "text" in row ? row.text : "";
}

/** Only what the model has put, with the defaults of the contract, or what a hook has put in its place. */
function isProposed({ tool, text, callId }: Execution, { model }: Played, kept: readonly Kept[]): boolean {
  if (kept.some(({ record }) => record.kind === "call.revised" && record.callId === callId)) return true;
  if (model.proposed.has(`${tool} ${text}`)) return true;
  const defaults: Readonly<Record<string, JsonValue>> = facts.get(tool)?.defaults ?? {};
  const given = Object.entries(JSON.parse(text) as Record<string, JsonValue>).filter(
    ([name, value]) => !(name in defaults && defaults[name] === value),
  );
  return model.proposed.has(`${tool} ${canonicalJson(Object.fromEntries(given))}`);
}

/** A1: an approval of exactly that tool and that input. */
function fitOf(opening: Opened, approvalId: string, approvals: readonly Approval[]): string[] {
  const { tool, callId } = opening.record;
  const found = approvals.find((one) => one.approvalId === approvalId);
  if (found === undefined) return [`${tool} ran by an approval that there is not`];
  return [
    ...(found.tool === tool && found.inputHash === hashText(inputText(opening))
      ? []
      : [`${tool} ran by an approval of another call`]),
    ...(found.usedBy === callId && found.status === "used"
      ? []
      : [`${tool} ran by an approval that is ${found.status}`]),
    ...(found.decidedBy?.keyId === boss.keyId
      ? []
      : [`${tool} was approved by ${found.decidedBy?.keyId ?? "nobody"}`]),
  ];
}

/** Each is used once, and somebody has said yes to it. */
function approvalsOf(kept: readonly Kept[], approvals: readonly Approval[], { ledger }: Played): string[] {
  const used = kept.flatMap(({ record }) =>
    record.kind === "call.intended" && record.approval ? record.approval.approvalId : [],
  );
  const twice = used.filter((id, index) => used.indexOf(id) !== index);
  const unsaid = used.filter((id) => {
    const { grantId = "" } = approvals.find(({ approvalId }) => approvalId === id) ?? {};
    return !ledger.approved.has(id) && !ledger.grants.has(grantId);
  });
  return [
    ...twice.map((id) => `${id} was used twice`),
    ...unsaid.map((id) => `nobody has said yes to ${id}`),
  ];
}

/** A model is shown nothing that it could not call. */
function shownOf(given: Case, { model }: Played): string[] {
  const law = lawOf(given.law);
  const names = new Set(model.asked.flatMap(({ tools }) => tools.map(({ name }) => name)));
  // Of what needs a capability nobody knows before its input is there.
  return [...names]
    .filter((name) => law.of(name) === "never" && name !== "net.fetch")
    .map((name) => `${name} was shown`);
}

/** S1: a secret is where it was put, in a tool's hands, and nowhere else. */
function leaksOf({ seen, store }: Played): string[] {
  return canaries.flatMap((canary) =>
    [...seen, ...store.written]
      .filter((text) => text.includes(canary))
      .map((text) => `a secret in ${around(text, canary)}`),
  );
}

function around(text: string, canary: string): string {
  const at = text.indexOf(canary);
  return text.slice(Math.max(0, at - 120), at + canary.length + 20);
}
