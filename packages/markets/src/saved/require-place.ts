import { InvalidInputError } from "@spfunctions/contracts";
import type { Store } from "@spfunctions/kernel";

type Places = {
  readonly kind: string;
  readonly accountId: string;
  /** Only what has this status takes a place. */
  readonly status: string;
  readonly most: number;
};

/**
 * Refuses what an account has no place for any more. Calls at the same moment may each find the last place free: it bounds what one
 * account can pile up, is no exact count, and so keeps none of them from being written.
 */
export async function requirePlace(
  store: Store,
  { most, ...taking }: Places,
  tooMany: string,
): Promise<void> {
  const taken = await store.documents({ ...taking, limit: most });
  if (taken.length >= most) throw new InvalidInputError(tooMany, { details: { reason: "too_many" } });
}
