import { approvalWake } from "../approval/approval-wake.ts";
import { isOutage } from "../store/is-outage.ts";
import { untilAnsweredElsewhere } from "./answered-elsewhere.ts";
import { AskedAbout } from "./asked-about.ts";
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
  const asked = new AskedAbout(host, approvalId);
  const look = async () => await asked.isAnswered().catch(onOutage);
  const { rechecked } = asked;
  const seen =
    tool === undefined
      ? await host.waits.until(approvalWake(approvalId), look, {
          at: Date.parse(expiresAt),
          rechecked,
          signals,
        })
      : // What that place will not say is for whoever goes on with the call to find out.
        await untilAnsweredElsewhere(host, tool, { approvalId, expiresAt }, signals).catch(() => true);
  return seen !== undefined;
}

/** A store that does not answer is for whoever goes on with the call. */
function onOutage(error: unknown): true {
  if (isOutage(error)) return true;
  throw error;
}
