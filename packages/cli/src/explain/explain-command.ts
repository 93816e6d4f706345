import { govern, type GovernOptions } from "@spfunctions/agent";
import { exitCodes, type Explanation, type Scope, withUnchecked } from "@spfunctions/contracts";
import {
  type CallCheck,
  createMemoryStore,
  describedTool,
  type Pack,
  type Store,
  type Tool,
} from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { type GivenNetwork, networkOf } from "../command-line/network-options.ts";
import type { CliIo } from "../io/cli-io.ts";
import { readInput } from "../io/read-json.ts";
import { explainStranger, type LoadedPacks, loadPacks } from "../packs/load-packs.ts";
import { callerOf } from "../seat/caller.ts";
import { installationIfAny } from "../seat/installation-if-any.ts";
import { isNoStore, openToRead } from "../seat/open-store.ts";
import { readPolicy } from "../seat/read-policy.ts";
import { type StorePlace, storePlaceOf } from "../seat/store-place.ts";
import { showVerdict } from "./show-verdict.ts";

/** As they were given. */
export type ExplainOptions = GivenNetwork & {
  readonly input?: string;
  readonly policy?: string;
  readonly pack?: readonly string[];
  readonly url?: string;
  readonly scope?: readonly Scope[];
  readonly account: string;
  readonly data?: string;
  readonly store?: string;
  readonly session?: string;
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
  const { tools, rules, inspects } = await toolsFor(options, context);
  const principal = inspects
    ? callerOf(undefined, options.scope ?? ["read", "write", "trade", "admin"])
    : callerOf(options.account, options.scope);
  const law = { policy, principal, rules, inspects, ...networkOf(options), ...sessionOf(options) };
  const isChecked = !inspects && input !== undefined;
  return await withStore(isChecked ? storePlaceOf(options, io) : undefined, async (store) => {
    const governed = governedBy(tools, { ...law, store }, io);
    if (options.schema === true) {
      print.json(governed.describe(tool).input, 2);
      return exitCodes.done;
    }
    const found = input === undefined ? governed.explain(tool) : verdictIn(await governed.check(tool, input));
    // The platform judges the call once more, by what its key may do there.
    const exit = showVerdict(tool, inspects ? withUnchecked(found, "platform") : found, options, context);
    const named = inspects ? tools.find(({ contract }) => contract.name === tool) : undefined;
    if (named !== undefined && named.contract.http === undefined)
      print.err(`note: ${tool} has no route on the platform: whatever is allowed, it cannot be called there`);
    return exit;
  });
}

/** Whether a person would be asked, its outcome says. */
function verdictIn(check: CallCheck): Explanation {
  const { asksPerson: _, ...verdict } = check;
  return verdict;
}

/** What was approved and granted is read where `sf call` would read it. Where nothing was ever kept, nothing is made. */
async function withStore(
  place: StorePlace | undefined,
  work: (store: Store) => Promise<number>,
): Promise<number> {
  const kept = place && (await openIfAny(place));
  try {
    return await work(kept ?? createMemoryStore());
  } finally {
    await kept?.close();
  }
}

async function openIfAny(place: StorePlace): Promise<Store | undefined> {
  try {
    return await openToRead(place);
  } catch (error) {
    if (isNoStore(error)) return undefined;
    throw error;
  }
}

/** Those of the named packs, or else a platform's: what the key behind a call may do there, the platform knows. */
async function toolsFor(
  { pack, url }: ExplainOptions,
  context: CommandContext,
): Promise<LoadedPacks & { readonly inspects: boolean }> {
  if (pack !== undefined) return { ...(await loadPacks(pack, context.io)), inspects: false };
  const { contractsOf } = await import("../platform/contracts-of.ts");
  const manifest = await contractsOf({ ...(url !== undefined && { url }) }, "review", context);
  return { tools: manifest.tools.map((contract) => describedTool(contract)), rules: [], inspects: true };
}

type Law = Omit<GovernOptions<readonly Pack[]>, "packs" | "installation">;

function sessionOf({ session }: ExplainOptions): { readonly sessionId?: string } {
  return session === undefined ? {} : { sessionId: session };
}

function governedBy(tools: readonly Tool[], law: Law, io: CliIo) {
  // A policy is digested, and its confirm word hashed, with the installation's secret: with the same one a call gets the same verdict.
  const installation = installationIfAny(io);
  try {
    return govern<readonly Pack[]>({ packs: [tools], ...law, ...(installation && { installation }) });
  } catch (error) {
    throw explainStranger(error, tools);
  }
}
