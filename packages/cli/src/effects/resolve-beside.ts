// B25: beside the process that drives a folder, a person's word about an effect is left in its inbox.
import {
  InvalidTransitionError,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { loadInstallation } from "@spfunctions/host/installation";
import { openGuestOperator, type Resolution } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { callerOf } from "../seat/caller.ts";
import { requireApart } from "../seat/data-folder.ts";
import { held } from "../seat/held.ts";
import { openToRead } from "../seat/open-store.ts";
import { storePlaceOf } from "../seat/store-place.ts";
import type { EffectsOptions } from "./open-effects.ts";

/** What a person found out about an effect. */
export type Found = Pick<Resolution, "status" | "note">;

export async function resolveBeside(
  effectId: string,
  options: EffectsOptions & Found,
  { io }: CommandContext,
): Promise<void> {
  const { account, scope, wait: waitMs, status, note } = options;
  const place = storePlaceOf(options, io);
  const { installation, path } = loadInstallation({ env: io.env, create: false });
  if (place.type === "folder") requireApart(place.folder, path);
  await held(async (undo, close) => {
    const store = await openToRead(place);
    undo.push(() => store.close());
    const principal = callerOf(account, scope);
    const operator = openGuestOperator({ store, installation, principal, waitMs, signal: io.signal });
    await operator.resolve(effectId, { status, note });
    await close();
  });
}

/** What a dead process has left is seen, and given up, by whoever writes there. */
export function mayBeLeft(
  effectId: string,
  where: string,
  { details }: Pick<SimpleFunctionsError, "details">,
): InvalidTransitionError {
  const pid = typeof details?.pid === "number" ? ` (${details.pid})` : "";
  return new InvalidTransitionError(
    `${effectId} is not listed as unknown in ${where}, which another process${pid} drives: what a crash has left there can be decided once that process has stopped. Stop it (sf up: Ctrl-C), and run the same command again`,
    { details: { reason: "may_be_left", effectId } },
  );
}

export function mayBeThere(error: unknown): boolean {
  return isSimpleFunctionsError(error) && error.details?.reason === "may_be_left";
}
