// A process without a key and without a network, which replays a run that it is sent: what came of it, and whatever reached for the
// network, ran a tool or asked a model.
import { defineTool, type ModelAdapter } from "@spfunctions/kernel";
import dns from "node:dns";
import net from "node:net";
import { SimpleFunctionsRuntime, type SimpleFunctionsRuntimeOptions } from "@spfunctions/agent/v1";

export type Asked = {
  readonly replay: readonly string[];
  readonly policy: SimpleFunctionsRuntimeOptions["policy"];
  readonly objectives: readonly string[];
  /** Tools with functions behind them, by their names. */
  readonly tools: readonly string[];
};
export type Told = { readonly results: readonly unknown[]; readonly reached: readonly string[] };

const reached: string[] = [];
const refuse = (what: string) => () => {
  reached.push(what);
  throw new Error(`${what} is blocked`);
};
net.Socket.prototype.connect = refuse("connect");
dns.lookup = refuse("lookup") as unknown as typeof dns.lookup;
globalThis.fetch = refuse("fetch");

process.once("message", (asked) => void replayAll(asked as Asked));

async function replayAll({ replay, policy, objectives, tools }: Asked): Promise<void> {
  const packs = tools.map((name) =>
    defineTool({
      name,
      description: "Does something with notes.",
      input: { type: "object" },
      output: {},
      permissions: ["notes"],
      sideEffect: name === "notes.read" ? "none" : "user_write",
      costEffect: "none",
      run: refuse(name),
    }),
  );
  // Given, and never asked: what a model says comes from the traces.
  const model: ModelAdapter = { name: "online", complete: refuse("model") };
  const runtime = new SimpleFunctionsRuntime({
    mode: "replayOnly",
    modelReplay: true,
    replay,
    policy,
    model,
    packs,
    hooks: { beforeToolCall: refuse("hook"), beforeModel: refuse("hook") },
    evaluatePreTool: refuse("policy"),
    canUseTool: refuse("canUseTool"),
  });
  const results: unknown[] = [];
  for (const objective of objectives) {
    const { status, output, error, steps } = await runtime.run({ objective });
    const moves = steps.map(({ type, tool = "", status: end }) => `${type} ${tool} ${end}`);
    results.push([status, output ?? error?.code, ...moves]);
  }
  await runtime.close();
  process.send?.({ results, reached } satisfies Told, () => process.exit());
}
