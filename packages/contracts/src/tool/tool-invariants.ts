// G1 at the manifest's door: what a contract claims must fit together, or the tool does not exist.
import { type ContractTool, isActive, readsUserData, type ToolDefinition } from "./contract-tool.ts";
import type { SecretPlace } from "./secret-in-contract.ts";
import { isReservedName } from "./tool-name.ts";

type Invariant = {
  readonly reason: string;
  readonly message: string;
  readonly broken: (tool: ToolDefinition) => boolean;
};

const invariants: readonly Invariant[] = [
  {
    reason: "anonymous_with_auth",
    message: "anonymousAllowed contradicts authRequired",
    broken: (tool) => tool.access.anonymousAllowed && tool.authRequired,
  },
  {
    reason: "anonymous_with_side_effect",
    message: "anonymousAllowed needs sideEffect none",
    broken: (tool) => tool.access.anonymousAllowed && tool.sideEffect !== "none",
  },
  {
    reason: "anonymous_with_cost",
    message: "anonymousAllowed needs costEffect none",
    broken: (tool) => tool.access.anonymousAllowed && tool.costEffect !== "none",
  },
  {
    reason: "anonymous_with_user_data",
    message: "anonymousAllowed cannot read user_data",
    broken: (tool) => tool.access.anonymousAllowed && readsUserData(tool),
  },
  {
    reason: "user_data_without_auth",
    message: "user_data needs authRequired",
    broken: (tool) => readsUserData(tool) && !tool.authRequired,
  },
  {
    reason: "default_with_side_effect",
    message: "agent.defaultEnabled needs sideEffect none",
    broken: (tool) => tool.agent.defaultEnabled && tool.sideEffect !== "none",
  },
  {
    reason: "default_not_callable",
    message: "agent.defaultEnabled needs agent.callable",
    broken: (tool) => tool.agent.defaultEnabled && !tool.agent.callable,
  },
  {
    reason: "secret_callable",
    message: "a tool of class secret is never agent.callable",
    broken: (tool) => tool.sideEffect === "secret" && tool.agent.callable,
  },
  {
    reason: "live_trade_without_trade",
    message: "live_trade needs trade: the JSON pointers its guardrails are read from",
    broken: (tool) => tool.sideEffect === "live_trade" && tool.trade === undefined,
  },
  {
    reason: "reserved_name_active",
    message: "a reserved name is never active",
    broken: (tool) => isReservedName(tool.name) && isActive(tool),
  },
  {
    reason: "reserved_name_callable",
    message: "a reserved name is never agent.callable",
    broken: (tool) => isReservedName(tool.name) && tool.agent.callable,
  },
  {
    reason: "agent_name_differs",
    message: "agent.name is the canonical name",
    broken: (tool) => tool.agent.name !== tool.name,
  },
];

/** What is wrong with one of the tools of a manifest. */
export type ToolProblem = {
  readonly reason: string;
  readonly message: string;
  /** Of a secret: where in the contract it is. */
  readonly place?: SecretPlace;
};

/** The first promise that a tool's contract breaks, or nothing. */
export function brokenInvariant(tool: ToolDefinition): ToolProblem | undefined {
  return invariants.find(({ broken }) => broken(tool));
}

function takenText(way: string, owner: string, name: string): string {
  return owner === name
    ? `two tools are called ${name}: give it once, or rename one`
    : `${way} is taken by ${owner}`;
}

/** Each way to reach a tool leads to exactly one, and no tool's name is the namespace of another. */
export function clashBetween(tools: readonly ContractTool[]): (ToolProblem & { index: number }) | undefined {
  const taken = new Map<string, string>();
  const namespaces = new Set(tools.flatMap(({ name }) => namespacesOf(name)));
  for (const [index, tool] of tools.entries()) {
    for (const way of waysTo(tool)) {
      const owner = taken.get(way);
      if (owner !== undefined)
        return { index, reason: "not_unique", message: takenText(way, owner, tool.name) };
      taken.set(way, tool.name);
    }
    if (namespaces.has(tool.name)) {
      return { index, reason: "name_is_namespace", message: "its name is the namespace of another tool" };
    }
  }
  return undefined;
}

/** `a.b` and `a` for `a.b.c`. */
function namespacesOf(name: string): string[] {
  const parts = name.split(".");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("."));
}

function waysTo(tool: ContractTool): string[] {
  const ways = [`name ${tool.name}`, `compatName ${tool.compatName}`];
  if (tool.http) ways.push(`route ${tool.http.method} ${tool.http.path.replaceAll(/\{[^}]*\}/g, "{}")}`);
  if (tool.sdk) ways.push(`sdk method ${tool.sdk.package} ${tool.sdk.method}`);
  return ways;
}
