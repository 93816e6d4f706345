import { InvalidInputError, parseAtDoor, principalSchema } from "@spfunctions/contracts";
import {
  type Clock,
  createMemoryStore,
  type GivenPrincipal,
  type Ids,
  type Installation,
  processInstallation,
  type SearchIndex,
  Seat,
  type Store,
  systemClock,
} from "@spfunctions/kernel";
import { type ErasableLogs, type ErasedCall, eraseCallOfAgents, type EraseTerms } from "./erase-call.ts";

type On = {
  readonly principal: GivenPrincipal;
  readonly store?: Store | undefined;
  readonly installation?: Installation | undefined;
  readonly clock?: Clock | undefined;
};

export type EraseCallOptions = On & {
  readonly store: Store;
  readonly ids?: Ids | undefined;
  /** The index in which the agent's memories are found. Without it, the agent takes them out of its own when it is opened next. */
  readonly search?: Pick<SearchIndex, "remove"> | undefined;
  /** The logs of its turns. */
  readonly logs?: ErasableLogs | undefined;
  /** A run that is read again from here on. */
  readonly read?: string | undefined;
};

/** Erases what was kept of a call, with everything that long-lived agents have made of it, and tells what that was. */
export async function eraseCall(
  { search, logs, read, ...options }: EraseCallOptions,
  callId: string,
): Promise<ErasedCall> {
  const seat = new Seat({
    ...options,
    packs: [],
    levels: [{ level: "agent", policy: {} }],
    origin: "direct",
    surface: "agent",
  });
  try {
    return await eraseCallOfAgents({ ...eraseTermsOf(seat, options), search, logs, read }, callId);
  } finally {
    await seat.close();
  }
}

/** On what a seat erases. */
export function eraseTermsOf(seat: Seat, { principal, store, installation, clock }: On): EraseTerms {
  const { accountId } = parseAtDoor(principalSchema, principal, "principal", InvalidInputError);
  return {
    // In a store of the seat's own there is no agent.
    store: store ?? createMemoryStore(),
    accountId,
    proves: (installation ?? processInstallation()).keyHash,
    clock: clock ?? systemClock,
    requireEraser: () => seat.requireEraser(),
    eraseInJournal: async (id, also) => await seat.erase(id, also),
  };
}
