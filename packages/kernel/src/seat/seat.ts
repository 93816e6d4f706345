// One seat: whose calls they are, by which law, into which journal. Every way in opens one of these.
import {
  type ContractManifest,
  type Digest,
  type Explanation,
  InvalidInputError,
  InvalidTransitionError,
  LiveDisabledError,
  type Origin,
  originSchema,
  parseAtDoor,
  givenPrincipalSchema,
  principalSchema,
  type SessionId,
  givenSessionIdSchema,
  type UnknownEffect,
} from "@spfunctions/contracts";
import { Approvals } from "../approval/approvals.ts";
import type { IsDecisionOver } from "../approval/approvals-host.ts";
import { requireSomebody } from "../approval/may-answer.ts";
import { type TendedInbox, tendInbox } from "../approval/tend-inbox.ts";
import {
  type Asking,
  type CallHost,
  type CallLimits,
  type CallOutcome,
  type CallRequest,
} from "../call/call-host.ts";
import { type HostRuleOptions, readHostRules } from "../call/host-rules.ts";
import type { Watch } from "../call/call-in-progress.ts";
import { readCallLimits } from "../call/read-call-limits.ts";
import { requireId } from "../call/require-id.ts";
import { askFor, type AskForTerms } from "../capability/ask-for.ts";
import { type Asked, Capabilities } from "../capability/capabilities.ts";
import { type NetworkOptions, readNetwork } from "../capability/network.ts";
import { claimKey } from "../call/claims.ts";
import type { CallCheck, CheckRequest } from "../call/check-call.ts";
import { GovernedCalls } from "../call/governed-calls.ts";
import { bindInstallation } from "../installation/bind-installation.ts";
import { canAsk, requireProvable } from "../installation/require-provable.ts";
import { type Installation, processInstallation } from "../installation/installation.ts";
import { AccountJournal } from "../journal/account-journal.ts";
import type { AccountJournals } from "../journal/account-journals.ts";
import { eraseCall } from "../journal/erase-call.ts";
import { unknownEffects } from "../journal/unknown-effects.ts";
import { type AccountVerification, verifyAccount } from "../journal/verify-account.ts";
import { compileJudge, type JudgeMode } from "../judge/judge.ts";
import { confirmMatcher, keptLevels } from "../judge/kept-policy.ts";
import { type RecoveryReport, recoverAccount } from "../recovery/recover-account.ts";
import { readResolution, type Resolution, resolveEffect } from "../recovery/resolve-effect.ts";
import { routesUnder } from "../package/tool-router.ts";
import { recordedTools } from "../replay/recorded-tools.ts";
import type { Replay } from "../replay/replay.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { Erasure, Store } from "../store/store.ts";
import { Waits } from "../store/waits.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { type Ids, randomIds } from "../time/ids.ts";
import type { Pack } from "../tool/define-tool.ts";
import { registryOf, type ToolRegistry } from "../tool/registry.ts";
import { exportTrace } from "../trace/export-trace.ts";
import { TraceFollower } from "../trace/follow-trace.ts";
import { type GivenLevel, parseLevels } from "./given-levels.ts";
import type { GivenPrincipal } from "./given-principal.ts";
import { LeftWaiting } from "./left-waiting.ts";
import { resumeCall } from "./resume-call.ts";
import { requireOneOf } from "./require-one-of.ts";
import { requireParts } from "./require-parts.ts";

