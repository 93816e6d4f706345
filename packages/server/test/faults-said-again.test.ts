// What of a tool's fault may not be shown in its answer is not shown either when it is answered again.
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import type { LogLine } from "../src/log-line.ts";
import { gatedPack } from "../test-data/gated-pack.ts";
import { ask, testPlatform, type Way } from "../test-data/test-platform.ts";

const hidden = "/srv/private/journal.db";
const faults = {
  "a stranger's error": new Error(`ENOENT ${hidden}`),
  "the store's want of configuration": new HostConfigurationNeededError(`${hidden} is full; make room`),
};

/** A call that a tool failed with this, and the same call again. */
async function failed(way: Way, fault: Error) {
  const logged: LogLine[] = [];
  const { pack, visit, visits } = gatedPack();
  const platform = await testPlatform(way, { packs: [pack], log: (line) => void logged.push(line) });
  const key = await platform.key("acct_1");
  const call = () =>
    ask(platform, "/api/gated/write", { key, headers: { "idempotency-key": "once" }, body: { text: "x" } });
  const answering = call();
  (await visit(0)).fail(fault);
  const first = await answering;
  const again = await call();
  expect([visits.length, again.body.meta.replayed]).toStrictEqual([1, true]);
  return { first, again, logged };
}

describe.each(["socket", "embedded"] as const)("what a tool failed with (%s)", (way) => {
  test.each(Object.entries(faults))(
    "is hidden in the answer and in the answer again, and logged once: %s",
    async (_, fault) => {
      const { first, again, logged } = await failed(way, fault);
      const saidIn = ({ status, body }: typeof first) => [status, body.ok || body.error.message];
      expect(saidIn(again)).toStrictEqual(saidIn(first));
      expect(JSON.stringify([first.body, again.body])).not.toContain("private");
      expect(logged).toHaveLength(1);
    },
  );
});
