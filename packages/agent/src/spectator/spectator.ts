// A long-lived agent: state, notes and memory from turn to turn. Each turn is one run of the kernel's, so that every model call and every tool
// call goes the governed path; what its model says changes its own notes, and nothing else.
import {
  type AgentPolicy,
  InvalidInputError,
  parseAtDoor,
  givenPrincipalSchema,
  refuseUnknown,
} from "@spfunctions/contracts";
import {
  heedless,
  bindInstallation,
  createMemorySearchIndex,
  createMemoryStore,
  keepHostRules,
  processInstallation,
  randomIds,
  requireInstallation,
  requireParts,
  type Store,
  systemClock,
} from "@spfunctions/kernel";
import type { ErasedCall } from "../erase/erase-call.ts";
import { eraseCall } from "../erase/erase-terms.ts";
import { bad, requireOneOf } from "../given-options.ts";
import { agentPolicy } from "../v1/run-levels.ts";
import { Checkpoints } from "./checkpoints/checkpoints.ts";
import type { SessionEntry } from "./checkpoints/kept-revisions.ts";
import { indexedFirst, isLost } from "./memory/indexed-search.ts";
import { Memory } from "./memory/memory.ts";
import { rebuildMemories } from "./memory/rebuild-memories.ts";
import { type Backend, backendOf } from "./model/backend.ts";
import { turnModel } from "./model/turn-model.ts";
import { agentLimitsIn, readLimits } from "./read-limits.ts";
import { AgentErasures } from "./session/agent-erasures.ts";
import { removeLog } from "./session/log-turn.ts";
import type { SessionParts } from "./session/session-parts.ts";
import { SpectatorSession } from "./session/spectator-session.ts";
import { Summariser } from "./session/summarise.ts";
import type { SpectatorOptions, Trouble } from "./spectator-options.ts";
import { readOperatorConstraints } from "./state/operator-constraints.ts";
import { TurnRuns } from "./turn/turn-runs.ts";

const names =
  `model backend packs policy principal store installation search embed constraints instructions toolCalling autoCondense
  turnLog network price maxOutputTokens countTokens rules evaluatePreTool evaluatePostTool agentId limits memoryLimits callLimits runLimits onTrouble clock ids`.split(
    /\s+/,
  );

/**
 * Steps and calls of one turn, where no policy says.
 * @limit chat.turn | the turn ends as it is: `budget_exceeded` | `budget` of a policy
 */
const usualBudget = { maxSteps: 8, maxToolCalls: 32 };
/** A session ends when somebody ends it, and what is shown of it is put together here. */
const ownSession = { persist: true, ttlMs: Number.MAX_SAFE_INTEGER, maxHistoryTokens: 1 };

export class Spectator {
  readonly store: Store;
  readonly memory: Memory;
  readonly #parts: SessionParts;
  /** Before anything is read that only its installation can prove. */
  readonly #bind: () => Promise<void>;
  readonly #readable: () => Promise<unknown>;
  readonly #summariser: Summariser;
  readonly #erase: (callId: string, read?: string) => Promise<ErasedCall>;

