import type { Approval } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { StorePlace } from "../seat/store-place.ts";
import type { ApprovalsOptions } from "./approvals-options.ts";
import { openStoreDesk } from "./open-store-desk.ts";

/** A question as it stands in a store. Nothing where it cannot be had: it is only to tell more. */
export async function readQuestion(
  approvalId: string,
  place: StorePlace,
  options: Pick<ApprovalsOptions, "account" | "wait">,
  context: CommandContext,
): Promise<Approval | undefined> {
  try {
    const desk = await openStoreDesk(place, "", options, context);
    try {
      return await desk.get(approvalId);
    } finally {
      await desk.close();
    }
  } catch {
    return undefined;
  }
}
