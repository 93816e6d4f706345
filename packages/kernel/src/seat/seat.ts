// One seat: whose calls they are, by which law, into which journal. Every way in opens one of these.
import {
  type AgentPolicy,
  type ContractManifest,
  HostConfigurationNeededError,
  InvalidTransitionError,
  parseAtDoor,
  parsePolicy,
  type Origin,
  originSchema,
  type PolicyLevel,
  type PolicyLevelName,
  policyLevelNames,
  type Principal,
  principalSchema,
  type Scope,
  InvalidInputError,
  type Verdict,
  type Digest,
} from "@spfunctions/contracts";
import type { EvaluatePostTool, EvaluatePreTool } from "../call/ask-policy.ts";
import {
  type CallHost,
  type CallLimits,
  type CallOutcome,
  type CallRequest,
  defaultCallLimits,
} from "../call/call-host.ts";
import type { Watch } from "../call/call-in-progress.ts";
import { GovernedCalls } from "../call/governed-calls.ts";
import { bindInstallation } from "../installation/bind-installation.ts";
import { type Installation, processInstallation } from "../installation/installation.ts";
import { AccountJournal } from "../journal/account-journal.ts";
import { eraseCall } from "../journal/erase-call.ts";
import { type AccountVerification, verifyAccount } from "../journal/verify-account.ts";
import { compileJudge } from "../judge/judge.ts";
import { confirmMatcher, keptLevels } from "../judge/kept-policy.ts";
import { recoverAccount, type RecoveryReport } from "../recovery/recover-account.ts";
import {
  resolveEffect,
  type Resolution,
  type UnknownEffect,
  unknownEffects,
} from "../recovery/unknown-effects.ts";
import type { Replay } from "../replay/replay.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { Store } from "../store/store.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { type Ids, randomIds } from "../time/ids.ts";
import type { Pack } from "../tool/define-tool.ts";
import { registerPacks } from "../tool/registry.ts";
import { exportTrace } from "../trace/export-trace.ts";

/** Who calls, as a person writes it. */
export type GivenPrincipal = {
  readonly accountId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly kind: Principal["kind"];
  readonly runId?: string | undefined;
};

/** A policy and whose it is, as a person writes it. */
export type GivenLevel = { readonly level: PolicyLevelName; readonly policy: AgentPolicy };

export type SeatOptions = {
  readonly packs: readonly Pack[];
  /** Each is judged on its own, and every one must pass. */
  readonly levels: readonly GivenLevel[];
  readonly principal: GivenPrincipal;
  readonly origin: Origin;
  readonly surface: "agent" | "plain";
  /** In memory unless given; a seat does not close a store that it was given. */
  readonly store?: Store | undefined;
  /** Without one, a secret for this process alone: nothing is signed. */
  readonly installation?: Installation | undefined;
  /** Answers come from recorded traces, and nothing runs. */
  readonly replay?: Replay | undefined;
  readonly evaluatePreTool?: EvaluatePreTool | undefined;
  readonly evaluatePostTool?: EvaluatePostTool | undefined;
  readonly limits?: Partial<CallLimits> | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
};

export class Seat {
  readonly manifest: ContractManifest;
  readonly policyDigest: Digest;
  readonly packageFingerprint: Digest;
  readonly #host: CallHost;
  readonly #calls: GovernedCalls;
  readonly #installation: Installation | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  #ready: Promise<RecoveryReport> | undefined;
  #isReady = false;
  #closing: Promise<void> | undefined;

