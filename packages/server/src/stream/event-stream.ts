// Server-sent events: each message has the cursor after it as its id, so that a client that comes again with the last id it saw
// goes on exactly there.
import { hasRunEnded } from "@spfunctions/kernel";
import { EventFeed, type EventFeedTerms } from "./event-feed.ts";
import { atOnce } from "./turns.ts";

const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  // Proxies pass it on as it comes.
  "x-accel-buffering": "no",
} as const;

export type EventStreamTerms = EventFeedTerms & {
  /** Sent along. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/**
 * What an account does, as it is written. A cursor that is none is refused here, before anything is answered. Of a run that had
 * ended before the cursor nothing comes: the answer is 204, which tells a browser not to ask again.
 */
export async function eventStream(terms: EventStreamTerms): Promise<Response> {
  const { headers } = terms;
  const feed = new EventFeed(terms);
  try {
    const { events } = await feed.peek();
    if (events.length === 0 && (await isLongOver(terms))) {
      feed.end();
      return new Response(null, { status: 204, headers: { ...headers, "cache-control": "no-store" } });
    }
  } catch (error) {
    feed.end();
    throw error;
  }
  // Nothing is read ahead of whoever reads it.
  return new Response(new ReadableStream(feed, { highWaterMark: 0 }), {
    headers: { ...headers, ...streamHeaders },
  });
}

async function isLongOver(terms: EventFeedTerms): Promise<boolean> {
  const { store, accountId, runId, cursor, keyId, signal, inTurn = atOnce } = terms;
  if (runId === undefined || signal.aborted) return false;
  return await inTurn(() => hasRunEnded(store, accountId, runId, cursor, keyId));
}