export type SeatOptions = HostRuleOptions & {
  /** The tools, or a registry of them that several seats share; in a replay, unless given, those that its traces know. */
  readonly packs?: readonly Pack[] | ToolRegistry | undefined;
  /** Each is judged on its own, and every one must pass. */
  readonly levels: readonly GivenLevel[];
  readonly principal: GivenPrincipal;
  readonly origin: Origin;
  readonly surface: "agent" | "plain";
  /** In memory unless given; a seat does not close a store that it was given. */
  readonly store?: Store | undefined;
  /** The journals of this process, where several seats write one account's; whoever made them closes them. */
  readonly journals?: AccountJournals | undefined;
  /** Without one, a secret for this process alone: nothing is signed. */
  readonly installation?: Installation | undefined;
  /** Answers come from recorded traces, and nothing runs. */
  readonly replay?: Replay | undefined;
  /** Calls are explained, and none is made: nobody is asked who they are. */
  readonly inspects?: boolean | undefined;
  /** Where a person must approve a call: whether it waits for them, or returns `approval_required`, as it does unless given. */
  readonly asking?: Asking | undefined;
  /** What a yes can be for as a whole; without one every call is asked about. */
  readonly sessionId?: string | undefined;
  /** What is said of the network: which hosts are on the allow-list, and which are opened. */
  readonly network?: NetworkOptions | undefined;
  readonly limits?: Partial<CallLimits> | undefined;
  /** Whether what somebody has approved or granted counts for nothing by now: then no call runs by it. */
  readonly isDecisionOver?: IsDecisionOver | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
};

export class Seat {
  readonly manifest: ContractManifest;
  readonly policyDigest: Digest;
  readonly packageFingerprint: Digest;
  readonly #host: CallHost;
  readonly #journal: AccountJournal;
  readonly #closingCalls = new AbortController();
  readonly #calls: GovernedCalls;
  readonly #installation: Installation | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #leftWaiting: LeftWaiting;
  readonly #ownsJournal: boolean;
  #inbox: TendedInbox | undefined;
  readonly #mode: JudgeMode;
  #ready: Promise<RecoveryReport> | undefined;
  #isReady = false;
  #closing: Promise<void> | undefined;

  constructor(options: SeatOptions) {
    requireParts(options);
    const { clock = systemClock, ids = randomIds, store = createMemoryStore(), surface, origin } = options;
    const principal = parseAtDoor(
      // S1: of an account whose journals are shared, the names were given before.
      options.journals === undefined ? givenPrincipalSchema : principalSchema,
      options.principal,
      "principal",
      InvalidInputError,
    );
    const installation = options.installation ?? processInstallation();
    const registry = registryOf(options.packs ?? recordedTools(options.replay));
    const limits = readCallLimits(options.limits);
    const network = readNetwork(options.network);
    const given = parseLevels(options.levels);
    requireOneOf("origin", origin, originSchema.options);
    requireOneOf("surface", surface, ["agent", "plain"]);
    requireOneOf("asking", options.asking ?? "return", ["wait", "return"]);
    const levels = keptLevels(given, installation.keyHash);
    const rules = readHostRules(options);
    this.#mode = options.inspects === true ? "inspect" : options.replay === undefined ? "live" : "replay";
    const judge = compileJudge({
      registry,
      levels,
      principal,
      surface,
      mode: this.#mode,
      hasPreTool: rules.evaluatePreTool !== undefined,
      rules,
      network,
      matchesConfirm: confirmMatcher(installation.keyHash),
      approvalMs: limits.approvalMs,
      canAsk: options.inspects === true || canAsk(options),
    });
    if (this.#mode === "live") requireProvable(store, options.installation, judge.approvals);
    this.manifest = registry.manifest;
    this.policyDigest = judge.policyDigest;
    this.packageFingerprint = judge.packageFingerprint;
    this.#installation = options.installation;
    this.#ownsJournal = options.journals === undefined;
    this.#journal =
      options.journals?.of(principal.accountId) ??
      new AccountJournal(
        { store, clock, ids },
        {
          accountId: principal.accountId,
          manifestDigest: registry.manifest.digest,
          segmentRecords: limits.segmentRecords,
          signer: options.installation?.signer,
        },
      );
    const kept = {
      store,
      clock,
      ids,
      proves: installation.keyHash,
      isDecisionOver: options.isDecisionOver,
    };
    this.#host = {
      registry,
      routeOf: routesUnder(registry, levels),
      judge,
      store,
      journal: this.#journal,
      principal,
      origin,
      clock,
      ids,
      keyedHash: installation.redaction,
      limits,
      signer: options.installation?.signer,
      replay: options.replay,
      knowsRecordedOnly: options.packs === undefined,
      evaluatePreTool: rules.evaluatePreTool,
      evaluatePostTool: rules.evaluatePostTool,
      approvals: new Approvals(kept),
      capabilities: new Capabilities(kept, network),
      asking: options.asking ?? "return",
      waits: new Waits(store, clock),
      closing: this.#closingCalls.signal,
      sessionId: readSession(options.sessionId),
    };
    this.#calls = new GovernedCalls(this.#host);
    this.#leftWaiting = new LeftWaiting(this.#host);
  }

