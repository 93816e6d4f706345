// A database is backed up and put back by PostgreSQL's own programs, as docs/backup.md tells.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describePostgres } from "../../host/test/describe-postgres.ts";
import { findPostgres } from "../../host/test/start-postgres.ts";
import { Home, routedPack } from "../test-data/run-sf.ts";
import { askUp, startUp } from "../test-data/run-up.ts";

const bare = ["--port", "0", "--no-markets", "--pack", routedPack];

function runPostgres(program: string, ...args: readonly string[]): void {
  const found = findPostgres();
  execFileSync("bin" in found ? join(found.bin, program) : program, args);
}

describePostgres("sf backed up from PostgreSQL", (postgres) => {
  test("what pg_dump took while the platform was up verifies in another database, and goes on there with the same keys", async () => {
    const [{ url: store }, { url: restored }] = [
      await postgres().newDatabase(),
      await postgres().newDatabase(),
    ];
    const home = new Home();
    const up = await startUp(home, [...bare, "--store", store]);
    const file = home.path("house.dump");
    runPostgres("pg_dump", "--format=custom", "--schema=simplefunctions", `--file=${file}`, store);
    await up.stop();
    runPostgres("pg_restore", "--exit-on-error", "--no-owner", `--dbname=${restored}`, file);
    const look = await home.run(["trace", "verify", "--store", restored]);
    expect([look.code, look.err]).toStrictEqual([0, ""]);
    expect(look.out).toMatch(/open: the journal of local, 1 segment/);
    const again = await startUp(home, [...bare, "--store", restored]);
    expect(again.out).not.toContain("shown this once");
    expect((await askUp(home, `${again.url}/api/runtime`)).status).toBe(200);
    await again.stop();
    expect((await home.run(["trace", "verify", "--store", restored])).code).toBe(0);
  });
});
