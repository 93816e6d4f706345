// A run rests only where a person is wanted who has not come yet. What was answered, or left for it, it goes on by.
import { setTimeout as after } from "node:timers/promises";
import {
  createMemoryStore,
  newInstallationSecret,
  openInstallation,
  openOperator,
  Runs,
} from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { tools } from "../../test-data/notes-pack.ts";
import { asking } from "../../test-data/run-home.ts";
import { model } from "../../test-data/run-model.ts";
import { operatorOf } from "../seat/caller.ts";
import { idleRuns } from "./idle-runs.ts";
import { restOfRun } from "./rest-of-run.ts";
import { seeLeases } from "./see-leases.ts";

/** A run that waits for a person and that nobody drives, whoever watches it, and whoever can take it on. */
async function waitingRun() {
  const store = createMemoryStore();
  const installation = openInstallation(newInstallationSecret());
  const open = () =>
    new Runs({
      packs: [tools],
      levels: [{ level: "agent", policy: asking }],
      principal: { accountId: "local", keyId: "cli", scopes: ["read", "write"], kind: "local" },
      agentId: "scribe",
      model: { adapter: model },
      store,
      installation,
    });
  const runs = open();
  const script = [[{ name: "notes.add", args: { text: "milk" } }], "written"];
  const { runId } = await runs.start({ objective: JSON.stringify(script) });
  const { approvals } = await (await runs.get(runId)).wait({ for: "rest" });
  await runs.close();
  const operator = openOperator({ store, installation, principal: operatorOf("local") });
  const beside = idleRuns(seeLeases(store, true).store, installation, "local");
  const handle = await beside.get(runId);
  const [document] = await beside.list();
  if (document === undefined) throw new Error("it is listed");
  const terms = { store, document, operator, signal: new AbortController().signal, now: Date.now };
  return { runId, approvalId: approvals[0]?.approvalId ?? "", open, operator, beside, handle, terms };
}

/** After every question has run out. */
const later = () => Date.now() + 3_600_001;

/** Whether it is still not there after the rest was looked for several times. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  return await Promise.race([promise.then(() => false), after(150, true)]);
}

test("a run rests where nobody has answered", async () => {
  const { handle, terms } = await waitingRun();
  expect((await restOfRun(handle, terms)).status).toBe("requires_approval");
});

test("a run whose question was answered does not rest: it goes on by itself", async () => {
  const { runId, approvalId, open, operator, handle, terms } = await waitingRun();
  await operator.approve(approvalId);
  const rest = restOfRun(handle, terms);
  expect(await isPending(rest)).toBe(true);
  await open().resume(runId);
  expect((await rest).status).toBe("completed");
});

test("a run whose question has run out does not rest: it goes on by itself", async () => {
  const { handle, terms } = await waitingRun();
  const ending = new AbortController();
  const rest = restOfRun(handle, { ...terms, now: later, signal: ending.signal });
  rest.catch(() => undefined);
  expect(await isPending(rest)).toBe(true);
  ending.abort();
  await expect(rest).rejects.toMatchObject({ code: "cancelled" });
});

test("a run for which something was left does not rest before that is taken", async () => {
  const { runId, open, beside, handle, terms } = await waitingRun();
  await beside.cancel(runId);
  const rest = restOfRun(handle, terms);
  expect(await isPending(rest)).toBe(true);
  await open().resume(runId);
  expect((await rest).status).toBe("cancelled");
});
