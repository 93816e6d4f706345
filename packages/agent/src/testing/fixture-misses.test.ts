// A miss says what was asked, what is nearest to it, and how to mend it; in recorded form, where every secret is hidden (S1).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonValue } from "@spfunctions/contracts";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { defineTool } from "../index.ts";
import { openFixture } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "simplefunctions-misses-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  vi.stubEnv("SF_RECORD", "");
  return () => vi.unstubAllEnvs();
});

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read"], kind: "local" } as const;
const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
let runs = 0;
const toolOf = (name: string, more: { description?: string; replay?: { replayable: boolean } } = {}) =>
  defineTool({
    name,
    description: "Finds something.",
    input: {},
    output: {},
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    run: () => (runs += 1),
    ...more,
  });
const packs = [toolOf("shop.find"), toolOf("shop.count"), toolOf("shop.sell")];

let files = 0;
type Asked = readonly [tool: string, input: JsonValue];

/** Records calls, and opens what was recorded. */
async function recorded(calls: readonly Asked[], nowPacks = packs) {
  files += 1;
  const file = join(folder, `${files}.jsonl`);
  const live = await openFixture({ file, record: true, packs, policy: {}, principal });
  for (const [tool, input] of calls) await live.call(tool, input);
  await live.close();
  runs = 0;
  return await openFixture({ file, packs: nowPacks, policy: {}, principal });
}

type Shop = Awaited<ReturnType<typeof recorded>>;

async function missOf(
  shop: Shop,
  tool: string,
  input: JsonValue,
  what = "has no answer for this call",
): Promise<string[]> {
  const error = await rejectionOf(shop.call(tool, input));
  expect([error.code, error.name, runs]).toStrictEqual(["replay_miss", "ReplayMissError", 0]);
  const lines = error.message.split("\n");
  expect([lines[0], lines.at(-1)]).toStrictEqual([
    `${tool}: the fixture ${shop.fixture.file} ${what}, and nothing was called.`,
    "If the test is right, record it anew: run it with SF_RECORD=all.",
  ]);
  return lines.slice(1, -1);
}

describe("a miss shows", () => {
  test("the nearest recorded input, and what differs from it", async () => {
    const shop = await recorded([
      ["shop.find", { article: "pears", page: { from: 0, to: 9 }, tags: ["old"] }],
      ["shop.find", { article: "apples", page: { from: 0, to: 10 }, tags: [] }],
      ["shop.count", { article: "plums" }],
    ]);
    await shop.call("shop.count", { article: "plums" });
    expect(
      await missOf(shop, "shop.find", { article: "apples", page: { from: 10 }, tags: [], "a/b": null }),
    ).toStrictEqual([
      "The nearest recorded input differs in 3 fields:",
      "  /a~1b: recorded nothing, asked null",
      "  /page/from: recorded 0, asked 10",
      "  /page/to: recorded 10, asked nothing",
      "Recorded calls of shop.find: 2, none used yet.",
    ]);
  });

  test("of equally near inputs one that is still to be had", async () => {
    const shop = await recorded([
      ["shop.find", { article: "pears" }],
      ["shop.find", { article: "plums" }],
    ]);
    await shop.call("shop.find", { article: "pears" });
    expect(await missOf(shop, "shop.find", { article: "apples" })).toStrictEqual([
      "The nearest recorded input differs in 1 field:",
      '  /article: recorded "plums", asked "apples"',
      "Recorded calls of shop.find: 2, 1 used already.",
    ]);
  });

  test("that all calls with this input are used up", async () => {
    const shop = await recorded([
      ["shop.find", 1],
      ["shop.find", 1],
      ["shop.find", 2],
    ]);
    await Promise.all([shop.call("shop.find", 1), shop.call("shop.find", 1)]);
    const used = "has given all its answers for this input";
    expect(await missOf(shop, "shop.find", 1, used)).toStrictEqual([
      "Recorded calls of shop.find: 3, 2 used already.",
    ]);
  });

  test("which tools there are, for one that was not called", async () => {
    const shop = await recorded([
      ["shop.find", 1],
      ["shop.count", 1],
      ["shop.find", 2],
    ]);
    expect(await missOf(shop, "shop.sell", {})).toStrictEqual([
      "No call of this tool is in it; in it are: shop.find (2 recorded calls), shop.count (1 recorded call).",
    ]);
  });

  test("that the contract has changed since", async () => {
    const now = [toolOf("shop.find", { description: "Finds something else." })];
    expect(await missOf(await recorded([["shop.find", 1]], now), "shop.find", 2)).toStrictEqual([
      "The nearest recorded input differs in 1 field:",
      "  (the whole input): recorded 1, asked 2",
      "Recorded calls of shop.find: 1, none used yet.",
      "The contract of shop.find is another than the one it was recorded under.",
    ]);
  });

  test("that a tool is never replayed", async () => {
    const now = [toolOf("shop.find", { replay: { replayable: false } })];
    expect(await missOf(await recorded([["shop.find", 1]], now), "shop.find", 1)).toStrictEqual([
      "shop.find says of itself that it is never replayed.",
    ]);
  });

  test("long values cut, no more than ten fields, and nothing that moves the text", async () => {
    const shop = await recorded([["shop.find", {}]]);
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`n${10 + n}`, n]));
    const lines = await missOf(shop, "shop.find", { ...many, n10: "x".repeat(200), n11: "a\u202eb\u0000c" });
    expect(lines).toStrictEqual([
      "The nearest recorded input differs in 12 fields:",
      `  /n10: recorded nothing, asked "${"x".repeat(79)}…`,
      `  /n11: recorded nothing, asked "a�b\\u0000c"`,
      ...Array.from({ length: 8 }, (_, n) => `  /n${n + 12}: recorded nothing, asked ${n + 2}`),
      "  and 2 more",
      "Recorded calls of shop.find: 1, none used yet.",
    ]);
  });

  test("no secret, on either side (S1)", async () => {
    const shop = await recorded([["shop.find", { apiKey: secret, note: `with ${secret}`, n: 1 }]]);
    const error = await rejectionOf(
      shop.call("shop.find", { apiKey: "word", note: `say ${secret}`, n: 1, [secret]: 2 }),
    );
    expect(error.message).toContain("The nearest recorded input differs in");
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain(secret.slice(8, 20));
  });

  test("the same in a stream, whose events end as they always do", async () => {
    const shop = await recorded([["shop.find", 1]]);
    const stream = shop.stream("shop.find", 2);
    const types = [];
    for await (const { type } of stream) types.push(type);
    expect(types.at(-1)).toBe("run.failed");
    expect(await rejectionOf(stream.result)).toMatchObject({
      code: "replay_miss",
      message: expect.stringContaining("recorded 1, asked 2"),
      details: { tool: "shop.find", reason: "input_differs", receipt: { tool: "shop.find" } },
    });
    shop.stream("shop.find", 3);
    await shop.close();
  });
});
