// A1: a rule is triggered once, however many processes look and wherever one dies: each change is one compare-and-set.
// A2: a rule is changed by what its market was after the rule was read: nobody's older look undoes a newer one.
import { type ErrorCode, isSimpleFunctionsError } from "@spfunctions/contracts";
import { type Clock, type Store, systemClock } from "@spfunctions/kernel";
import { documentsWith } from "../documents/documents-with.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { type AlertRule, alertRuleKind, readAlertRule, saveAlertRule } from "./alert-rule.ts";
import { judgeAlert } from "./judge-alert.ts";
import { type AlertMemory, lookAtVenue, newAlertMemory, type VenueLook } from "./venue-look.ts";

export type AlertCheck = {
  readonly triggered: number;
  readonly ended: number;
  /** The venues that could not be read, and the rules that could not be looked at; the next time they are tried again. */
  readonly failed: readonly (
    | { readonly venue: string; readonly code: ErrorCode }
    | { readonly accountId: string; readonly alertRuleId: string; readonly code: ErrorCode }
  )[];
};

export type AlertHost = {
  readonly store: Store;
  readonly readers: readonly VenueReader[];
  readonly clock?: Clock | undefined;
  readonly memory?: AlertMemory | undefined;
};

/**
 * Goes over the active rules of every account: triggers those that are met, ends those whose market is over, and remembers on
 * which side of its price a market is. One that fails stops no other. A rule about a venue that is not read here waits. Where a
 * venue has been asked as much as one round may, the next round with this memory goes on from there.
 */
export async function checkAlerts(
  { store, readers, clock = systemClock, memory = newAlertMemory() }: AlertHost,
  now: number,
  signal?: AbortSignal,
): Promise<AlertCheck> {
  const counts = { active: 0, triggered: 0, ended: 0 };
  const failed: AlertCheck["failed"][number][] = [];
  const look = (reader: VenueReader) => lookAtVenue(reader, memory, { now, clock, signal });
  const looks = looksAt(readers, look, signal, (venue, code) => failed.push({ venue, code }));
  const rules = memory.left ?? documentsWith(store, alertRuleKind, "active" satisfies AlertRule["status"]);
  memory.left = undefined;
  for await (const document of leftOpen(rules)) {
    signal?.throwIfAborted();
    try {
      const next = await nextOf(readAlertRule(document), looks, now);
      if (next && (await saveAlertRule(store, document, next, now))) counts[next.status] += 1;
    } catch (error) {
      signal?.throwIfAborted();
      const { accountId, id: alertRuleId } = document;
      failed.push({ accountId, alertRuleId, code: codeOf(error) });
    }
    if (looks.areSpent()) {
      memory.left = rules;
      break;
    }
  }
  const { triggered, ended } = counts;
  return { triggered, ended, failed };
}

/** Who leaves the loop over it can go on with it later. */
function leftOpen<Item>(items: AsyncGenerator<Item, void, void>): AsyncIterable<Item> {
  return { [Symbol.asyncIterator]: () => ({ next: () => items.next() }) };
}

/** A2: the list may be a while old. Where it says that something changes, the market is asked itself. */
async function nextOf(rule: AlertRule, looks: Looks, now: number): Promise<AlertRule | undefined> {
  const { venue, ticker } = rule;
  const look = await looks.at(venue);
  if (look === undefined) return undefined;
  const priceAgo = (minutes: number) => look.priceAgo(ticker, minutes);
  if ((await judgeAlert(rule, await look.glance(ticker), now, priceAgo)) === undefined) return undefined;
  return await judgeAlert(rule, await look.ask(ticker), now, priceAgo);
}

type Looks = {
  /** Nothing where the venue is not read here or did not answer. */
  readonly at: (venue: string) => Promise<VenueLook | undefined>;
  readonly areSpent: () => boolean;
};

/** Each venue that a rule names is looked at once. */
function looksAt(
  readers: readonly VenueReader[],
  look: (reader: VenueReader) => Promise<VenueLook>,
  signal: AbortSignal | undefined,
  onFault: (venue: string, code: ErrorCode) => void,
): Looks {
  const known = new Map<string, VenueLook | undefined>();
  const open = async (venue: string): Promise<VenueLook | undefined> => {
    const reader = readers.find((one) => one.venue === venue);
    try {
      return reader && (await look(reader));
    } catch (error) {
      signal?.throwIfAborted();
      onFault(venue, codeOf(error));
      return undefined;
    }
  };
  return {
    areSpent: () => [...known.values()].some((one) => one?.isSpent() === true),
    at: async (venue) => {
      if (!known.has(venue)) known.set(venue, await open(venue));
      return known.get(venue);
    },
  };
}

function codeOf(error: unknown): ErrorCode {
  return isSimpleFunctionsError(error) ? error.code : "internal";
}
