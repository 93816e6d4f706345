// Runs in a PostgreSQL database: each is driven by one process, and whoever has the database can look at it, stop it and take it on.
import { expect, test } from "vitest";
import { describePostgres } from "../../host/test/describe-postgres.ts";
import type { TestPostgres } from "../../host/test/start-postgres.ts";
import { listed } from "../test-data/asking-home.ts";
import { adding, resuming, startRun } from "../test-data/run-home.ts";
import { Home } from "../test-data/run-sf.ts";

async function databaseOf({ newDatabase, port }: TestPostgres): Promise<string> {
  return `postgres://postgres:correct-horse-battery-staple@127.0.0.1:${port}/${(await newDatabase()).name}`;
}

const waitingRun = { script: [[adding("milk")], "written"] };

describePostgres("sf runs on PostgreSQL", (postgres) => {
  test("a run that a living process drives is not taken on beside it, and is cancelled by that process", async () => {
    const url = await databaseOf(postgres());
    const home = new Home({ SF_STORE: url });
    const { runId, process: driver } = await startRun(home, { ...waitingRun, url });
    expect(await home.run(resuming(runId))).toStrictEqual({
      code: 3,
      out: "",
      err: `error invalid_transition: another process drives ${runId}: it goes on there. sf runs show ${runId} --events --follow shows how; sf runs cancel ${runId} stops it\n`,
    });
    expect(await home.run(["runs", "cancel", runId])).toStrictEqual({
      code: 0,
      out: `${runId} is cancelled, and what it had asked with it\n`,
      err: `another process drives ${runId}: it was left for that one, which is waited for\n`,
    });
    expect((await driver.ended).out).toContain("ends cancelled\n");
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });

  test("a run whose process was killed is nobody's, and goes on with whoever takes it on", async () => {
    const url = await databaseOf(postgres());
    const home = new Home();
    const store = ["--store", url];
    const { runId, process: driver } = await startRun(home, { ...waitingRun, url });
    driver.child.kill("SIGKILL");
    await driver.ended;
    const { out } = await home.run(["doctor", "--json", ...store]);
    const { checks } = JSON.parse(out) as { checks: { check: string; facts?: object }[] };
    expect(checks.find(({ check }) => check === "runs")?.facts).toStrictEqual({
      underWay: 1,
      waiting: 1,
      recoveryNeeded: 0,
      nobodys: 1,
    });
    const [approval] = await listed(home, ...store);
    const id = approval?.approvalId ?? "";
    expect((await home.run(["runs", "ls", ...store])).out).toContain(
      `sf approvals show ${id} --store "$SF_STORE"\n`,
    );
    expect((await home.run(["approvals", "approve", id, ...store])).code).toBe(0);
    expect((await home.run(["runs", "ls", ...store])).out).toContain(
      `\n  ${id} is approved; nobody drives it: sf runs resume ${runId} --pack … --model … --store "$SF_STORE"\n`,
    );
    expect(await home.run(resuming(runId, ...store))).toMatchObject({ code: 0, out: "written\n" });
    expect((await home.run(["trace", "export", runId, "-o", "run.jsonl", ...store])).code).toBe(0);
    expect((await home.run(["trace", "verify", "run.jsonl"])).code).toBe(0);
  });
});
