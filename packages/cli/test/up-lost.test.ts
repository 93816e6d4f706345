// A platform that was paused while another process took its data folder over: it says so and ends, so that it is started again.
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { Home, notesPack } from "../test-data/run-sf.ts";
import { askUp, spawnUp } from "../test-data/run-up.ts";

const bare = ["--port", "0", "--no-markets"];

test("B25: one that has lost its folder while it was paused ends with a failure and says why", {
  timeout: 60_000,
}, async () => {
  const home = new Home();
  const { url, started } = await spawnUp(home, bare);
  started.child.kill("SIGSTOP");
  const database = new DatabaseSync(home.path(".sf/simplefunctions.db"), { timeout: 5000 });
  // As if it had been paused for longer than its lease.
  database.exec("UPDATE driver SET expires_at = 0 WHERE id = 1");
  database.close();
  const call = ["call", "notes.read", "--data", ".sf", "--pack", notesPack, "--input", '{"id":7}'];
  expect((await home.run(call)).code).toBe(0);
  started.child.kill("SIGCONT");
  // It may be gone before it is asked.
  const asked = await askUp(home, `${url}/api/runtime`).catch(() => ({ status: 503 }));
  expect(asked.status).toBe(503);
  const { code, signal, out, err } = await started.ended;
  expect([code, signal]).toStrictEqual([1, null]);
  const lines = err
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string; error: { code: string } });
  expect(lines.filter(({ event }) => event === "store.lost")).toMatchObject([
    { level: "error", error: { code: "lease_lost", details: { reason: "driver_lost" } } },
  ]);
  expect(out).toMatch(
    /\nstopped: nothing was written to .*another process has taken the data folder over.*start it again/,
  );

  const again = await spawnUp(home, bare);
  expect((await askUp(home, `${again.url}/api/runtime`)).status).toBe(200);
});
