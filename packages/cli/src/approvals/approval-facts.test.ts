import type { StandingGrant } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { grantText } from "./approval-facts.ts";

const principal = { accountId: "local", keyId: "cli", scopes: ["write"], kind: "local" };

test.each([
  [0, undefined, "not used yet"],
  [1, undefined, "used once"],
  [2, undefined, "used 2 times"],
  [1, 1, "used 1 of 1 time"],
  [1, 3, "used 1 of 3 times"],
])("a grant that was used %j times, of %j, is %j[2]", (uses, maxUses, said) => {
  const grant = {
    tool: "notes.add",
    principal,
    sessionId: "monday",
    uses,
    ...(maxUses !== undefined && { maxUses }),
    expiresAt: "2026-01-01T01:00:00.000Z",
  } as unknown as StandingGrant;
  expect(grantText(grant, Date.parse("2026-01-01T00:00:00.000Z"))).toBe(
    `notes.add by local cli of account local in session monday, with any input; ${said}, until 2026-01-01 01:00:00 UTC (in 1 hour)`,
  );
});
