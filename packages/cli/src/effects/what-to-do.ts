import type { UnknownEffect } from "@spfunctions/contracts";
import type { Settled } from "@spfunctions/kernel";

/** Of an effect of which nobody knows what became. */
export function howToResolve({ effectId, idempotencyKey }: UnknownEffect): string {
  return `find out at the other side (key ${idempotencyKey}) whether it happened, then: sf effects resolve ${effectId} --status … --note …`;
}

/** Of one that was left: a held output waits for its host alone, and its reason says so. */
export function howToSettle({ effectId }: Settled): string[] {
  return effectId === undefined
    ? []
    : [
        "whoever called it settles it by opening this data folder with its pack and a policy that allows it: sf effects ls --pack … --policy …",
      ];
}
