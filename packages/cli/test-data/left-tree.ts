// Three generations in a folder that nobody drives any more: a run, its child, and a child of that, for whose question all of them wait.
import { setImmediate } from "node:timers/promises";
import { loadInstallation } from "@spfunctions/host/installation";
import { openSqliteStore } from "@spfunctions/host/store";
import { openOperator, type RunHandle, type RunResult, Runs } from "@spfunctions/kernel";
import { operatorOf } from "../src/seat/caller.ts";
import { familyPolicy } from "./family-home.ts";
import { tools } from "./family-pack.ts";
import { adding, asking, usual } from "./run-home.ts";
import { model, type Saying } from "./run-model.ts";
import type { Home } from "./run-sf.ts";

export type LeftTree = {
  readonly parent: string;
  readonly child: string;
  readonly grandchild: string;
  readonly id: string;
};

/** A call that starts a subagent, and what that is to say. */
export const starting = (name: string, script: readonly Saying[]) => ({
  name: `subagent.${name}`,
  args: { task: JSON.stringify(script) },
});

/** `isLetGo`: the child goes on without the run. */
export async function leftTree(home: Home, isLetGo = false): Promise<LeftTree> {
  const store = await openSqliteStore({ folder: home.path(usual) });
  const { installation } = loadInstallation({ env: home.env });
  const runs = new Runs({
    packs: [tools],
    levels: [{ level: "agent", policy: { ...familyPolicy, ...asking } }],
    principal: { accountId: "local", keyId: "cli", scopes: ["read", "write"], kind: "local" },
    agentId: "scribe",
    model: { adapter: model },
    store,
    installation,
  });
  const lead = starting("lead", [[adding("milk")], "led"]);
  const handle = await runs.start({ objective: JSON.stringify([[lead], [adding("salt")], "done"]) });
  await handle.wait({ for: "rest" });
  const child = (await handle.result()).children[0]?.runId ?? "";
  const { runId: grandchild } = await runs.startChild(child, {
    subagent: "subagent.writer",
    key: "bread",
    task: JSON.stringify([[adding("bread")], "written"]),
  });
  const { approvals } = await (await runs.get(grandchild)).wait({ for: "rest" });
  const id = approvals[0]?.approvalId ?? "";
  // What the child has asked itself is answered: it has its last word, and waits for its own child.
  const operator = openOperator({ store, installation, principal: operatorOf("local") });
  await operator.deny((await handle.result()).approvals[0]?.approvalId ?? "");
  await until(handle, (result) => result.approvals[0]?.approvalId === id);
  if (isLetGo) {
    await runs.detach(child, "it is mine now");
    await until(
      handle,
      (result) => result.children[0]?.status === "detached" && result.approvals.length === 1,
    );
  }
  await operator.close();
  await runs.close();
  await store.close();
  return { parent: handle.runId, child, grandchild, id };
}

async function until(handle: RunHandle, isSo: (result: RunResult) => boolean): Promise<void> {
  while (!isSo(await handle.result())) await setImmediate();
}
