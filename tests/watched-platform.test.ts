// Whoever listens to a platform for what another one writes is served with everybody else: what is new is read once for all of them.
import {
  defineTool,
  newInstallationSecret,
  openInstallation,
  randomIds,
  type Store,
  systemClock,
} from "@spfunctions/kernel";
import { openPostgresStore } from "@spfunctions/host/store";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform, type Platform } from "@spfunctions/server";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { deaf } from "../packages/host/test/deaf-store.ts";
import { describePostgres } from "../packages/host/test/describe-postgres.ts";
import { statementsIn } from "../packages/host/test/statements-in.ts";
import { ManualClock } from "../packages/kernel/test-data/call-clock.ts";

const add = defineTool({
  name: "notes.add",
  description: "Keeps a note.",
  input: z.strictObject({ text: z.string() }),
  output: z.strictObject({ text: z.string() }),
  permissions: ["notes:write"],
  sideEffect: "user_write",
  costEffect: "none",
  http: { method: "POST", path: "/api/notes" },
  run: ({ text }) => ({ text }),
});

/** All that a listener has been sent so far, from now on. */
async function listen(platform: Platform, secret: string): Promise<() => string> {
  const headers = { authorization: `Bearer ${secret}` };
  const { body } = await platform.fetch(new Request("http://localhost/api/events", { headers }));
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? "";
  void (async () => {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      text += next.value;
  })();
  return () => text;
}

describePostgres(
  "event streams of a platform on PostgreSQL",
  (postgres) => {
    test("48 listeners of three keys see what moves with as few statements as one does, also where no notification arrives", async () => {
      const { url } = await postgres().newDatabase();
      const installation = openInstallation(newInstallationSecret());
      const open = async (store: Store, clock = systemClock) => {
        const platform = await openPlatform({ store, installation, packs: [add], clock, ids: randomIds });
        onTestFinished(async () => {
          await platform.close();
          await store.close();
        });
        return platform;
      };
      const clock = new ManualClock(Date.now());
      const writing = await open(await openPostgresStore({ url }));
      const quiet = { renewMs: 3_600_000, leaseMs: 3_600_000 };
      const beside = await openPostgresStore({ url: `${url}&application_name=watcher`, ...quiet });
      const watching = await open(deaf(beside), clock);
      const keys = await Promise.all(
        [1, 2, 3].map((at) =>
          writing.createKey("shop", { name: `k${at}`, scopes: ["read", "write", "admin"] }),
        ),
      );
      const heard = await Promise.all(
        keys.flatMap(({ secret }) => Array.from({ length: 16 }, () => listen(watching, secret))),
      );
      const till = connectEmbedded(writing, { apiKey: keys[0]?.secret ?? "" });
      const ofWatcher = () => statementsIn(postgres()).filter((line) => line.startsWith("watcher ")).length;
      const look = async (calls: number) => {
        await till.call("notes.add", { text: `${calls}` });
        const have = () => {
          clock.advance(425);
          return heard.every((text) => text().split("event: tool.completed").length === calls + 1);
        };
        await expect.poll(have, { timeout: 20_000, interval: 200 }).toBe(true);
      };
      await look(1);
      const before = ofWatcher();
      const looks = [2, 3, 4, 5, 6];
      for (const calls of looks) await look(calls);
      // Which has moved, what it says, and whether its segment has ended; a look more where the clock was ahead.
      expect((ofWatcher() - before) / looks.length).toBeLessThanOrEqual(8);
    }, 120_000);
  },
  { log_statement: "all", log_line_prefix: "%a " },
);
