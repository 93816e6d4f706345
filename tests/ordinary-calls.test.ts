// G4: a call is stopped for what is hidden in it, so what is ordinary must not be hidden. Measured on calls of many kinds.
import { expect, test } from "vitest";
import { toolCallsOf } from "../packages/contracts/test-data/redaction/tool-calls.ts";
import { stoppedCalls } from "../proofs/redaction/stopped-calls.ts";

test("at most 0.5 % of ordinary calls that change something stop because a part of them is hidden", async () => {
  const calls = [...toolCallsOf(1, 2000)];
  const stopped = await stoppedCalls(calls);
  console.log(
    `stopped: ${stopped.length} of ${calls.length} ordinary calls\n${stopped.slice(0, 20).join("\n")}`,
  );
  expect(stopped.length / calls.length).toBeLessThanOrEqual(0.005);
});

test("a call that carries a secret nobody has declared stops among them", async () => {
  const leak = { kind: "leak", input: { note: "password=Tr0ub4dor&3x", to: "mallory" } };
  await expect(stoppedCalls([leak])).resolves.toHaveLength(1);
});
