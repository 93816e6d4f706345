// A desk whose policy asks a person, the person, and what is kept of their conversation.
import type { Approval, JournalRecord, StandingGrant } from "@spfunctions/contracts";
import { type Operator, type OperatorOptions, openOperator } from "../src/approval/open-operator.ts";
import type { CallOutcome, CallRequest } from "../src/call/call-host.ts";
import { problemsOf } from "../src/journal/verify-account.ts";
import type { GivenPrincipal } from "../src/seat/given-principal.ts";
import { type Desk, type DeskOptions, installation, openDesk, principalOf, reopenDesk } from "./call-desk.ts";
import { countingIds } from "./call-ids.ts";
import { turn } from "./call-waiting.ts";

export const askingPolicy = {
  maxSideEffect: "user_write",
  maxCostEffect: "llm_cost",
  approvals: { requireForSideEffectAtOrAbove: "user_write", ttlMs: 60_000 },
} as const;

/** Changes are asked about, in a session. */
export const asking: DeskOptions = {
  levels: [{ level: "agent", policy: askingPolicy }],
  sessionId: "monday",
};

export const waiting: DeskOptions = { ...asking, asking: "wait" };

export const write = { tool: "notes.write", input: { text: "a" } };

export const boss: GivenPrincipal = principalOf("acct_1", {
  keyId: "boss",
  kind: "operator",
  scopes: ["admin"],
});

/** Somebody who answers, on the store as it is, whatever becomes of the desk's own. */
export function operatorOf(
  { store, clock }: Pick<Desk, "store" | "clock">,
  { principal = boss, life = 9, ...options }: AnsweringOptions = {},
): Operator {
  const ids = countingIds(life);
  return openOperator({ store: store.inner, clock, installation, ids, principal, ...options });
}

type AnsweringOptions = Partial<
  Pick<OperatorOptions, "principal" | "store" | "clock" | "installation" | "isInFamily">
> & {
  /** Which process it is. */
  readonly life?: number;
};

/** Makes a call in which something is hidden: a person approves it, and it is made again. */
export async function callApproved(desk: Desk, request: CallRequest): Promise<CallOutcome> {
  const asked = await desk.call(request);
  if (asked.type !== "refused" || asked.error.code !== "approval_required") return asked;
  const operator = operatorOf(desk);
  await operator.approve(String(asked.error.details?.["approvalId"]));
  await operator.close();
  return await desk.call(request);
}

/** A desk that asks, and who answers. */
export function openAsking(options: DeskOptions = {}): Asking {
  const desk = openDesk({ ...asking, ...options });
  return { ...desk, operator: operatorOf(desk) };
}

/** The question that stands open, once there is one. */
export async function pending(
  operator: Operator,
  isIt: (approval: Approval) => boolean = () => true,
): Promise<Approval> {
  for (let turns = 0; turns < 500; turns++) {
    const first = (await operator.list()).find(isIt);
    if (first !== undefined) return first;
    await turn();
  }
  throw new Error("nobody was asked");
}

/** Makes a call that is to be asked about and returns, and gives the question. */
export async function ask(
  desk: Pick<Desk, "call"> & { readonly operator: Operator },
  request: CallRequest = write,
): Promise<Approval> {
  const outcome = await desk.call(request);
  const id = outcome.type === "completed" ? undefined : outcome.error.details?.["approvalId"];
  if (typeof id !== "string") throw new Error("nobody was asked");
  return await desk.operator.get(id);
}

/** Makes a call that waits, and gives both: what it comes to, and the question. */
export async function begin(
  desk: Pick<Desk, "call"> & { readonly operator: Operator },
  request: CallRequest = write,
): Promise<{ readonly outcome: Promise<CallOutcome>; readonly approval: Approval }> {
  const outcome = desk.call({ asking: "wait", ...request });
  outcome.catch(() => undefined);
  return { outcome, approval: await pending(desk.operator) };
}

/** The answers that are on record, taken or refused: who, what, what came of it. */
export async function answersIn(desk: Pick<Desk, "records">): Promise<string[]> {
  return (await desk.records()).flatMap((record) =>
    record.kind === "approval.answered" ? [labelOf(record)] : [],
  );
}

function labelOf({
  by,
  answer,
  status,
  error,
}: Extract<JournalRecord, { kind: "approval.answered" }>): string {
  return `${by.keyId} ${answer}: ${error?.code ?? status}`;
}

/** How a call's records read, without its segment's own: the kind, and what it says of the approval. */
export async function storyOf(desk: Pick<Desk, "records">): Promise<string[]> {
  return (await desk.records()).flatMap((record) => {
    if (!("callId" in record)) return [];
    const { kind, status, approval, error } = record as {
      kind: string;
      status?: string;
      approval?: { status: string };
      error?: { code: string };
    };
    return [[kind, status, approval?.status, error?.code].filter((one) => one !== undefined).join(" ")];
  });
}

/** The grants that there are, by how often each was used. */
export function usesOf(grants: readonly StandingGrant[]): number[] {
  return grants.map(({ uses }) => uses);
}

export type Asking = Desk & { readonly operator: Operator };

/** The process is gone while its call waits; the next one has the same store, clock and tools. */
export async function leaveWaiting(options: DeskOptions = {}, request: CallRequest = write) {
  const desk = openAsking({ ...waiting, ...options });
  const { approval } = await begin(desk, request);
  await desk.store.die();
  const { clock, deck, operator } = desk;
  const next = (more: DeskOptions = {}): Asking => ({
    ...reopenDesk(desk, { ...waiting, ...options, clock, deck, ...more }),
    operator,
  });
  return { desk, approval, next };
}

/** Ends them all, and says what verification says then. */
export async function closeAll(...desks: readonly Asking[]): Promise<string[]> {
  for (const { seat, operator } of desks) {
    await seat.close();
    await operator.close();
  }
  const verification = await (desks[0] as Asking).seat.verify();
  return [verification.status, ...problemsOf(verification)];
}
