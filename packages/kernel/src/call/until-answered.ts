import { approvalWake } from "../approval/approval-wake.ts";
import { isOutage } from "../store/is-outage.ts";
import { untilAnsweredElsewhere } from "./answered-elsewhere.ts";
import type { CallHost } from "./call-host.ts";

/** What a call was left waiting for. */
type Question = {
  readonly approvalId: string;
  readonly expiresAt: string;
  /** Where it is answered where a tool runs: which tool. */
  readonly elsewhere?: string | undefined;
};

/** Until a person has answered, or its time is over: whether there is something to go on by. */
export async function untilAnswered(
  host: CallHost,
  { approvalId, expiresAt, elsewhere }: Question,
  signals: readonly AbortSignal[],
): Promise<boolean> {
  const tool = elsewhere === undefined ? undefined : host.registry.tools.get(elsewhere);
  const look = async () => await isAnswered(host, approvalId);
  const seen =
    tool === undefined
      ? await host.waits.until(approvalWake(approvalId), look, { at: Date.parse(expiresAt), signals })
      : // What that place will not say is for whoever goes on with the call to find out.
        await untilAnsweredElsewhere(host, tool, { approvalId, expiresAt }, signals).catch(() => true);
  return seen !== undefined;
}

async function isAnswered({ approvals, principal }: CallHost, approvalId: string): Promise<true | undefined> {
  const kept = await approvals.read(principal.accountId, approvalId).catch((error: unknown) => {
    if (isOutage(error)) return undefined;
    throw error;
  });
  return kept?.value.status !== "pending" || approvals.isOver(kept.value) ? true : undefined;
}
