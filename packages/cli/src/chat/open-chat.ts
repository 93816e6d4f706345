// What a chat is held with: an agent over its tools and its store, and an operator's desk on that store, which the agent never sees (A2).
import { Spectator, type SpectatorSession, type Trouble } from "@spfunctions/agent/spectator";
import type { ContractManifest } from "@spfunctions/contracts";
import { loadInstallation } from "@spfunctions/host/installation";
import type { TurnLogs } from "@spfunctions/host/store";
import { type Operator, openOperator, registerPacks, type Runs, type Tool } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { networkOf } from "../command-line/network-options.ts";
import { LateStore } from "../packs/late-store.ts";
import { explainStranger, loadPacks } from "../packs/load-packs.ts";
import { idleRuns } from "../runs/idle-runs.ts";
import { callerOf, operatorAt } from "../seat/caller.ts";
import { requireApart } from "../seat/data-folder.ts";
import type { Undo } from "../seat/held.ts";
import { openStore, patienceOf } from "../seat/open-store.ts";
import type { StorePlace } from "../seat/store-place.ts";
import { chatAgentId } from "./chat-agent-id.ts";
import { openBeside } from "./open-beside.ts";
import type { ChatOptions } from "./chat-options.ts";
import { type SandboxTold, sandboxOf } from "./sandbox-told.ts";
import type { WantedChat } from "./wanted-chat.ts";

export type OpenChat = {
  readonly agent: Spectator;
  readonly session: SpectatorSession;
  readonly manifest: Pick<ContractManifest, "digest" | "tools">;
  readonly operator: Operator;
  /** Its turns, for whoever looks at them; none of them is driven by this. */
  readonly runs: Runs;
  /** Nothing where the store is a database. */
  readonly logs?: TurnLogs | undefined;
  readonly sandbox: SandboxTold;
};

export type OpenChatTerms = {
  readonly place: StorePlace;
  readonly undo: Undo;
  readonly onTrouble: (trouble: Trouble) => void;
};

export async function openChat(
  wanted: WantedChat,
  options: ChatOptions,
  { place, undo, onTrouble }: OpenChatTerms,
  context: CommandContext,
): Promise<OpenChat> {
  const { account, pack = [] } = options;
  const { installation, path } = loadInstallation({ env: context.io.env });
  if (place.type === "folder") requireApart(place.folder, path);
  const late = new LateStore();
  const { tools, rules } =
    pack.length === 0 ? { tools: [], rules: [] } : await loadPacks(pack, context.io, late);
  const manifest = manifestOf(tools);
  const store = late.opened(await openStore(place, patienceOf(options.wait, context)), installation);
  undo.push(() => store.close());
  const beside = place.type === "folder" ? await openBeside(place.folder, undo) : undefined;
  const { adapter, price } = wanted.model;
  const agent = new Spectator({
    model: adapter,
    price,
    packs: [tools],
    rules,
    policy: wanted.policy,
    principal: callerOf(account),
    store,
    installation,
    agentId: chatAgentId,
    constraints: wanted.constraints,
    instructions: wanted.instructions,
    toolCalling: options.toolCalling,
    ...(beside && { search: beside.search, turnLog: beside.logs }),
    ...networkOf(options),
    onTrouble,
  });
  undo.push(() => agent.close());
  const operator = openOperator({ store, installation, principal: operatorAt(options, context.io) });
  undo.push(() => operator.close());
  const runs = idleRuns(store, installation, account, context.io.user);
  undo.push(() => runs.close());
  const session = await agent.open(options.session);
  return {
    agent,
    session,
    manifest,
    operator,
    runs,
    logs: beside?.logs,
    sandbox: await sandboxOf(pack, context.io.cwd),
  };
}

function manifestOf(tools: readonly Tool[]): OpenChat["manifest"] {
  try {
    return registerPacks([tools]).manifest;
  } catch (error) {
    throw explainStranger(error, tools);
  }
}
