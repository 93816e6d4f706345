// A1, G4: an approval of a read whose input holds a secret lets the read run with the secret, and not with what stands for it on record.
import { expect, test } from "vitest";
import { codeOf } from "../../test-data/call-desk.ts";
import { askingPolicy, openAsking } from "../../test-data/call-approvals.ts";

const secret = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";
const read = (value: string) => ({ tool: "notes.read", input: { value } });
const asksAboutReads = {
  levels: [
    { level: "agent", policy: { ...askingPolicy, approvals: { requireForSideEffectAtOrAbove: "none" } } },
  ],
} as const;

test("a read that was approved with a secret does not run with its placeholder, and runs with the secret", async () => {
  const desk = openAsking(asksAboutReads);
  const asked = await desk.call(read(secret));
  const approvalId = asked.type === "refused" ? String(asked.error.details?.["approvalId"]) : "";
  const { input } = await desk.operator.approve(approvalId);
  const { value } = input as { value: string };
  expect(value).toMatch(/^\[redacted:/);
  for (const request of [read(value), { ...read(value), approvalId }]) {
    const outcome = await desk.call(request);
    expect(outcome).toMatchObject({
      type: "refused",
      error: { code: "invalid_input", details: { reason: "redacted_value_in_input" } },
    });
  }
  expect(desk.deck.runs).toStrictEqual([]);
  expect(codeOf(await desk.call(read(secret)))).toBe("completed");
  expect(desk.deck.runs).toMatchObject([{ text: `{"value":"${secret}"}` }]);
});

test("a read about which nobody is asked may ask about a placeholder", async () => {
  const desk = openAsking();
  expect(codeOf(await desk.call(read("[redacted:stripe:0123456789ab]")))).toBe("completed");
});
