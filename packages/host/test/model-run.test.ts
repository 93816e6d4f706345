// A run over real sockets and a real database: what its provider does is told in the run's records, and its key is in none of them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  defineTool,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  Runs,
  type RunsOptions,
} from "@spfunctions/kernel";
import type { GivenAnswer } from "@spfunctions/kernel/conformance";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anthropic, openaiCompatible } from "../src/models/index.ts";
import { openSqliteStore } from "../src/store/index.ts";
import { chatFormat } from "./chat-format.ts";
import { dataFolder } from "./data-folder.ts";
import { messagesFormat } from "./messages-format.ts";
import { ModelProvider, type WireFormat } from "./model-provider.ts";

const apiKey = "the+key/of the-tests%42";
const usage = { inputTokens: 10, outputTokens: 2 };
const list: GivenAnswer = { calls: [{ id: "c1", name: "mail_list", args: "{}" }], usage };

const tool = defineTool({
  name: "mail.list",
  description: "What is in the inbox.",
  input: z.strictObject({}),
  output: z.strictObject({ letters: z.array(z.string()) }),
  permissions: ["mail:read"],
  sideEffect: "none",
  costEffect: "none",
  run: () => ({ letters: ["an invoice"] }),
});

async function runWith(adapter: ModelAdapter, folder: string) {
  const options = {
    packs: [[tool]],
    levels: [{ level: "agent", policy: { budget: { maxSteps: 5, maxToolCalls: 5 } } }],
    principal: { accountId: "office", keyId: "anna", scopes: ["read"], kind: "key" },
    agentId: "secretary",
    model: { adapter },
    installation: openInstallation(newInstallationSecret()),
    runLimits: { backoffMs: 1 },
  } as const satisfies Partial<RunsOptions>;
  const store = await openSqliteStore({ folder });
  const runs = new Runs({ ...options, store });
  const result = await (await runs.start({ objective: "what is there?" })).wait();
  await runs.close();
  await store.close();
  return result;
}

const adapters: [string, WireFormat, (baseUrl: string) => ModelAdapter][] = [
  ["chat completions", chatFormat, (baseUrl) => openaiCompatible({ model: "m", baseUrl, apiKey })],
  ["the messages API", messagesFormat, (baseUrl) => anthropic({ model: "m", baseUrl, apiKey })],
];

describe.each(adapters)("a run over %s", (_, format, adapterAt) => {
  test("hears a refusal, an answer that breaks off and one that is whole; and its key is in no record", async () => {
    const folder = dataFolder();
    const provider = new ModelProvider(format);
    const baseUrl = await provider.listen();
    const echo = new TextEncoder().encode(JSON.stringify({ error: { message: `busy, ${apiKey}` } }));
    const { bytes } = format(list, "complete");
    provider.plays([
      { status: 503, pieces: [echo] },
      { pieces: [bytes.subarray(0, 40)], ending: "break" },
      { pieces: [bytes] },
      { pieces: [format({ text: "an invoice", usage }, "complete").bytes] },
    ]);
    const result = await runWith(adapterAt(baseUrl), folder);
    await provider.close();
    expect(result).toMatchObject({ status: "completed", output: "an invoice" });
    expect(provider.asked).toHaveLength(4);
    expect(provider.asked[3]).toContain("mail_list");
    // The one that broke off has cost what was set aside for it; the one that was refused nothing.
    expect(result.spent.outputTokens).toBe(4096 + 2 + 2);
    expectNoKey(folder);
  });

  const page = new TextEncoder().encode("<html><title>Welcome</title></html>");
  test.each([
    ["a page", page, "neither JSON nor an event stream (text/html)", undefined],
    ["an answer without usage", format({ text: "hi" }, "complete").bytes, "how many tokens", 4096],
  ])("is ended by %s, which asking again would not change", async (_what, bytes, words, outputTokens) => {
    const folder = dataFolder();
    const provider = new ModelProvider(format);
    const baseUrl = await provider.listen();
    provider.reply({ headers: { "content-type": "text/html" }, pieces: [bytes] });
    const result = await runWith(adapterAt(baseUrl), folder);
    await provider.close();
    expect(result).toMatchObject({ status: "failed", error: { code: "provider_failed" } });
    expect(result.error?.message).toContain(words);
    expect(provider.asked).toHaveLength(1);
    expect(result.spent.outputTokens).toBe(outputTokens);
    expectNoKey(folder);
  });
});

function expectNoKey(folder: string): void {
  for (const file of readdirSync(folder)) {
    const kept = readFileSync(join(folder, file), "latin1");
    expect(kept.includes(apiKey) || kept.includes(btoa(apiKey).slice(0, 16))).toBe(false);
  }
}