  constructor(options: SpectatorOptions) {
    refuseUnknown(options, names, "option");
    requireParts({ store: options.store, installation: options.installation });
    const { packs = [], clock = systemClock, ids = randomIds, agentId = "spectator" } = options;
    const principal = parseAtDoor(givenPrincipalSchema, options.principal, "principal", InvalidInputError);
    const {
      store = createMemoryStore(),
      installation = processInstallation(),
      toolCalling = "text",
      autoCondense = "now",
    } = options;
    requireOneOf("toolCalling", toolCalling, ["text", "native"]);
    requireOneOf("autoCondense", autoCondense, ["now", "smart"]);
    if (typeof (options.instructions ?? "") !== "string")
      throw bad("/instructions", "instructions are a text");
    const limits = readLimits(options.limits);
    const constraints = readOperatorConstraints(options.constraints ?? []);
    const backend = backendIn(options);
    const { price, maxOutputTokens, countTokens } = options;
    const policy = policyOf(options.policy);
    const shared = {
      principal,
      store,
      installation: options.installation,
      clock,
      ids,
      runLimits: options.runLimits,
    };
    const model = {
      adapter: turnModel(backend, { calling: toolCalling, limits }),
      price,
      maxOutputTokens,
      countTokens,
    };
    const terms = {
      operatorConstraints: constraints,
      limits,
      answers: limits,
      toolResultBytes: limits.toolResultBytes,
      keptResultBytes: limits.keptResultBytes,
      instructions: options.instructions,
    };
    const { accountId } = principal;
    const checkpoints = new Checkpoints({
      store,
      accountId,
      proves: installation.keyHash,
      redaction: installation.redaction,
      clock,
      limits: agentLimitsIn(limits),
      operatorConstraints: constraints,
    });
    const { turnLog } = options;
    this.#erase = async (callId, read) => {
      const erasing = { principal, store, installation: options.installation, clock, ids, read };
      const logs = turnLog && {
        remove: async (id: string, name: string) => await removeLog(turnLog, id, name),
      };
      const erased = await eraseCall({ ...erasing, search: this.memory, ...(logs && { logs }) }, callId);
      return erased;
    };
    const erasures = new AgentErasures({
      store,
      accountId,
      proves: installation.keyHash,
      erase: this.#erase,
      drop: async (memories) => await this.memory.remove(accountId, memories),
      removeLog: async (id, name) => {
        if (turnLog !== undefined) await removeLog(turnLog, id, name);
      },
    });
    const turns = new TurnRuns(
      {
        ...shared,
        packs,
        levels: [{ level: "agent", policy }],
        agentId,
        model,
        network: options.network,
        rules: keepHostRules(options.rules),
        evaluatePreTool: options.evaluatePreTool,
        evaluatePostTool: options.evaluatePostTool,
        limits: options.callLimits,
      },
      terms,
      { checkpoints, erasures, areKept: async (memories) => await this.memory.areKept(memories) },
    );
    this.store = store;
    this.#bind = async () => await bindInstallation(store, options.installation, clock.now());
    this.#readable = async () => await requireInstallation(store, options.installation);
    const { embed, memoryLimits } = options;
    const search = options.search ?? createMemorySearchIndex();
    const fill = async () => {
      if (options.search === undefined || isLost(search))
        await rebuildMemories({ store, search, installation });
    };
    this.memory = new Memory({
      store,
      search: indexedFirst(search, fill),
      accountId,
      installation,
      clock,
      ...(embed && { embed }),
      ...(memoryLimits && { limits: memoryLimits }),
    });
    this.#summariser = new Summariser({ ...shared, agentId, model }, policy.budget?.budgetUsd);
    this.#parts = {
      turns,
      checkpoints,
      memory: this.memory,
      summariser: this.#summariser,
      erasures,
      clock,
      limits,
      terms,
      turnLog: options.turnLog,
      autoCondense,
      trouble: heedless(options.onTrouble ?? warn),
    };
  }

  /**
   * Erases a call, with everything that this account's agents have made of it: what their models have said since, notes, summaries,
   * memories, logs. Tells what that was, and what nobody can know.
   */
  async erase(callId: string): Promise<ErasedCall> {
    await this.#bind();
    return await this.#erase(callId);
  }

  /** A session by its name, which begins where there was none. */
  async open(sessionId: string): Promise<SpectatorSession> {
    await this.#bind();
    await this.#parts.erasures.finish();
    await this.#parts.checkpoints.open(sessionId);
    return new SpectatorSession(sessionId, this.#parts);
  }

  /** A session of what was exported; its grants are not part of that. */
  async import(text: string, sessionId: string): Promise<SpectatorSession> {
    await this.#bind();
    await this.#parts.erasures.finish();
    await this.#parts.checkpoints.import(text, sessionId);
    return new SpectatorSession(sessionId, this.#parts);
  }

  async sessions(terms?: { readonly limit?: number; readonly after?: string }): Promise<SessionEntry[]> {
    await this.#readable();
    return await this.#parts.checkpoints.sessions(terms);
  }

  /** What is under way ends; what waits for a person waits on. */
  async close(): Promise<void> {
    try {
      await this.#parts.turns.runs.close();
    } finally {
      await this.#summariser.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function backendIn({ model, backend }: SpectatorOptions): Backend {
  if ((model === undefined) === (backend === undefined))
    throw bad("/model", "a long-lived agent asks one model: give model, or backend");
  return backend ?? backendOf(model as NonNullable<typeof model>);
}

function policyOf(given: AgentPolicy = {}) {
  if (given.session !== undefined)
    throw bad(
      "/policy/session",
      "a long-lived agent keeps its sessions itself: leave session out of its policy",
    );
  return agentPolicy({ ...given, budget: { ...usualBudget, ...given.budget }, session: ownSession });
}

function warn({ what, error }: Trouble): void {
  const why = error instanceof Error ? error.message : "no reason given";
  process.emitWarning(`${what}: ${why}`, { type: "SpectatorWarning" });
}
