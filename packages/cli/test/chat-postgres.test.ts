// `sf chat` on a PostgreSQL database, which any number of processes use at once.
import { expect, test } from "vitest";
import { describePostgres } from "../../host/test/describe-postgres.ts";
import { adds, chatting, says, typedChat, withPolicy } from "../test-data/chat-home.ts";
import { approvalIdIn } from "../test-data/run-scripts.ts";
import { Home } from "../test-data/run-sf.ts";

describePostgres("sf chat on PostgreSQL", (postgres) => {
  test("a session has one turn at a time, whichever process wants another, and others go on beside it", async () => {
    const { newDatabase, port } = postgres();
    const { name } = await newDatabase();
    const home = new Home({
      SF_STORE: `postgres://postgres:correct-horse-battery-staple@127.0.0.1:${port}/${name}`,
    });
    const argv = chatting(home, [says("I add.", adds("milk")), says("Added.")], ...withPolicy);
    const both = await Promise.all([
      home.runBinary([...argv, "--once", "add milk"]),
      home.runBinary([...argv, "--once", "add milk"]),
    ]);
    const [first, second] = both.toSorted((one, other) => other.code - one.code);
    expect([first?.code, second?.code]).toStrictEqual([4, 3]);
    const beside = chatting(home, [says("hello")], "--session", "other", "--once", "hi");
    expect(await home.run(beside)).toMatchObject({ code: 0, out: "hello\n" });
    expect((await home.run(["approvals", "approve", approvalIdIn(first?.err ?? "")])).code).toBe(0);
    const resumed = await home.run([
      ...chatting(home, [says("I add.", adds("milk")), says("Added.")], ...withPolicy),
      "--resume",
    ]);
    expect(resumed).toMatchObject({ code: 0, out: "I add.\n\nAdded.\n" });
    const chat = typedChat(["/trace", "/verify"]);
    expect((await home.run(argv, chat)).code).toBe(0);
    expect(chat.screen()).toContain(
      "turns are not logged beside a database; sf trace show has what was journaled of each\n",
    );
    expect(chat.screen()).toContain("whole: 2 revisions\n");
    expect(`${first?.err}${second?.err}${chat.screen()}`).not.toContain("correct-horse");
  }, 120_000);
});
