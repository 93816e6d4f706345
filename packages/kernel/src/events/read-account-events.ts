// J3, I1: what a watcher sees is what is kept, once each, in the order of its segment, and only of the account that asks.
import { InvalidInputError } from "@spfunctions/contracts";
import type { Store } from "../store/store.ts";
import { readCursor } from "./event-cursor.ts";
import { Openings } from "./openings.ts";
import { type EventPage, PageReading } from "./page-reading.ts";
import type { EventScope } from "./project-stored.ts";

export type EventQuery = EventScope & {
  /** At most so many events. */
  readonly limit: number;
  /** Kept from page to page, it saves reading back. */
  readonly openings?: Openings | undefined;
};

/** The events of an account after a cursor, a page at a time. Read on from each page's cursor, they come once each, none missing. */
export async function readAccountEvents(
  store: Store,
  accountId: string,
  cursor: string,
  { limit, runId, keyId, openings = new Openings() }: EventQuery,
): Promise<EventPage> {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new InvalidInputError("a page of events has a limit: a whole number from 1", {
      details: { path: "/limit" },
    });
  }
  const reading = new PageReading({ store, accountId, runId, keyId, openings }, readCursor(cursor), limit);
  return await reading.read();
}