  constructor(options: SeatOptions) {
    const { clock = systemClock, ids = randomIds, store = createMemoryStore(), surface, origin } = options;
    const principal = parseAtDoor(principalSchema, options.principal, "principal", InvalidInputError);
    const installation = options.installation ?? processInstallation();
    const registry = registerPacks(options.packs);
    const given = parseLevels(options.levels);
    requireOneOf("origin", origin, originSchema.options);
    requireOneOf("surface", surface, ["agent", "plain"]);
    const levels = keptLevels(given, installation.keyHash);
    const judge = compileJudge({
      registry,
      levels,
      principal,
      surface,
      mode: options.replay === undefined ? "live" : "replay",
      hasPreTool: options.evaluatePreTool !== undefined,
      matchesConfirm: confirmMatcher(installation.keyHash),
    });
    this.manifest = registry.manifest;
    this.policyDigest = judge.policyDigest;
    this.packageFingerprint = judge.packageFingerprint;
    this.#installation = options.installation;
    this.#host = {
      registry,
      judge,
      store,
      journal: new AccountJournal({ store, clock, ids }, principal.accountId, registry.manifest.digest),
      principal,
      origin,
      clock,
      ids,
      keyedHash: installation.redaction,
      limits: readLimits(options.limits),
      signer: options.installation?.signer,
      replay: options.replay,
      evaluatePreTool: options.evaluatePreTool,
      evaluatePostTool: options.evaluatePostTool,
    };
    this.#calls = new GovernedCalls(this.#host);
  }

  /** Ties the store to the installation and settles what dead processes of this account have left; the first call does it otherwise. */
  open(): Promise<RecoveryReport> {
    this.#ready ??= (async () => {
      const { store, clock } = this.#host;
      await bindInstallation(store, this.#installation, clock.now());
      const report =
        this.#host.replay === undefined
          ? await recoverAccount(this.#host)
          : { segments: 0, settled: [], living: 0 };
      this.#isReady = true;
      return report;
    })().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  explain(tool: string, input?: unknown): Verdict {
    return this.#calls.explain(tool, input);
  }

  async call(request: CallRequest, watch?: Watch): Promise<CallOutcome> {
    if (this.#closing !== undefined)
      throw new InvalidTransitionError("it is closed; open another one to call tools");
    const ready = this.#isReady ? undefined : this.open();
    // A request that is refused at once does not wait for it.
    ready?.catch(() => undefined);
    const call = this.#calls.call(request, watch, ready);
    this.#underWay.add(call);
    try {
      return await call;
    } finally {
      this.#underWay.delete(call);
    }
  }

  /** Effects of this account of which nobody knows what became. */
  async unknown(): Promise<UnknownEffect[]> {
    return await unknownEffects(this.#host.store, this.#host.principal.accountId);
  }

  /** Keeps what a person found out about an unknown effect. */
  async resolve(effectId: string, resolution: Resolution): Promise<void> {
    await this.open();
    await resolveEffect(this.#host, effectId, resolution);
  }

  /** Erases what was kept of a call's payloads; its records stay. Answers how many payloads there were. */
  async erase(callId: string): Promise<number> {
    await this.open();
    return await eraseCall(this.#host, callId);
  }

  /** Looks through the account's whole journal. */
  async verify(): Promise<AccountVerification> {
    return await verifyAccount(this.#host.store, this.#host.principal.accountId);
  }

  /** This seat's segment of the journal as a trace, line by line; sealed once it is closed. */
  async *trace(): AsyncGenerator<string> {
    const { store, principal, journal, signer } = this.#host;
    if (journal.stream !== undefined) yield* exportTrace(store, principal.accountId, journal.stream, signer);
  }

  /** Waits for calls under way, then seals the journal. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.allSettled(this.#underWay);
      await this.#host.journal.close(this.#host.signer);
    })();
    return this.#closing;
  }
}

/** A policy for each level, and at least one: without a policy nothing is allowed. */
function parseLevels(levels: readonly GivenLevel[]): PolicyLevel[] {
  if (!Array.isArray(levels) || levels.length === 0) {
    throw new HostConfigurationNeededError("a seat needs a list of policies; without one nothing is allowed");
  }
  return levels.map((given: GivenLevel | null | undefined): PolicyLevel => {
    const { level, policy } = given ?? {};
    requireOneOf("policy level", level, policyLevelNames);
    return { level: level as PolicyLevelName, policy: parsePolicy(policy) };
  });
}

function requireOneOf(what: string, given: unknown, known: readonly string[]): void {
  if (typeof given === "string" && known.includes(given)) return;
  throw new InvalidInputError(`unknown ${what}; there are: ${known.join(", ")}`, {
    details: { reason: "unknown" },
  });
}

const longestWaitMs = 2 ** 31 - 1;

/** Times that a clock can keep. */
function readLimits(given: Partial<CallLimits> = {}): CallLimits {
  const limits = { ...defaultCallLimits, ...given };
  for (const [name, ms] of Object.entries(limits)) {
    const most = name === "claimMs" ? Number.MAX_SAFE_INTEGER : longestWaitMs;
    if (Number.isFinite(ms) && ms > 0 && ms <= most) continue;
    throw new InvalidInputError(`limits.${name} is not a number of milliseconds from 1 to ${most}`, {
      details: { path: `/limits/${name}` },
    });
  }
  return limits;
}
