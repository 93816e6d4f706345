// `sf run` on a PostgreSQL database, which any number of processes use at once.
import { expect, test } from "vitest";
import { describePostgres } from "../../host/test/describe-postgres.ts";
import type { TestPostgres } from "../../host/test/start-postgres.ts";
import { adding, runIdIn, running, saying, withPolicy } from "../test-data/run-scripts.ts";
import { Home, notesPack } from "../test-data/run-sf.ts";

async function databaseOf({ newDatabase, port }: TestPostgres): Promise<string> {
  return `postgres://postgres:correct-horse-battery-staple@127.0.0.1:${port}/${(await newDatabase()).name}`;
}

describePostgres("sf run on PostgreSQL", (postgres) => {
  test("a session has one run at a time, whichever process wants another; others go on beside it", async () => {
    const url = await databaseOf(postgres());
    const home = new Home({ SF_STORE: url });
    const argv = running(home, [adding("milk"), saying("done")], ...withPolicy, "--session", "monday");
    const both = await Promise.all([home.runBinary(argv), home.runBinary(argv)]);
    const [first, second] = both.toSorted((one, other) => other.code - one.code);
    expect([first?.code, second?.code]).toStrictEqual([4, 3]);
    const runId = runIdIn(first?.err ?? "");
    expect(second?.err).toMatch(/error invalid_transition: the session monday /);
    expect(second?.err).not.toContain("correct-horse");
    expect((await home.run([...argv.slice(0, -1), "tuesday"])).code).toBe(4);
    const [, id = ""] = /approvals approve (\S+)/.exec(first?.err ?? "") ?? [];
    expect((await home.run(["approvals", "approve", id])).code).toBe(0);
    const resume = ["runs", "resume", runId, "--pack", notesPack, "--model", "scripted:script.json"];
    expect(await home.run(resume)).toMatchObject({ code: 0, out: "done\n" });
    const more = running(home, [saying("x"), saying("y"), saying("went on")], "--session", "monday");
    expect(await home.run(more)).toMatchObject({ code: 0, out: "went on\n" });
  });

  test("what is told names the database without its password", async () => {
    const url = await databaseOf(postgres());
    const home = new Home();
    const { code, err } = await home.run(running(home, [adding("milk")], ...withPolicy, "--store", url));
    expect(code).toBe(4);
    expect(err).toMatch(/sf runs resume run_\S+ --pack \S+ --model \S+ --store "\$SF_STORE"\n$/);
    expect(err).not.toContain("correct-horse");
  });
});
