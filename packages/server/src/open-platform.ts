// The composition root: here a store is opened, tools are put together, and every way in is tied to the same law.
import {
  type AgentPolicy,
  type ContractManifest,
  type ContractTool,
  errorCodes,
  errorFor,
  HostConfigurationNeededError,
  InvalidInputError,
  isSimpleFunctionsError,
  joinContracts,
  redactText,
  refuseUnknown,
} from "@spfunctions/contracts";
import {
  AccountJournals,
  bindInstallation,
  type CallOutcome,
  type Clock,
  defaultCallLimits,
  type Ids,
  type Installation,
  type NetworkOptions,
  type Pack,
  randomIds,
  registerPacks,
  requireParts,
  type Store,
  systemClock,
  tendInboxes,
  type ToolRegistry,
} from "@spfunctions/kernel";
import { approvalAnswerers } from "./approvals/approval-answerers.ts";
import { ApprovalDesk } from "./approvals/approval-desk.ts";
import { grantAnswerers } from "./grants/grant-answerers.ts";
import { GrantDesk } from "./grants/grant-desk.ts";
import { Identities } from "./identity/authenticate.ts";
import { anonymousAccount, callerOfKey, operatorOf } from "./identity/caller.ts";
import type { NewKey } from "./keys/change-keys.ts";
import { KeyRing } from "./keys/key-ring.ts";
import { KeyUsage } from "./keys/key-usage.ts";
import type { KeyView } from "./keys/key-view.ts";
import type { ManifestOf } from "./pack/manifest-tools.ts";
import { platformPack } from "./pack/platform-pack.ts";
import type { LogLine } from "./log-line.ts";
import { type PlatformLimits, readPlatformLimits } from "./platform-limits.ts";
import { KeyQuotas } from "./quota/key-quotas.ts";
import { answerClosed, answerClosing, type Fault } from "./route/answer.ts";
import { createApp } from "./route/app.ts";
import { logRequests } from "./route/log-requests.ts";
import { documentsOf } from "./route/documents.ts";
import { Door } from "./door/door.ts";
import type { SocketEnv } from "./route/inquiry.ts";
import { readinessOf } from "./route/readiness.ts";
import { newRequestId } from "./route/request-id.ts";
import { shownError } from "./route/shown-error.ts";
import { type CutCall, toolAnswerer } from "./route/tool-handler.ts";
import { type AccountSettled, recoverAccounts } from "./seat/recover-accounts.ts";
import { accountsTakenOver } from "./seat/take-over-accounts.ts";
import { Seats } from "./seat/seats.ts";
import { eventsAnswerer } from "./stream/events-answerer.ts";
import { callStream } from "./stream/call-stream.ts";
import { runCredentialAnswerer } from "./tokens/run-credential-answerer.ts";
import { type Named, UnderWay } from "./under-way.ts";
import { Wakes } from "./stream/wakes.ts";
import type { PageTokenHost } from "./tokens/browser-tokens.ts";

export type PlatformOptions = {
  /** Whoever opened it closes it. */
  readonly store: Store;
  readonly installation: Installation;
  /** The tools it serves, besides its own. */
  readonly packs?: readonly Pack[] | undefined;
  /** What holds for every key, besides the key's own law. Without one the keys' laws are all there is. */
  readonly policy?: AgentPolicy | undefined;
  readonly limits?: Partial<PlatformLimits> | undefined;
  /** What is said of the network: which hosts `net` reaches, and which local ones are opened. What may be reached, operators grant. */
  readonly network?: NetworkOptions | undefined;
  /** Host names it answers to besides `localhost`, `127.0.0.1` and `[::1]`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins whose pages may call it, with a token. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Told of faults of its own, one plain object each. Without it nothing is said: a platform prints nothing. */
  readonly log?: ((line: LogLine) => void) | undefined;
  /** Whether it is told of every request, too. */
  readonly logRequests?: boolean | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
};

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

const optionNames =
  `store installation packs policy limits network allowedHosts allowedOrigins log logRequests clock ids`.split(
    " ",
  );

