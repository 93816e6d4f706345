// A process that drives a run, as an agent's own program does: it says its id, what it rests for, and how it has ended.
import { loadInstallation } from "@spfunctions/host/installation";
import { openPostgresStore, openSqliteStore } from "@spfunctions/host/store";
import { Runs, type Tool } from "@spfunctions/kernel";
import { model } from "./run-model.ts";

export type DrivenRun = {
  readonly objective: string;
  readonly folder?: string;
  readonly url?: string;
  readonly pack: string;
  readonly policy: object;
  readonly sessionId?: string;
  /** Whether it is left as soon as only a person can take it on. */
  readonly isLeft?: boolean;
  /** Whether a policy of the host's has a say. */
  readonly hasPort?: boolean;
};

const given = JSON.parse(process.argv[2] ?? "{}") as DrivenRun;
const { folder = "", url } = given;
const store =
  url === undefined
    ? await openSqliteStore({ folder })
    : await openPostgresStore({ url, schema: "simplefunctions" });
const { tools } = (await import(given.pack)) as { readonly tools: readonly Tool[] };
const { installation } = loadInstallation({ env: process.env });
const runs = new Runs({
  packs: [tools],
  levels: [{ level: "agent", policy: given.policy }],
  principal: { accountId: "local", keyId: "cli", scopes: ["read", "write"], kind: "local" },
  agentId: "scribe",
  model: { adapter: model },
  store,
  installation,
  ...(given.hasPort === true && { evaluatePreTool: () => ({ outcome: "allow" }) as const }),
});
// From here on it takes what operators beside it leave.
await runs.open();
const { objective, sessionId } = given;
const handle = await runs.start({ objective, sessionId });
console.log(`run ${handle.runId}`);
const rest = await handle.wait({ for: "rest" });
console.log(`rests ${rest.status}`);
if (given.isLeft !== true) console.log(`ends ${(await handle.wait()).status}`);
await runs.close();
await store.close();
