// J3, X1: a process that is stopped by SIGSTOP between the commit of an intent and the start of its tool, and goes on after its
// successor has run the tool by the same key, does not start it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { govern } from "@spfunctions/agent";
import { openPostgresStore } from "@spfunctions/host/store";
import { problemsOf, Runs, verifyAccount } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { describePostgres } from "../packages/host/test/describe-postgres.ts";
import { withPackages } from "./installed/start-installed.ts";
import { installation, lease, mailOf, policy, principal, runsOf } from "./test-data/stopped-mail.ts";

type Said = { stopping?: true; runId?: string; told?: string; ended?: true };

/** Starts the process, and waits until it is about to be stopped. */
async function startStopped(url: string, file: string, kind: "run" | "call") {
  const program = join(import.meta.dirname, "test-data/stopped-process.ts");
  const child = spawn(
    process.execPath,
    [...withPackages, "--disable-warning=ExperimentalWarning", program, url, file, kind],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const said: Said[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(JSON.parse(line) as Said));
  await expect.poll(() => said.some(({ stopping }) => stopping), { timeout: 30_000 }).toBe(true);
  /** Lets it go on, and waits until it has ended. */
  const goOn = async () => {
    child.stdin.end();
    child.kill("SIGCONT");
    await once(child, "exit");
    return said;
  };
  return { said, goOn };
}

function ledger() {
  const folder = mkdtempSync(join(tmpdir(), "sf-stopped-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "sent");
  const sent = () => {
    try {
      return readFileSync(file, "utf8").trimEnd().split("\n");
    } catch {
      return [];
    }
  };
  return { file, sent };
}

describePostgres("a stopped process that continues", (postgres) => {
  async function openStore(url: string) {
    const store = await openPostgresStore({ url, ...lease });
    onTestFinished(() => store.close());
    return store;
  }

  test("begins no tool of a run that its successor has run", async () => {
    const { url } = await postgres().newDatabase();
    const { file, sent } = ledger();
    const { goOn } = await startStopped(url, file, "run");
    const store = await openStore(url);
    const runs = new Runs({ ...runsOf("successor", file), store });
    onTestFinished(() => runs.close());
    await runs.open();
    await expect.poll(sent, { timeout: 30_000 }).toHaveLength(1);
    await goOn();
    const [{ runId } = { runId: "" }] = await runs.list();
    expect(await (await runs.get(runId)).wait()).toMatchObject({ status: "completed" });
    expect(sent()).toStrictEqual([expect.stringMatching(/^successor /)]);
    const verification = await verifyAccount(store, principal.accountId, [installation.signer.publicKey]);
    expect(problemsOf(verification)).toStrictEqual([]);
  });

  test("begins no tool of a call that its successor has run, and its caller is told", async () => {
    const { url } = await postgres().newDatabase();
    const { file, sent } = ledger();
    const { goOn } = await startStopped(url, file, "call");
    const store = await openStore(url);
    const settled = async () => {
      await using office = govern({ packs: [mailOf("successor", file)], policy, principal, store });
      return (await office.recover()).settled.map(({ outcome }) => outcome);
    };
    await expect.poll(settled, { timeout: 30_000 }).toStrictEqual(["completed"]);
    const said = await goOn();
    expect(said).toContainEqual({ told: "lease_lost" });
    expect(sent()).toStrictEqual(["successor once"]);
    expect(problemsOf(await verifyAccount(store, principal.accountId))).toStrictEqual([]);
  });
});
