import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { chatFormat } from "../../test/chat-format.ts";
import { ModelProvider } from "../../test/model-provider.ts";
import { modelFrom } from "./model-from.ts";

const folder = mkdtempSync(join(tmpdir(), "sf-model-from-"));
afterAll(() => rmSync(folder, { recursive: true }));
const { signal } = new AbortController();
const input = { messages: [{ role: "user", text: "what now?" }], tools: [], signal } as const;

test("a command line names a script", async () => {
  const file = join(folder, "a:b@c.json");
  writeFileSync(file, '[{"text":"hi"}]');
  const model = modelFrom(`scripted:${file}`, {});
  expect(model.offline).toBe(true);
  expect((await model.complete(input)).text).toBe("hi");
});

describe("a command line names a model at an address", () => {
  test.each([
    [{}, undefined],
    // It is OpenAI's, and this is another address.
    [{ OPENAI_API_KEY: "k-openai" }, undefined],
    [{ OPENAI_API_KEY: "k-openai", SF_MODEL_KEY: "k-ours" }, "Bearer k-ours"],
    [{ OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "k-other" }, undefined],
  ])("with the key of %j", async (env, authorization) => {
    const provider = new ModelProvider(chatFormat);
    const baseUrl = await provider.listen();
    provider.says({ text: "hi", usage: { inputTokens: 1, outputTokens: 1 } });
    const model = modelFrom(`openai:org/m:free@2@${baseUrl}`, env);
    expect((await model.complete(input)).text).toBe("hi");
    expect(JSON.parse(provider.asked[0] ?? "")).toMatchObject({ model: "org/m:free@2" });
    expect(provider.heads[0]?.authorization).toBe(authorization);
    await provider.close();
  });
});

describe("SF_MODEL_USAGE", () => {
  const tools = [{ name: "mail.list", description: "Lists.", input: { type: "object" } }];
  const asked = { messages: [{ role: "user", text: "é" }], tools, maxTokens: 9, signal } as const;

  test("has what a server does not say counted: a token for every two bytes, and none beyond the most", async () => {
    const provider = new ModelProvider(chatFormat);
    const baseUrl = await provider.listen();
    const model = modelFrom(`openai:m@${baseUrl}`, { SF_MODEL_USAGE: "estimate" });
    const bytes = Buffer.byteLength(JSON.stringify(asked.messages) + JSON.stringify(tools));
    const inputTokens = Math.ceil((bytes + 2) / 2);
    provider.says({ text: "hi" });
    expect((await model.complete(asked)).usage).toStrictEqual({ inputTokens, outputTokens: 3 });
    provider.says({ text: "hi".repeat(500) });
    expect((await model.complete(asked)).usage).toStrictEqual({ inputTokens, outputTokens: 9 });
    provider.says({ text: "hi", usage: { inputTokens: 1, outputTokens: 1 } });
    expect((await model.complete(asked)).usage).toStrictEqual({ inputTokens: 1, outputTokens: 1 });
    await provider.close();
  });

  test("takes nothing else", () => {
    const named = () => modelFrom("openai:m@http://127.0.0.1:9/v1", { SF_MODEL_USAGE: "guess" });
    expect(named).toThrow("SF_MODEL_USAGE takes estimate alone");
    expect(modelFrom("openai:m@http://127.0.0.1:9/v1", { SF_MODEL_USAGE: "" }).name).toBe("openai:m");
  });
});

test("the providers' own models need a key, and hold it where nobody sees it", () => {
  const env = { ANTHROPIC_API_KEY: "k-anthropic-1", OPENAI_API_KEY: "k-openai-1" };
  for (const text of ["anthropic:claude-x", "openai:gpt-x"]) {
    const model = modelFrom(text, env);
    expect(model.name).toBe(text);
    expect(inspect(model, { showHidden: true, depth: 9 })).not.toMatch(/k-(?:anthropic|openai)-1/);
  }
  expect(() => modelFrom("anthropic:claude-x", {})).toThrow("set ANTHROPIC_API_KEY or SF_MODEL_KEY");
  expect(() => modelFrom("openai:gpt-x", {})).toThrow("set OPENAI_API_KEY or SF_MODEL_KEY");
});

test.each([
  "",
  "gpt-5",
  "openai:",
  "openai:@https://a.test",
  "openai:m@ftp://a.test",
  "ollama:m",
  "scripted:",
  ":x",
])("%j names no model", (text) => {
  expect(() => modelFrom(text, { OPENAI_API_KEY: "k" })).toThrow(
    "this names no model; write scripted:<file>",
  );
});

test("a key goes to no other machine in the open", () => {
  const named = "openai:m@http://models.test/v1";
  expect(() => modelFrom(named, { SF_MODEL_KEY: "k-123456789" })).toThrow(/plain http/);
});
