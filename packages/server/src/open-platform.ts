// The composition root: here a store is opened, tools are put together, and every way in is tied to the same law.
import {
  type Explanation,
  type ContractManifest,
  errorFor,
  givenAccountIdSchema,
  InvalidInputError,
  parseAtDoor,
  type ToolCallResult,
} from "@spfunctions/contracts";
import { bindInstallation, type OrderedCall, systemClock } from "@spfunctions/kernel";
import { anonymousAccount, callerOfKey, operatorOf } from "./identity/caller.ts";
import type { NewKey } from "./keys/change-keys.ts";
import type { KeyView } from "./keys/key-view.ts";
import { type PlatformOptions, requireOptions } from "./platform-options.ts";
import { makeParts, type PlatformParts } from "./platform-parts.ts";
import { routesOf } from "./platform-routes.ts";
import { answerClosed, answerClosing } from "./route/answer.ts";
import type { SocketEnv } from "./route/inquiry.ts";
import { logRequests } from "./route/log-requests.ts";
import { newRequestId } from "./route/request-id.ts";
import type { CutCall } from "./route/tool-handler.ts";
import { callOrdered } from "./seat/call-ordered.ts";
import { type AccountSettled, recoverAccounts } from "./seat/recover-accounts.ts";
import { tend, type Tending } from "./tend-platform.ts";
import type { Named } from "./under-way.ts";

export type Platform = {
  /** What is active here. */
  readonly manifest: ContractManifest;
  /** The whole platform as one function: a server calls it for a socket, the SDK without one. */
  readonly fetch: (request: Request, env?: SocketEnv) => Promise<Response>;
  /** Makes a key in any account. For whoever holds this object, never for a request. */
  readonly createKey: (
    accountId: string,
    key: NewKey,
  ) => Promise<{ readonly key: KeyView; readonly secret: string }>;
  /** What a crash had left without an end, and what became of it. */
  readonly settled: readonly AccountSettled[];
  /** Tools that have no route, because their contracts have no `http` member: nobody can call them here. */
  readonly unserved: readonly string[];
  /**
   * Whether a key may call a tool now, by what can be said without an input: it is good, and no gate denies it. For what goes on
   * by itself after its call has ended.
   */
  readonly mayCall: (accountId: string, keyId: string, tool: string) => Promise<boolean>;
  /** Explains what the gates say of a call of a key without an input. Answers undefined if the key has ended. */
  readonly explainCall: (accountId: string, keyId: string, tool: string) => Promise<Explanation | undefined>;
  /**
   * Makes a call that a key has ordered earlier: for this key, judged by what holds for it now, and recorded in its account's journal.
   * Throws what it is refused for or fails with; a key that was revoked, has expired, or was rotated until the secret of then is over,
   * calls nothing. For whoever holds this object, never for a request.
   */
  readonly callOrdered: (order: OrderedCall) => Promise<ToolCallResult>;
  /** How many requests were refused at the door, by reason. */
  readonly refused: () => Readonly<Record<string, number>>;
  /** Ends event streams, waits for calls under way, cancels those that take too long, and seals the journals. */
  readonly close: () => Promise<Closed>;
};

/** How it ended. */
export type Closed = {
  /** Calls that had not ended in time, and were cancelled. */
  readonly cut: readonly CutCall[];
  /** Calls that have no end even so: whoever opens the store next settles them. */
  readonly left: readonly Named[];
};

export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  requireOptions(options);
  const { store, installation, clock = systemClock } = options;
  // Before anybody is told that a good key is none.
  await bindInstallation(store, installation, clock.now());
  const parts = makeParts(options);
  const settled = await recoverAccounts(parts);
  const cut: CutCall[] = [];
  const app = routesOf(parts, (call) => {
    cut.push(call);
    const message = "a call had not ended in time, and was cancelled";
    parts.log({ level: "warn", event: "call.cut", message, ...call });
  });
  const unserved = unservedOf(parts);
  const tending = tend(parts);
  let closed: Promise<Closed> | undefined;
  let isOver = false;
  const close = async () => {
    const left = await endCalls(parts, tending);
    try {
      await parts.usage.flush();
      await parts.quotas.close();
    } finally {
      isOver = true;
      await parts.journals.close();
    }
    return { cut, left };
  };
  const answer = async (request: Request, env: SocketEnv) => await app.fetch(request, env);
  const answerLogged = options.logRequests === true ? logRequests(answer, parts) : answer;
  return Object.freeze({
    manifest: parts.manifestOf("implemented"),
    fetch: async (request: Request, env?: SocketEnv) =>
      closed === undefined
        ? await answerLogged(request, env ?? {})
        : (isOver ? answerClosed : answerClosing)({ requestId: newRequestId() }),
    createKey: async (accountId: string, key: NewKey) => await createKey(parts, accountId, key),
    mayCall: async (accountId: string, keyId: string, tool: string) => {
      const explanation = await explainCall(parts, accountId, keyId, tool);
      return explanation !== undefined && explanation.outcome !== "deny";
    },
    explainCall: async (accountId: string, keyId: string, tool: string) =>
      await explainCall(parts, accountId, keyId, tool),
    callOrdered: async (order: OrderedCall) => await callOrdered(parts, order),
    settled,
    unserved,
    refused: () => Object.fromEntries(parts.refused),
    close: () => (closed ??= close()),
  });
}

async function explainCall(
  { keys, seats, manifest }: PlatformParts,
  accountId: string,
  keyId: string,
  tool: string,
): Promise<Explanation | undefined> {
  const found = await keys.byId(accountId, keyId);
  return found && seats.of(callerOfKey(found, manifest), "direct").explain(tool);
}

/** Tools that nobody can call over HTTP, and whoever reads the log is told. */
function unservedOf({ manifestOf, log }: PlatformParts): readonly string[] {
  const unserved = manifestOf("implemented")
    .tools.filter(({ http }) => http === undefined)
    .map(({ name }) => name);
  const message = "tools without an http member have no route, and cannot be called over HTTP";
  if (unserved.length > 0) log({ level: "warn", event: "tools.unserved", message, tools: unserved });
  return unserved;
}

/** A key for any account, made by whoever holds the platform. */
async function createKey({ seats, manifest, underWay }: PlatformParts, accountId: string, key: NewKey) {
  if (accountId === anonymousAccount)
    throw new InvalidInputError(
      `nobody has keys of ${anonymousAccount}: it is the account of those without one`,
    );
  parseAtDoor(givenAccountIdSchema, accountId, "account", InvalidInputError);
  const tool = "keys.create";
  const seat = seats.of(operatorOf(accountId, manifest), "direct");
  const outcome = await underWay.add(seat.call({ tool, input: key }), { tool, accountId });
  if (outcome.type === "completed") return outcome.result.output as { key: KeyView; secret: string };
  const { code, message, details, retry, cause } = outcome.error;
  throw errorFor(code, message, { ...(details && { details }), retry, cause });
}

/** Lets calls under way come to their end, cancels those that take too long, and gives those that have none even so. */
async function endCalls(
  { closing, cutting, underWay, limits, clock, log }: PlatformParts,
  tending: Tending,
): Promise<readonly Named[]> {
  closing.abort();
  tending.rest();
  await underWay.drained(limits.graceMs, clock);
  cutting.abort();
  await underWay.drained(limits.cutMs, clock);
  const left = underWay.calls;
  for (const call of left)
    log({ level: "warn", event: "call.left", message: "a call is left without an end", ...call });
  await tending.stop();
  return left;
}
