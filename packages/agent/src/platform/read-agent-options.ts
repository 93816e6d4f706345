import {
  type AccountId,
  givenAccountIdSchema,
  type ContractManifest,
  HostConfigurationNeededError,
  InvalidInputError,
  MissingApiKeyError,
  parseAtDoor,
  type ParsedPolicy,
  parseManifest,
  parsePolicy,
  refuseUnknown,
} from "@spfunctions/contracts";
import { keepHostRules, requireParts, type TraceStore } from "@spfunctions/kernel";
import type { SimpleFunctions } from "@spfunctions/sdk";
import { bad } from "../given-options.ts";
import { traceStoreOf } from "../trace/take-lines.ts";
import { isTraceSource, type TraceSource } from "../trace/trace-source.ts";
import type { AgentMode, AgentOptions } from "./agent-options.ts";

/** What an agent is made with. */
export type ReadOptions = Omit<
  AgentOptions,
  "policy" | "mode" | "manifest" | "account" | "replay" | "trace"
> & {
  readonly mode: AgentMode;
  readonly policy: ParsedPolicy;
  readonly account: AccountId;
  readonly manifest?: ContractManifest;
  /** With mode `replayOnly`, and with no other. */
  readonly replay?: readonly TraceSource[];
  /** Where a trace of its own is kept. */
  readonly trace?: TraceStore;
};

const modes: readonly unknown[] = ["live", "inspectOnly", "replayOnly"] satisfies AgentMode[];
const known =
  `client policy mode manifest account replay signal store trace installation rules evaluatePreTool evaluatePostTool asking sessionId
  network limits clock ids`.split(/\s+/);

/**
 * Refuses what could not work or would be misread, before anything is asked of anybody. What it gives back is the reader's own: to
 * change a policy or a manifest afterwards changes nothing (G3).
 */
export function readAgentOptions(options: AgentOptions): ReadOptions {
  if (typeof options !== "object" || options === null)
    throw bad("", "an agent's options are an object, like { client, policy }");
  refuseUnknown(options, known, "agent option");
  requireParts({ store: options.store, installation: options.installation });
  const { mode = "live", policy = {}, manifest, account = "local", replay, trace, ...rest } = options;
  if (!modes.includes(mode)) throw bad("/mode", `mode is one of ${modes.join(", ")}`);
  if (mode === "live") requireKey(rest.client);
  if (mode === "inspectOnly" && rest.client === undefined && manifest === undefined)
    throw needed("inspecting needs the contracts: give a client, which needs no key for them, or a manifest");
  return {
    ...rest,
    mode,
    policy: parsePolicy(policy),
    ...(rest.rules !== undefined && { rules: keepHostRules(rest.rules) }),
    account: parseAtDoor(givenAccountIdSchema, account, "account", InvalidInputError),
    ...(manifest !== undefined && { manifest: parseManifest(manifest) }),
    ...tracesOf(mode, replay, trace),
  };
}

/** What is read from, and what is written to: in a replay without a list the one place given is read. */
function tracesOf(
  mode: AgentMode,
  replay: AgentOptions["replay"],
  trace: AgentOptions["trace"],
): Pick<ReadOptions, "replay" | "trace"> {
  const kept = trace === undefined ? {} : { trace: traceStoreOf(trace) };
  if (mode !== "replayOnly") {
    // R1: whoever means to replay does not call live by leaving out a word.
    if (replay !== undefined) throw bad("/replay", "replay is for mode replayOnly; say so, or leave it out");
    return kept;
  }
  if (replay !== undefined) return { ...kept, replay: requireSources(replay) };
  if (kept.trace === undefined || typeof trace === "function")
    throw needed("replaying needs something to replay: give replay: [the text of a trace]");
  return { replay: [kept.trace] };
}

function requireSources(replay: unknown): readonly TraceSource[] {
  if (!Array.isArray(replay)) throw bad("/replay", "replay is a list: replay: [the text of a trace]");
  for (const [index, one] of (replay as readonly unknown[]).entries()) {
    if (isTraceSource(one)) continue;
    throw bad(`/replay/${index}`, "what is replayed is the text of a trace, or where one is kept");
  }
  return [...(replay as readonly TraceSource[])];
}

function requireKey(client: SimpleFunctions | undefined): void {
  if (client?.hasApiKey() === true) return;
  throw new MissingApiKeyError(
    "an agent's live calls need an API key: give client: new SimpleFunctions({ apiKey: process.env.SF_API_KEY }), or take mode inspectOnly or replayOnly",
    { details: { reason: client === undefined ? "no_client" : "no_key" } },
  );
}

function needed(message: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(message, { details: { reason: "missing_option" } });
}
