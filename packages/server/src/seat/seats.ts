import type { AgentPolicy, Origin } from "@spfunctions/contracts";
import {
  type AccountJournals,
  type CallLimits,
  type Clock,
  type GivenLevel,
  type HostRuleOptions,
  type Ids,
  type Installation,
  type NetworkOptions,
  readHostRules,
  Seat,
  type Store,
  type ToolRegistry,
} from "@spfunctions/kernel";
import type { Caller } from "../identity/caller.ts";
import { isDecisionOver } from "../keys/key-family.ts";

/** With the host's own rules: they are asked about the calls of every key. */
export type SeatsHost = HostRuleOptions & {
  readonly registry: ToolRegistry;
  readonly store: Store;
  readonly installation: Installation;
  readonly journals: AccountJournals;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Partial<CallLimits>;
  /** What holds for every key, where the operator says so. */
  readonly policy?: AgentPolicy | undefined;
  readonly network?: NetworkOptions | undefined;
};

type Taken = { readonly version: string; readonly seat: Seat };

const mostSeats = 10_000;

/** A seat for each caller: its key's law, and the server's, into its account's journal. */
export class Seats {
  readonly #host: SeatsHost;
  readonly #taken = new Map<string, Taken>();

  readonly #most: number;

  constructor(host: SeatsHost, most: number = mostSeats) {
    this.#host = host;
    this.#most = most;
  }

  /** `sessionId`: as the caller names it; what is approved for one is approved for its key in it alone. */
  of(caller: Caller, origin: Origin, sessionId?: string): Seat {
    const { accountId, keyId, kind, runId = "" } = caller.principal;
    const place = `${accountId} ${keyId} ${kind} ${runId} ${origin} ${sessionId ?? ""}`;
    const known = this.#taken.get(place);
    const taken =
      known?.version === caller.version
        ? known
        : { version: caller.version, seat: this.#open(caller, origin, sessionId) };
    // Last comes what was used last.
    this.#taken.delete(place);
    const [oldest] = this.#taken.keys();
    if (this.#taken.size >= this.#most && oldest !== undefined) this.#taken.delete(oldest);
    this.#taken.set(place, taken);
    return taken.seat;
  }

  #open({ principal, policy }: Caller, origin: Origin, sessionId: string | undefined): Seat {
    const { registry, policy: serverPolicy, rules, evaluatePreTool, evaluatePostTool, ...host } = this.#host;
    const isHolder = principal.kind === "operator";
    const hasPreToolRule = readHostRules({ rules, evaluatePreTool }).evaluatePreTool !== undefined;
    const decisions = { ...this.#host, hasPreToolRule };
    const own: GivenLevel = { level: "key", policy };
    return new Seat({
      ...host,
      packs: registry,
      // Whoever holds the platform has given it its policy and its rules.
      ...(!isHolder && { rules, evaluatePreTool, evaluatePostTool }),
      levels:
        serverPolicy === undefined || isHolder ? [own] : [own, { level: "server", policy: serverPolicy }],
      principal,
      origin,
      sessionId,
      isDecisionOver: async (decision) => await isDecisionOver(decisions, decision),
      // No request is held open until a person has come: its caller is told which approval it takes.
      asking: "return",
      // What a model drives is an agent, wherever it calls from.
      surface: origin === "direct" ? "plain" : "agent",
    });
  }
}
