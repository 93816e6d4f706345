// Event streams for whoever may listen: an unbounded admin to its whole account, any other key to what it does itself. A token
// hears nothing: records name its key alone, and so it would hear what other pages do.
import {
  ForbiddenError,
  InvalidInputError,
  MissingApiKeyError,
  NotFoundError,
  RateLimitedError,
  runIdSchema,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { type Clock, endOfEvents, findRun, type Store } from "@spfunctions/kernel";
import { OpenCounts } from "../door/open-counts.ts";
import { type Caller, isLent } from "../identity/caller.ts";
import { isLive, keyKind } from "../keys/key-record.ts";
import type { FoundKey, KeyRing } from "../keys/key-ring.ts";
import type { PlatformLimits } from "../platform-limits.ts";
import type { Fault } from "../route/answer.ts";
import type { Door } from "../door/door.ts";
import { type Inquiry, queryOf } from "../route/inquiry.ts";
import { queryMembers } from "../route/plain-request.ts";
import { enter } from "../route/way-in.ts";
import type { EventFeedTerms } from "./event-feed.ts";
import { eventStream } from "./event-stream.ts";
import { type InTurn, Turns } from "./turns.ts";
import type { Wakes } from "./wakes.ts";

export type EventsHost = {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly door: Door;
  readonly limits: PlatformLimits;
  readonly wakes: Wakes;
  readonly clock: Clock;
  readonly requestId: () => string;
  readonly fault: Fault;
  /** Ends every stream. */
  readonly signal: AbortSignal;
};

type Params = Readonly<Record<string, string>>;

export function eventsAnswerer(host: EventsHost): (inquiry: Inquiry, params: Params) => Promise<Response> {
  const open = new OpenCounts(host.limits.streamsPerKey);
  const turns = new Turns(host.limits.streamReadsPerKey);
  return async (inquiry, params) => {
    const entered = await enter(host, inquiry, { missingKey: () => missingKey, hasBody: false });
    if (entered.type === "answered") return entered.answer;
    const { caller } = entered;
    const { requestId, headers } = entered.terms;
    const refuse = (reason: string, error: SimpleFunctionsError) => entered.refuse(reason, error).answer;
    const { accountId, keyId } = caller.principal;
    if (isLent(caller)) return refuse("token_stream", noToken);
    const place = `${accountId} ${keyId}`;
    const inTurn = turns.in(place);
    const leave = open.enter(place);
    if (leave === undefined) return refuse("streams", tooMany(host.limits));
    try {
      const from = await startOf(host, caller, inquiry, params, inTurn);
      if (from.type === "from")
        return await streamed(host, caller, inquiry, {
          ...from,
          leave,
          inTurn,
          headers: { ...headers, "x-request-id": requestId },
        });
      leave();
      return refuse("bad_request", from.error);
    } catch (thrown) {
      leave();
      return refuse("bad_request", host.fault(thrown, requestId));
    }
  };
}

type Start =
  | { readonly type: "from"; readonly cursor: string; readonly runId?: string | undefined }
  | { readonly type: "refused"; readonly error: SimpleFunctionsError };

/** From where the client says it has come, from the beginning of a run, or from now on. */
async function startOf(
  { store, limits }: EventsHost,
  caller: Caller,
  { header, request }: Inquiry,
  { runId }: Params,
  inTurn: InTurn,
): Promise<Start> {
  const { accountId } = caller.principal;
  const { after: given, ...unknown } = queryMembers(queryOf(request));
  if (Object.keys(unknown).length > 0) return { type: "refused", error: unknownQuery() };
  const after = (header("last-event-id") ?? given) || undefined;
  if (runId === undefined) return { type: "from", cursor: after ?? (await endOfEvents(store, accountId)) };
  if (!runIdSchema.safeParse(runId).success) return { type: "refused", error: noRun() };
  const search = { segments: limits.runLookbackSegments, cursor: after, keyId: listensTo(caller) };
  const beginning = await inTurn(() => findRun(store, accountId, runId, search));
  if (beginning === undefined) return { type: "refused", error: noRun() };
  return { type: "from", cursor: after ?? beginning, runId };
}

/** The key whose events it may see; of any where there is none. */
function listensTo({ principal: { keyId }, hearsAll }: Caller): string | undefined {
  return hearsAll === true ? undefined : keyId;
}

type Streamed = Extract<Start, { type: "from" }> & {
  readonly headers: Record<string, string>;
  readonly leave: () => void;
  readonly inTurn: InTurn;
};

async function streamed(
  host: EventsHost,
  caller: Caller,
  { request }: Inquiry,
  { cursor, runId, headers, leave, inTurn }: Streamed,
): Promise<Response> {
  const { store, wakes, clock, limits, signal } = host;
  const { accountId } = caller.principal;
  return await eventStream({
    store,
    accountId,
    cursor,
    runId,
    keyId: listensTo(caller),
    wakes,
    clock,
    signal: AbortSignal.any([signal, request.signal]),
    heartbeatMs: limits.heartbeatMs,
    ...endOf(host, caller),
    headers,
    inTurn,
    ended: leave,
  });
}

/** Whether a listener's time is over. Its key is looked at after every change of a key here, and when it has changed elsewhere. */
function endOf(
  { keys, clock }: EventsHost,
  { principal: { accountId, keyId } }: Caller,
): Required<Pick<EventFeedTerms, "isOver" | "overBy">> {
  let changes: number | undefined;
  let found: FoundKey | undefined;
  return {
    isOver: async () => {
      if (changes !== keys.changes) {
        changes = keys.changes;
        found = await keys.byId(accountId, keyId);
      }
      return found === undefined || !isLive(found.record, clock.now());
    },
    overBy: {
      watched: () => {
        const revision = found?.revision ?? 0;
        return [{ type: "document", kind: keyKind, accountId, id: keyId, revision }];
      },
      moved: () => {
        changes = undefined;
      },
    },
  };
}

// Made once: making an error costs more than everything else that is done for a stranger.
const missingKey: SimpleFunctionsError = new MissingApiKeyError(
  "event streams need a key: send Authorization: Bearer with one",
);

const noToken: SimpleFunctionsError = new ForbiddenError(
  "event streams are for keys; a page or a run gets a call's own events with Accept: text/event-stream on the tool's route",
  { details: { reason: "token_stream" } },
);

function tooMany({ streamsPerKey }: PlatformLimits): SimpleFunctionsError {
  return new RateLimitedError(`this key has ${streamsPerKey} event streams open; close one first`, {
    details: { reason: "streams", limit: "streamsPerKey" },
  });
}

function unknownQuery(): SimpleFunctionsError {
  return new InvalidInputError('an event stream takes no parameter but "after"', {
    details: { reason: "unknown_query" },
  });
}

function noRun(): SimpleFunctionsError {
  return new NotFoundError("there is no such run, or it is long over; its trace has it");
}
