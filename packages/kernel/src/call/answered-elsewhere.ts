// A person is asked where a tool runs, and answers there. What that place says of it is read like everything from outside.
import {
  type ApprovalStatus,
  approvalStatusSchema,
  CancelledError,
  isSimpleFunctionsError,
  type Principal,
  principalSchema,
  type SimpleFunctionsError,
  UpstreamError,
} from "@spfunctions/contracts";
import { unlessAborted } from "../time/unless-aborted.ts";
import type { Tool } from "../tool/define-tool.ts";
import type { CallHost } from "./call-host.ts";
import { answeredAt } from "./executors.ts";
import { ownErrorOf } from "./own-error.ts";
import { safeText } from "./safe-text.ts";

/** How a question stands that was put elsewhere. */
export type AnswerElsewhere = {
  readonly status: ApprovalStatus;
  readonly decidedBy?: Principal | undefined;
  readonly note?: string | undefined;
};

/** How long that place may take each time before it says that nobody has answered yet. */
const waitMs = 25_000;
const shortestPauseMs = 1000;
const longestPauseMs = 30_000;
/** A place that cannot be reached is believed to have ended its question this long after its time. */
const graceMs = 60_000;

type Asked = { readonly approvalId: string; readonly expiresAt: string };
type Signals = readonly (AbortSignal | undefined)[];

/** How it stands now. Nothing where that place cannot be reached at the moment. */
export async function lookElsewhere(
  tool: Tool,
  { approvalId }: Asked,
  signal: AbortSignal = new AbortController().signal,
): Promise<AnswerElsewhere | undefined> {
  return await ask(tool, approvalId, 0, signal).catch(unlessPassing);
}

/** Waits until somebody has answered there. Nothing once one of the signals says so. */
export async function untilAnsweredElsewhere(
  host: CallHost,
  tool: Tool,
  asked: Asked,
  signals: Signals,
): Promise<AnswerElsewhere | undefined> {
  const { clock } = host;
  const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
  for (let pauseMs = shortestPauseMs; !signal.aborted; ) {
    const begun = clock.elapsed();
    // oxlint-disable-next-line no-await-in-loop -- until there is an answer
    const seen = await ask(tool, asked.approvalId, waitMs, signal).catch(unlessPassing);
    if (seen !== undefined && seen.status !== "pending") return seen;
    if (seen === undefined && clock.now() >= Date.parse(asked.expiresAt) + graceMs)
      return { status: "expired" };
    pauseMs = seen === undefined ? Math.min(2 * pauseMs, longestPauseMs) : shortestPauseMs;
    // Whoever lets nobody wait there is not asked without end.
    const isHurried = clock.elapsed() - begun < shortestPauseMs;
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (seen === undefined || isHurried) await host.waits.pause(pauseMs, signals);
  }
  return undefined;
}

async function ask(
  tool: Tool,
  approvalId: string,
  most: number,
  signal: AbortSignal,
): Promise<AnswerElsewhere> {
  const given = (async () => await answeredAt(tool, approvalId, { waitMs: most, signal }))().catch(
    (thrown: unknown) => Promise.reject(faultOf(tool, thrown)),
  );
  return readAnswer(
    tool,
    await unlessAborted(given, signal, () => new CancelledError("nobody waits for it")),
  );
}

/** S1: nothing of what was thrown there is passed on unread. */
function faultOf({ contract: { name } }: Tool, thrown: unknown): SimpleFunctionsError {
  const own = ownErrorOf(thrown);
  return own ?? new UpstreamError(`${name}: where it runs it cannot be asked how its approval stands`);
}

function readAnswer({ contract: { name } }: Tool, given: unknown): AnswerElsewhere {
  const { status, decidedBy, note } = (typeof given === "object" && given !== null ? given : {}) as {
    readonly [Key in keyof AnswerElsewhere]?: unknown;
  };
  const known = approvalStatusSchema.safeParse(status);
  if (!known.success)
    throw new UpstreamError(`${name}: where it runs it cannot be said how its approval stands`, {
      details: { tool: name, reason: "no_status" },
      retry: "never",
    });
  const who = principalSchema.safeParse(decidedBy);
  return {
    status: known.data,
    ...(who.success && { decidedBy: who.data }),
    ...(typeof note === "string" && { note: safeText(note, 2000) }),
  };
}

/** Whoever is away comes back; whoever says no has said it. */
function unlessPassing(error: unknown): undefined {
  if (isSimpleFunctionsError(error)) {
    const isPassing = error.retry === "after_wait" || error.retry === "safe" || error.code === "internal";
    if (isPassing || error.code === "cancelled") return undefined;
  }
  throw error;
}
