// G1, G2, G3, G4, A1, A2, J1, S1, B1, B8, B13, B24, B26, B33, B34: whatever a model says, however often, and whatever anybody else answers
// meanwhile: what runs is what the policies allow, what needed a person's yes had one, and everything comes to its end. The long form:
// npm run prove -- adversaries
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { unhandledDuring } from "../../../kernel/test-data/call-waiting.ts";
import { anyCase } from "../../test-data/adversary/case.ts";
import { problemsOf } from "../../test-data/adversary/check.ts";
import { play } from "../../test-data/adversary/play.ts";

test("a model that calls anything, forges, imitates, floods and lies changes nothing of what is executed beyond the policy", async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyCase, async (given) => {
      const problems: string[] = [];
      const unhandled = await unhandledDuring(async () => {
        const played = await play(given);
        problems.push(...(await problemsOf(given, played)));
        for (const { result } of played.runs) met.add(result?.status ?? "not begun");
        for (const { tool } of played.executions) met.add(tool);
        if (played.ledger.approved.size > 0) met.add("approved");
        if (played.ledger.forged > 0) met.add("forged");
      });
      expect([problems, unhandled]).toStrictEqual([[], []]);
    }),
    { numRuns: 100, unbiased: true },
  );
  // Chance has been to where it matters: otherwise this would be about little.
  const wanted = ["completed", "blocked", "failed", "approved", "world.read", "notes.write"];
  expect(wanted.filter((one) => !met.has(one))).toStrictEqual([]);
}, 300_000);
