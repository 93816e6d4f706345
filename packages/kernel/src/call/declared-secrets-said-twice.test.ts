// S1: a secret is hidden by what it is, not only by where it stands: also where the very payload that declares it says it again.
import { expect, test } from "vitest";
import { type Deed } from "../../test-data/call-deck.ts";
import { callApproved } from "../../test-data/call-approvals.ts";
import { type Desk, keptText, openDesk } from "../../test-data/call-desk.ts";

const secret = "rosen am zaun";

async function isShown(desk: Desk, input: object): Promise<boolean> {
  const outcome = await callApproved(desk, { tool: "notes.write", input });
  expect(outcome.type).toBe("completed");
  return `${await keptText(desk.store.inner)} ${JSON.stringify(desk.events)}`.includes(secret);
}

test.each<[string, object]>([
  ["after it", { password: secret, text: `it is ${secret}` }],
  ["before it", { note: `it is ${secret}`, password: secret }],
  ["in a key", { [`for ${secret}`]: 1, password: secret }],
])("in an input, %s", async (_, input) => {
  expect(await isShown(openDesk(), input)).toBe(false);
});

test.each<[string, Deed]>([
  ["after it", () => ({ password: secret, url: `/q?${secret}` })],
  ["before it", () => ({ password: secret, a: `it is ${secret}` })],
  [
    "in an operation's name",
    (_input, { external }) => {
      external({ operationId: `op ${secret}` });
      return { password: secret };
    },
  ],
])("in an output, %s", async (_, deed) => {
  expect(await isShown(openDesk({ deed }), {})).toBe(false);
});