  /** Ties the store to the installation and settles what dead processes of this account have left; the first call does it otherwise. */
  open(): Promise<RecoveryReport> {
    if (this.#closing !== undefined) return Promise.reject(closed());
    this.#ready ??= (async () => {
      const { store, clock } = this.#host;
      await bindInstallation(store, this.#installation, clock.now());
      const report = await this.#recover();
      await this.#tendInbox();
      this.#isReady = true;
      this.#leftWaiting.lookAfter(report.settled);
      return report;
    })().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** Settles once more what dead processes of this account have left: those that died since it was opened. */
  async recover(): Promise<RecoveryReport> {
    if (this.#ready === undefined) return await this.open();
    await this.open();
    const report = await this.#recover();
    this.#leftWaiting.lookAfter(report.settled);
    return report;
  }

  /** R1: where nothing is called, nothing is called again either. */
  async #recover(givenUp?: string): Promise<RecoveryReport> {
    if (this.#mode !== "live") return { segments: 0, settled: [], living: 0 };
    return await recoverAccount(this.#host, givenUp);
  }

  /** Operators of other processes leave their answers for the one that writes. Where seats share a journal, its owner is asked. */
  async #tendInbox(): Promise<void> {
    const { principal, store, clock, ids } = this.#host;
    if (this.#mode !== "live" || !this.#ownsJournal || this.#installation === undefined) return;
    const written = { journal: this.#journal, accountId: principal.accountId };
    this.#inbox ??= tendInbox({ store, clock, ids, installation: this.#installation, ...written });
    await this.#inbox.first;
  }

  /** Where several seats share a journal, whoever made it says when it is recovered. */
  async #prepare(): Promise<void> {
    if (this.#ownsJournal) return void (await this.open());
    const { store, clock } = this.#host;
    await bindInstallation(store, this.#installation, clock.now());
    this.#isReady = true;
  }

  explain(tool: string, input?: unknown): Explanation {
    return this.#calls.explain(tool, input);
  }

  /** What would become of a call: every gate is asked, nothing runs and nothing is written. */
  async check(request: CheckRequest): Promise<CallCheck> {
    if (this.#closing !== undefined) throw closed();
    return await this.#calls.check(request);
  }

  async call(request: CallRequest, watch?: Watch): Promise<CallOutcome> {
    if (this.#closing !== undefined) throw closed();
    if (this.#mode === "inspect") throw onlyInspects();
    const ready = this.#isReady ? undefined : this.#prepare();
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

  /**
   * What becomes of a call that waits for a person, or has waited, once it is known, as it is recorded. Where the signal says that
   * nobody waits for it here any more, it waits on.
   */
  async resume(
    runId: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<CallOutcome> {
    requireId(runId, "run");
    await this.open();
    const resuming = resumeCall(this.#host, runId, {
      signal,
      lookAfter: (callId, waitsFor) => {
        // What this seat has begun itself is waited for by whoever has called.
        if (this.#mode === "live" && !this.segments.includes(waitsFor.stream))
          this.#leftWaiting.lookAfter([{ callId, waitsFor }]);
      },
    });
    this.#underWay.add(resuming);
    try {
      return await resuming;
    } finally {
      this.#underWay.delete(resuming);
    }
  }

  /** Asks an operator for a capability. Nothing is reached by asking. */
  async askFor(capability: string, { reason, readBefore }: AskForTerms = {}): Promise<Asked> {
    await this.open();
    return await askFor(this.#host, { capability, reason, readBefore });
  }

  /** Effects of this account of which nobody knows what became. */
  async unknown(): Promise<UnknownEffect[]> {
    return await unknownEffects(this.#host.store, this.#host.principal.accountId);
  }

  /** Keeps what a person found out about an unknown effect. */
  async resolve(effectId: string, resolution: Resolution): Promise<void> {
    const decided = readResolution(resolution);
    await (decided.givesUp === true ? this.giveUp(effectId) : this.open());
    await resolveEffect({ ...this.#host, journal: this.#journal }, effectId, decided);
  }

  /** Says of an effect without an end that nobody knows what became of it: for whoever finds that it can never be settled. */
  async giveUp(effectId: string): Promise<RecoveryReport> {
    requireSomebody(this.#host.principal, "gives an effect up");
    await this.open();
    return await this.#recover(effectId);
  }

  /** Whether a call of this tool was made under this idempotency key: then the same call is answered, and nothing runs. */
  async isClaimed(tool: string, idempotencyKey: string): Promise<boolean> {
    const { store, principal, clock } = this.#host;
    return (
      (await store.claim(claimKey(principal.accountId, tool, idempotencyKey), clock.now())) !== undefined
    );
  }

  /**
   * Erases what was kept of a call's payloads; its records stay. Answers how many payloads there were. `also`: other payloads of the
   * account that hold what it said.
   */
  async erase(callId: string, also: readonly Omit<Erasure, "accountId">[] = []): Promise<number> {
    this.requireEraser();
    await this.open();
    return await eraseCall({ ...this.#host, journal: this.#journal }, callId, also);
  }

  /** Only somebody erases: no run, no page and nobody who is not known. */
  requireEraser(): void {
    requireSomebody(this.#host.principal, "erases anything");
  }

  /** Looks through the account's whole journal. */
  async verify(): Promise<AccountVerification> {
    const { store, principal, signer } = this.#host;
    return await verifyAccount(store, principal.accountId, signer === undefined ? [] : [signer.publicKey]);
  }

  /** The ids of the segments that this seat has written, in order. */
  get segments(): readonly string[] {
    return this.#journal.streams;
  }

  /** A segment of this seat's, the last unless another is named, as a trace, line by line; sealed once it is closed. */
  async *trace(segment = this.segments.at(-1)): AsyncGenerator<string> {
    const { store, principal, signer } = this.#host;
    if (segment !== undefined) yield* exportTrace(store, principal.accountId, segment, signer);
  }

  /** The segment that this seat writes, as a trace that grows with it; before the first call there is none. */
  followTrace(): TraceFollower | undefined {
    const [stream] = this.segments;
    const { store, principal, signer } = this.#host;
    return stream === undefined
      ? undefined
      : new TraceFollower({ store, accountId: principal.accountId, stream }, signer);
  }

  /** Begins a segment if no call has: its trace then says that nothing was called. */
  async beginSegment(): Promise<void> {
    if (this.segments.length > 0 || !this.#ownsJournal || this.#closing !== undefined) return;
    await this.open();
    await this.#journal.begin();
  }

  /** Waits for calls under way, then seals the journal. Who waits for a person is left waiting, for the next to open. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#closingCalls.abort();
      await Promise.allSettled([this.#ready, ...this.#underWay]);
      await this.#leftWaiting.close();
      await this.#inbox?.stop();
      if (this.#ownsJournal) await this.#journal.close();
    })();
    return this.#closing;
  }
}

function readSession(given: string | undefined): SessionId | undefined {
  return given === undefined
    ? undefined
    : parseAtDoor(givenSessionIdSchema, given, "sessionId", InvalidInputError);
}

function closed(): InvalidTransitionError {
  return new InvalidTransitionError("it is closed; open another one to go on");
}

function onlyInspects(): LiveDisabledError {
  return new LiveDisabledError(
    "calls are only inspected here, and none is made; open it in another mode to call",
  );
}