export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  refuseUnknown(options, optionNames, "option");
  const { store, installation, clock = systemClock, ids = randomIds, log = () => undefined } = options;
  if (!store || !installation)
    throw new HostConfigurationNeededError(
      "a platform needs a store and an installation; give openPlatform both",
    );
  requireParts({ store, installation });
  // Before anybody is told that a good key is none.
  await bindInstallation(store, installation, clock.now());
  const limits = readPlatformLimits(options.limits);
  const usage = new KeyUsage(store, clock);
  const { registry, manifestOf } = putTogether(options, {
    usage,
    clock,
    ids,
    takesPagesOf: (origin) => door.takesPagesOf(origin),
  });
  const keys = new KeyRing({ store, installation, clock }, limits.keyRememberMs);
  const journals = new AccountJournals(
    { store, clock, ids },
    {
      manifestDigest: registry.manifest.digest,
      segmentRecords: limits.calls.segmentRecords ?? defaultCallLimits.segmentRecords,
      signer: installation.signer,
    },
  );
  const seats = new Seats({
    registry,
    store,
    installation,
    journals,
    clock,
    ids,
    limits: limits.calls,
    policy: options.policy,
    network: options.network,
  });
  const { manifest } = registry;
  const identities = new Identities({ keys, installation, clock, manifest });
  const recovery = { store, seats, keys, manifest, log };
  const settled = await recoverAccounts(recovery);

  const refused = new Map<string, number>();
  const count = (reason: string) => void refused.set(reason, (refused.get(reason) ?? 0) + 1);
  const { allowedHosts, allowedOrigins } = options;
  const door = new Door({ identities, clock, limits, allowedHosts, allowedOrigins, count });
  const quotas = new KeyQuotas(store, clock);
  const wakes = new Wakes();
  const underWay = new UnderWay();
  const closing = new AbortController();
  const cutting = new AbortController();
  const cut: CutCall[] = [];
  const fault: Fault = (thrown, requestId) => {
    const error = shownError(thrown);
    if (errorCodes[error.code].status >= 500)
      log({
        level: "error",
        event: "request.failed",
        message: "a request failed",
        requestId,
        error: shown(thrown),
      });
    return error;
  };
  const toolHost = {
    door,
    seats,
    usage,
    quotas,
    limits,
    requestId: newRequestId,
    fault,
    isClosing: () => closing.signal.aborted,
    underWay: underWay.add,
    cutting: cutting.signal,
    cut: (call: CutCall) => {
      cut.push(call);
      log({
        level: "warn",
        event: "call.cut",
        message: "a call had not ended in time, and was cancelled",
        ...call,
      });
    },
    waking: (accountId: string) => (wakes.hasListeners(accountId) ? () => wakes.wake(accountId) : undefined),
    happened: (accountId: string, { sideEffect }: ContractTool, outcome?: CallOutcome) => {
      // A refusal has changed nothing.
      if (sideEffect === "secret" && outcome?.type !== "refused") keys.forget(accountId);
      wakes.wake(accountId);
    },
  };
  const deskHost = {
    store,
    installation,
    journals,
    keys,
    clock,
    ids,
    happened: (accountId: string) => wakes.wake(accountId),
  };
  const accountHost = { ...toolHost, closing: closing.signal };
  const unserved = manifestOf("implemented")
    .tools.filter(({ http }) => http === undefined)
    .map(({ name }) => name);
  const app = createApp({
    tools: manifestOf("implemented").tools,
    answererOf: (tool) => toolAnswerer(toolHost, tool, callStream),
    documents: documentsOf(manifestOf, installation.signer, "0.1.0"),
    events: eventsAnswerer({
      keys,
      store,
      door,
      limits,
      wakes,
      clock,
      requestId: newRequestId,
      fault,
      signal: closing.signal,
    }),
    account: [
      ...approvalAnswerers(accountHost, new ApprovalDesk(deskHost)),
      ...grantAnswerers(accountHost, new GrantDesk(deskHost)),
      [
        "POST",
        "/api/runs/{runId}/credential",
        runCredentialAnswerer(accountHost, { installation, clock, ids }),
      ],
    ],
    door,
    readiness: readinessOf(store, clock, limits.readyMs),
    requestId: newRequestId,
    fault,
  });
  if (unserved.length > 0)
    log({
      level: "warn",
      event: "tools.unserved",
      message: "tools without an http member have no route, and cannot be called over HTTP",
      tools: unserved,
    });
  // Whoever stands beside this process at the same store leaves an operator's word there.
  const inboxes = tendInboxes({ store, installation, journals, clock, ids });
  const stopFlushing = every(clock, limits.keyUsageMs, () =>
    usage.flush().catch((error: unknown) => {
      log({
        level: "error",
        event: "key_usage.unwritten",
        message: "when keys were last used cannot be written",
        error: shown(error),
      });
    }),
  );
  const takeOver = accountsTakenOver({
    ...recovery,
    isClosing: () => closing.signal.aborted,
    failed: (error, accountId) =>
      log({
        level: "error",
        event: "takeover.failed",
        message: "what other platforms may have left cannot be looked at",
        accountId,
        error: shown(error),
      }),
  });
  const stopTakingOver = every(clock, limits.sweepMs, () => underWay.add(takeOver()));

  let closed: Promise<Closed> | undefined;
  let isOver = false;
  const close = async () => {
    closing.abort();
    stopFlushing();
    stopTakingOver();
    await underWay.drained(limits.graceMs, clock);
    cutting.abort();
    await underWay.drained(limits.cutMs, clock);
    const left = underWay.calls;
    for (const call of left)
      log({ level: "warn", event: "call.left", message: "a call is left without an end", ...call });
    await inboxes.stop();
    try {
      await usage.flush();
      await quotas.close();
    } finally {
      isOver = true;
      await journals.close();
    }
    return { cut, left };
  };
  const answer = async (request: Request, env: SocketEnv) => await app.fetch(request, env);
  const answerLogged = options.logRequests === true ? logRequests(answer, { log, clock }) : answer;
  return Object.freeze({
    manifest: manifestOf("implemented"),
    fetch: async (request: Request, env?: SocketEnv) =>
      closed === undefined
        ? await answerLogged(request, env ?? {})
        : (isOver ? answerClosed : answerClosing)({ requestId: newRequestId() }),
    createKey: async (accountId: string, key: NewKey) => {
      if (accountId === anonymousAccount)
        throw new InvalidInputError(
          `nobody has keys of ${anonymousAccount}: it is the account of those without one`,
        );
      const seat = seats.of(operatorOf(accountId, manifest), "direct");
      const outcome = await underWay.add(seat.call({ tool: "keys.create", input: key }), {
        tool: "keys.create",
        accountId,
      });
      if (outcome.type === "completed") return outcome.result.output as { key: KeyView; secret: string };
      const { code, message, details, retry, cause } = outcome.error;
      throw errorFor(code, message, { ...(details && { details }), retry, cause });
    },
    mayCall: async (accountId: string, keyId: string, tool: string) => {
      const found = await keys.byId(accountId, keyId);
      if (found === undefined) return false;
      return seats.of(callerOfKey(found, manifest), "direct").explain(tool).outcome !== "deny";
    },
    settled,
    unserved,
    refused: () => Object.fromEntries(refused),
    close: () => (closed ??= close()),
  });
}

