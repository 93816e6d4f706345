// S1: a secret that only its name gives away is hidden also where a memory or a checkpoint says it again without its name.
import { expect, test } from "vitest";
import { byUser, memoryDesk } from "../../../test-data/memory-desk.ts";

const secret = "vK3nQ8sLw2Zr7Tm5";

test.each([
  ["in its text", { text: `API_KEY=${secret}; later ${secret} again` }],
  ["in its text, of which a tag names it", { text: `the one is ${secret}`, tags: [`token=${secret}`] }],
  ["in a tag, which its text names", { text: `API_KEY=${secret}`, tags: [secret] }],
])("a memory shows no secret that is named once, %s", async (_, given) => {
  const { open } = memoryDesk();
  const memory = open();
  const kept = await memory.remember({ ...given, source: byUser });
  expect(JSON.stringify(kept)).not.toContain(secret);
  expect(JSON.stringify(kept)).toContain("[redacted:");
});

test("a long text that is kept as several memories shows it in none of them", async () => {
  const { open } = memoryDesk();
  const memory = open();
  const filler = "It is a long day, and nothing much happens on it.\n\n".repeat(200);
  const kept = await memory.rememberLong({ text: `${secret}\n\n${filler}API_KEY=${secret}`, source: byUser });
  expect(kept.length).toBeGreaterThan(1);
  expect(JSON.stringify(kept)).not.toContain(secret);
});
