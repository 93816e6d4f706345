// `sf run` with a model that is asked over a socket, as somebody's own server is.
import type { GivenAnswer } from "@spfunctions/kernel/conformance";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findForms } from "../../../proofs/canary/find-forms.ts";
import { chatFormat } from "../../host/test/chat-format.ts";
import { ModelProvider } from "../../host/test/model-provider.ts";
import { bounded, running, withPolicy } from "../test-data/run-scripts.ts";
import { Home } from "../test-data/run-sf.ts";

const key = "a-key-of-mine-0123456789-abcdef";
const usage = { inputTokens: 40, outputTokens: 20 };
const looking: GivenAnswer = {
  text: "I look.",
  calls: [{ id: "c1", name: "notes_read", args: '{"id":7}' }],
  usage,
};

async function provider(...answers: readonly GivenAnswer[]): Promise<{ served: ModelProvider; url: string }> {
  const served = new ModelProvider(chatFormat);
  const url = await served.listen();
  onTestFinished(() => served.close());
  served.plays(answers.map((answer) => ({ pieces: [chatFormat(answer, "stream").bytes] })));
  return { served, url };
}

function asking(home: Home, url: string, ...more: readonly string[]): string[] {
  return running(home, [], ...more).map((word) => (word.startsWith("scripted:") ? `openai:m@${url}` : word));
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
}

test("a model behind an address is told its tools, calls them and answers; its key is in no output and no file", async () => {
  const { served, url } = await provider(looking, { text: "there is milk", usage });
  const home = new Home({ SF_MODEL_KEY: key });
  const { code, out, err } = await home.run(asking(home, url, "--instructions", "Be brief."));
  expect({ code, out }).toStrictEqual({ code: 0, out: "there is milk\n" });
  expect(err).toContain("model   openai:m; what it costs is not known\n");
  expect(err).toContain("\n  │ I look.\n");
  expect(err).toContain("so far 2 steps, 1 call, 80 tokens in, 40 tokens out\n");
  expect(served.heads.map((head) => head.authorization)).toStrictEqual([`Bearer ${key}`, `Bearer ${key}`]);
  const asked = JSON.parse(served.asked[0] ?? "") as {
    messages: object[];
    tools: { function: { name: string } }[];
  };
  expect(asked.messages[0]).toMatchObject({ role: "system", content: "Be brief." });
  expect(asked.tools.map((tool) => tool.function.name)).toContain("notes_read");
  const kept = [out, err, ...filesOf(home.folder)];
  expect(kept.flatMap((text) => findForms(text, key))).toStrictEqual([]);
});

test("a provider that repeats the key is not listened to, and nothing of it is shown", async () => {
  const { url } = await provider({ text: `your key is ${key}`, usage });
  const home = new Home({ SF_MODEL_KEY: key });
  const { code, out, err } = await home.run(asking(home, url));
  expect(code).toBe(1);
  expect([out, err, ...filesOf(home.folder)].flatMap((text) => findForms(text, key))).toStrictEqual([]);
});

test("what a broken attempt has said is told to be void, and what it may have cost counts", async () => {
  const { served, url } = await provider();
  const whole = chatFormat({ text: "there is milk", usage }, "stream").bytes;
  served.plays([
    { pieces: [whole.subarray(0, whole.length - 200)], ending: "break" },
    { status: 503, pieces: [new TextEncoder().encode('{"error":{"message":"busy"}}')] },
    { pieces: [whole] },
  ]);
  const home = new Home();
  const { code, out, err } = await home.run(asking(home, url));
  expect({ code, out }).toStrictEqual({ code: 0, out: "there is milk\n" });
  expect(err).toMatch(
    /attempt 1 at asking .* came to nothing[^]*attempt 2 at asking .* came to nothing[^]*milk/,
  );
  expect(err).toMatch(/ {2}completed; 1 step, \d+ tokens in, 4\d{3} tokens out/);
});

test("a server that does not say what an answer has cost is used where sf is told to count", async () => {
  const { served, url } = await provider({ text: "there is milk" });
  const home = new Home();
  const refused = await home.run(asking(home, url));
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("set SF_MODEL_USAGE=estimate") });
  expect(served.asked).toHaveLength(1);
  const counting = new Home({ SF_MODEL_USAGE: "estimate" });
  const { code, out, err } = await counting.run(asking(counting, url));
  expect({ code, out }).toStrictEqual({ code: 0, out: "there is milk\n" });
  expect(err).toMatch(/ {2}completed; 1 step, \d+ tokens in, 9 tokens out/);
});

test("money is no bound for a model whose price nobody knows; tokens are", async () => {
  const costly = { ...looking, usage: { ...usage, outputTokens: 2000 } };
  const { served, url } = await provider(costly, costly);
  const home = new Home();
  const argv = asking(home, url, ...withPolicy);
  home.write("policy.json", { ...bounded, budget: { ...bounded.budget, budgetUsd: 1 } });
  expect(await home.run(argv)).toMatchObject({
    code: 2,
    err: expect.stringContaining("budget.maxTokens instead"),
  });
  expect(served.asked).toHaveLength(0);
  home.write("policy.json", { ...bounded, budget: { ...bounded.budget, maxTokens: 6000 } });
  const { code, err } = await home.run(argv);
  expect({ code, err }).toMatchObject({ code: 3, err: expect.stringContaining("error budget_exceeded: ") });
  expect(served.asked).toHaveLength(1);
});

test("a run that waits goes on with the model that is named again, at its address", async () => {
  const adding: GivenAnswer = { calls: [{ id: "c1", name: "notes_add", args: '{"text":"milk"}' }], usage };
  const { url } = await provider(adding, { text: "done", usage });
  const home = new Home();
  const { code, err } = await home.run(asking(home, url, ...withPolicy));
  expect(code).toBe(4);
  const commands = [...err.matchAll(/: sf ((?:approvals approve|runs resume) .*)$/gm)].map(
    ([, line = ""]) => line,
  );
  expect(commands.at(-1)).toContain(` --model openai:m@${url}`);
  const codes: number[] = [];
  for (const command of commands) codes.push((await home.run(command.split(" "))).code);
  expect(codes).toStrictEqual([0, 0]);
});