type Own = Pick<PageTokenHost, "clock" | "ids" | "takesPagesOf"> & { readonly usage: KeyUsage };

/** All tools, the platform's own among them, which can say what all tools are. */
function putTogether(
  { store, installation, packs = [] }: PlatformOptions,
  { usage, ...own }: Own,
): { readonly registry: ToolRegistry; readonly manifestOf: ManifestOf } {
  const manifestOf: ManifestOf = (mode) => manifests[mode];
  const pack = platformPack({ store, installation, ...own }, usage, manifestOf);
  const registry = registerPacks(Array.isArray(packs) ? [pack, ...packs] : packs);
  const manifests = { review: registry.manifest, implemented: joinContracts(registry.manifest.tools) };
  return { registry, manifestOf };
}

function shown(error: unknown): object {
  return isSimpleFunctionsError(error) ? error.toJSON() : { message: redactText(String(error)) };
}

/** Again and again, until it is called off. What fails is tried again the next time. */
function every(clock: Clock, ms: number, act: () => Promise<void>): () => void {
  let cancel: (() => void) | undefined;
  let isOver = false;
  const next = () => {
    if (isOver) return;
    cancel = clock.after(ms, () => void act().finally(next));
  };
  next();
  return () => {
    isOver = true;
    cancel?.();
  };
}
