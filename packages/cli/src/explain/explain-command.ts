import { govern } from "@spfunctions/agent";
import { type Scope, type AgentPolicy, exitCodes } from "@spfunctions/contracts";
import { createMemoryStore, describedTool, type GivenPrincipal, type Tool } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import type { CliIo } from "../io/cli-io.ts";
import { readInput } from "../io/read-json.ts";
import { explainStranger, loadPacks } from "../packs/load-packs.ts";
import { callerOf } from "../seat/caller.ts";
import { installationIfAny } from "../seat/installation-if-any.ts";
import { readPolicy } from "../seat/read-policy.ts";
import { showVerdict } from "./show-verdict.ts";

/** As they were given. */
export type ExplainOptions = {
  readonly input?: string;
  readonly policy?: string;
  readonly pack?: readonly string[];
  readonly url?: string;
  readonly scope?: readonly Scope[];
  readonly schema?: true;
  readonly json?: true;
};

export async function explain(
  tool: string,
  options: ExplainOptions,
  context: CommandContext,
): Promise<number> {
  const { io, print } = context;
  const input = options.input === undefined ? undefined : await readInput(options.input, io);
  const policy = await readPolicy(options.policy, io);
  const { tools, inspects } = await toolsFor(options, context);
  const principal = inspects
    ? callerOf(undefined, options.scope ?? ["read", "write", "trade", "admin"])
    : callerOf(undefined, options.scope);
  const governed = governedBy(tools, { policy, principal, inspects }, io);
  if (options.schema === true) {
    print.json(governed.describe(tool).input, 2);
    return exitCodes.done;
  }
  const exit = showVerdict(tool, governed.explain(tool, input), options, context);
  const named = inspects ? tools.find(({ contract }) => contract.name === tool) : undefined;
  if (named !== undefined && named.contract.http === undefined)
    print.err(`note: ${tool} has no route on the platform: whatever is allowed, it cannot be called there`);
  return exit;
}

/** Those of the named packs, or else a platform's: what the key behind a call may do there, the platform knows. */
async function toolsFor(
  { pack, url }: ExplainOptions,
  context: CommandContext,
): Promise<{ readonly tools: readonly Tool[]; readonly inspects: boolean }> {
  if (pack !== undefined) return { tools: await loadPacks(pack, context.io), inspects: false };
  const { contractsOf } = await import("../platform/contracts-of.ts");
  const manifest = await contractsOf({ ...(url !== undefined && { url }) }, "review", context);
  return { tools: manifest.tools.map((contract) => describedTool(contract)), inspects: true };
}

type Law = { readonly policy: AgentPolicy; readonly principal: GivenPrincipal; readonly inspects: boolean };

function governedBy(tools: readonly Tool[], law: Law, io: CliIo) {
  // A policy is digested, and its confirm word hashed, with the installation's secret: with the same one a call gets the same verdict.
  const installation = installationIfAny(io);
  try {
    // Nothing is kept in it: a call, which has a store, can ask a person.
    const store = createMemoryStore();
    return govern({ packs: [tools], ...law, store, ...(installation && { installation }) });
  } catch (error) {
    throw explainStranger(error, tools);
  }
}
