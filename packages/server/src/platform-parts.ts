// What a platform is made of, each of it once.
import {
  type ContractManifest,
  errorCodes,
  HostConfigurationNeededError,
  isSimpleFunctionsError,
  joinContracts,
  requireNoSecret,
} from "@spfunctions/contracts";
import {
  AccountJournals,
  type Clock,
  defaultCallLimits,
  heedless,
  type Ids,
  type Installation,
  keepHostRules,
  randomIds,
  readHostRules,
  registerPacks,
  type Store,
  systemClock,
} from "@spfunctions/kernel";
import { Door } from "./door/door.ts";
import { Identities } from "./identity/authenticate.ts";
import { KeyRing } from "./keys/key-ring.ts";
import { KeyUsage } from "./keys/key-usage.ts";
import { loggedError, type LogLine } from "./log-line.ts";
import type { ManifestOf } from "./pack/manifest-tools.ts";
import { platformPack } from "./pack/platform-pack.ts";
import { type PlatformLimits, readPlatformLimits } from "./platform-limits.ts";
import type { PlatformOptions } from "./platform-options.ts";
import { KeyQuotas } from "./quota/key-quotas.ts";
import type { Fault } from "./route/answer.ts";
import { shownError } from "./route/shown-error.ts";
import { Seats } from "./seat/seats.ts";
import { Wakes } from "./stream/wakes.ts";
import { UnderWay } from "./under-way.ts";

export type PlatformParts = {
  readonly store: Store;
  readonly installation: Installation;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: PlatformLimits;
  /** What holds for every key, besides the key's own law. */
  readonly policy: PlatformOptions["policy"];
  /** Whether the host has a rule that is asked before a call. */
  readonly hasPreToolRule: boolean;
  readonly log: (line: LogLine) => void;
  readonly fault: Fault;
  /** All tools. */
  readonly manifest: ContractManifest;
  readonly manifestOf: ManifestOf;
  readonly usage: KeyUsage;
  readonly keys: KeyRing;
  readonly quotas: KeyQuotas;
  readonly journals: AccountJournals;
  readonly seats: Seats;
  readonly door: Door;
  /** How many requests were refused at the door, by reason. */
  readonly refused: ReadonlyMap<string, number>;
  readonly wakes: Wakes;
  readonly underWay: UnderWay;
  /** Aborted once nothing new begins here any more. */
  readonly closing: AbortController;
  /** Aborted when what has not ended by then is not waited for any longer. */
  readonly cutting: AbortController;
};

export function makeParts(options: PlatformOptions): PlatformParts {
  const { store, installation, packs = [], clock = systemClock, ids = randomIds } = options;
  const { policy, network, allowedHosts, allowedOrigins } = options;
  const { evaluatePreTool, evaluatePostTool } = options;
  const given = { rules: keepHostRules(options.rules), evaluatePreTool, evaluatePostTool };
  // Whoever is told of something has no say in it.
  const log = heedless(options.log);
  const limits = readPlatformLimits(options.limits);
  const usage = new KeyUsage(store, clock);
  // The platform's own tools are among all tools, and can say what those are.
  const manifestOf: ManifestOf = (mode) => {
    requireShowable(manifests.review);
    return manifests[mode];
  };
  const takesPagesOf = (origin: string) => door.takesPagesOf(origin);
  // The platform's own tools answer in the journals that are opened below.
  const asking = { policy, hasPreToolRule: readHostRules(given).evaluatePreTool !== undefined };
  const tools = { store, installation, clock, ids, takesPagesOf, journals: () => journals, ...asking };
  const own = platformPack({ ...tools, onUnprovenRuntime: unprovenRuntimeIn(log) }, usage, manifestOf);
  const registry = registerPacks(Array.isArray(packs) ? [own, ...packs] : packs);
  const { manifest } = registry;
  const manifests = { review: manifest, implemented: joinContracts(manifest.tools) };
  const keys = new KeyRing({ store, installation, clock }, limits.keyRememberMs);
  const journals = new AccountJournals(
    { store, clock, ids },
    {
      manifestDigest: manifest.digest,
      segmentRecords: limits.calls.segmentRecords ?? defaultCallLimits.segmentRecords,
      signer: installation.signer,
    },
  );
  const calls = { limits: limits.calls, policy, network, ...given };
  const seats = new Seats({ registry, store, installation, journals, clock, ids, ...calls });
  const identities = new Identities({ keys, installation, clock, manifest });
  const refused = new Map<string, number>();
  const count = (reason: string) => void refused.set(reason, (refused.get(reason) ?? 0) + 1);
  const door = new Door({ identities, clock, limits, allowedHosts, allowedOrigins, count });
  return {
    store,
    installation,
    clock,
    ids,
    limits,
    ...asking,
    log,
    fault: faultsIn(log),
    manifest,
    manifestOf,
    usage,
    keys,
    quotas: new KeyQuotas(store, clock),
    journals,
    seats,
    door,
    refused,
    wakes: new Wakes(),
    underWay: new UnderWay(),
    closing: new AbortController(),
    cutting: new AbortController(),
  };
}

/** The operator is told once of each account. */
function unprovenRuntimeIn(log: PlatformParts["log"]): (accountId: string) => void {
  const told = new Set<string>();
  const message =
    "whether the runs of an account go on was not written by this installation as it is: an older version wrote it, or somebody changed it; they count as stopped until an admin key calls runtime.ensure";
  return (accountId) => {
    if (told.has(accountId)) return;
    told.add(accountId);
    log({ level: "warn", event: "runtime.unproven", message, accountId });
  };
}

/** S1: a secret that is held only since the platform was opened is not shown either. Where it stands is for the operator to know. */
function requireShowable({ tools }: ContractManifest): void {
  try {
    requireNoSecret(tools);
  } catch (cause) {
    const problem = isSimpleFunctionsError(cause) ? cause.message : "a contract holds a secret";
    throw new HostConfigurationNeededError(problem, { details: { reason: "secret_in_contract" }, cause });
  }
}

/** What is wrong here, and not with the request, is for the operator to know. */
function faultsIn(log: PlatformParts["log"]): Fault {
  return (thrown, requestId) => {
    const error = shownError(thrown);
    const message = "a request failed";
    if (errorCodes[error.code].status >= 500)
      log({ level: "error", event: "request.failed", message, requestId, error: loggedError(thrown) });
    return error;
  };
}
