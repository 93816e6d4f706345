// Record once, then never live. B23: a test never runs a live tool again. R1: what is not recorded is a miss.
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readTrace, traceEntries } from "@spfunctions/kernel";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { defineTool } from "../index.ts";
import { openFixture } from "./index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "local" } as const;
const policy = { maxSideEffect: "user_write" } as const;
const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";

/** How often something ran. */
let runs = 0;
const roll = defineTool({
  name: "dice.roll",
  description: "Rolls a die.",
  input: z.strictObject({ sides: z.int().default(6), apiKey: z.string().optional() }),
  output: z.strictObject({ roll: z.int() }),
  permissions: [],
  sideEffect: "none",
  costEffect: "none",
  run: () => {
    runs += 1;
    return { roll: runs };
  },
});
const keep = defineTool({
  name: "dice.keep",
  description: "Keeps a roll, but not a high one.",
  input: z.strictObject({ roll: z.int() }),
  output: z.null(),
  permissions: [],
  sideEffect: "user_write",
  costEffect: "none",
  run: ({ roll: kept }) => {
    runs += 1;
    if (kept > 6) throw new Error("no die has this number");
    return null;
  },
});
const secretRoll = defineTool({
  name: "dice.once",
  description: "Says something that is said once.",
  input: {},
  output: {},
  permissions: [],
  sideEffect: "none",
  costEffect: "none",
  replay: { replayable: false },
  run: () => 1,
});

beforeEach(() => {
  runs = 0;
  vi.stubEnv("CI", "");
  vi.stubEnv("SF_RECORD", "");
  return () => vi.unstubAllEnvs();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-fixture-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const newFile = () => join(newFolder(), "dice.jsonl");
const open = (file: string | URL, more: { record?: boolean; unused?: "fail" | "ignore" } = {}) =>
  openFixture({ file, packs: [roll, keep, secretRoll], policy, principal, ...more });
type Opened = Awaited<ReturnType<typeof open>>;

const codeOf = async (work: Promise<unknown>) => (await rejectionOf(work)).code;

/** Everything that can come of a call: an answer, a failure, a refusal by the judge and one of the input. */
async function play(dice: Opened): Promise<unknown[]> {
  const said: unknown[] = [];
  said.push((await dice.call("dice.roll", {})).output, (await dice.tools.dice.roll({ sides: 6 })).output);
  said.push((await dice.call("dice.keep", { roll: 2 }, { idempotencyKey: "k" })).output);
  said.push((await dice.call("dice.keep", { roll: 2 }, { idempotencyKey: "k" })).output);
  said.push(await codeOf(dice.call("dice.keep", { roll: 7 })));
  const named = (name: string, input: unknown) => dice.call(name, input);
  said.push(await codeOf(named("dice.roll", { sides: "many" })));
  said.push(await codeOf(named("dice.gone", {})));
  const stream = dice.stream("dice.roll", { sides: 20 });
  for await (const { type } of stream) said.push(type);
  said.push((await stream.result).output);
  return said;
}

describe("a fixture", () => {
  test("is recorded once from live calls, and then nothing runs again (B23)", async () => {
    const file = newFile();
    const live = await open(file, { record: true });
    expect(live.fixture).toMatchObject({ file, mode: "record" });
    const said = await play(live);
    await live.close();
    expect([runs, readdirSync(join(file, ".."))]).toStrictEqual([5, ["dice.jsonl"]]);

    const text = readFileSync(file, "utf8");
    const replayed = await open(file, { unused: "fail" });
    expect(replayed.fixture).toMatchObject({ file, mode: "replay" });
    expect(replayed.fixture.unused()).toHaveLength(8);
    expect(await play(replayed)).toStrictEqual(said);
    expect(replayed.fixture.unused()).toStrictEqual([]);
    await replayed.close();
    expect([runs, readFileSync(file, "utf8")]).toStrictEqual([5, text]);
  });

  test("may be named by a URL, in a folder that is not there yet", async () => {
    const file = join(newFolder(), "deep", "er", "dice.jsonl");
    const live = await open(pathToFileURL(file), { record: true });
    await live.close();
    expect((await open(file)).fixture).toMatchObject({ file, mode: "replay" });
  });

  test("that is missing is an error that names it, and nothing runs", async () => {
    const file = newFile();
    expect(await rejectionOf(open(file))).toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringContaining(file),
      details: { reason: "fixture_missing" },
    });
    expect([runs, readdirSync(join(file, ".."))]).toStrictEqual([0, []]);
  });

  test("is recorded with SF_RECORD=1 where it is missing, and anew with SF_RECORD=all", async () => {
    const file = newFile();
    const once = async () => {
      const dice = await open(file);
      const { output } = await dice.call("dice.roll", {});
      await dice.close();
      return output.roll;
    };
    vi.stubEnv("SF_RECORD", "1");
    expect([await once(), await once()]).toStrictEqual([1, 1]);
    const text = readFileSync(file, "utf8");
    const reader = openSync(file, "r");
    vi.stubEnv("SF_RECORD", "all");
    expect([await once(), await once()]).toStrictEqual([2, 3]);
    // Whoever has the one before open has all of it.
    expect(readFileSync(reader, "utf8")).toBe(text);
    closeSync(reader);
    vi.stubEnv("SF_RECORD", "");
    expect(await once()).toBe(3);
  });

  test("in which nothing was called has an answer to nothing, and is no empty file", async () => {
    const file = newFile();
    await (await open(file, { record: true })).close();
    const dice = await open(file, { unused: "fail" });
    expect(await rejectionOf(dice.call("dice.roll", {}))).toMatchObject({
      code: "replay_miss",
      details: { reason: "tool_not_recorded" },
      message: expect.stringContaining("No call of any tool is in it."),
    });
    await dice.close();
    writeFileSync(file, "");
    expect(await rejectionOf(open(file))).toMatchObject({ code: "journal_corrupt" });
  });

  test("holds no secret, and matches a call with another one", async () => {
    const file = newFile();
    const live = await open(file, { record: true });
    const { output } = await live.call("dice.roll", { apiKey: secret });
    await live.close();
    expect(readFileSync(file, "utf8")).not.toContain(secret);
    const dice = await open(file);
    expect(await dice.call("dice.roll", { apiKey: `${secret}x` })).toMatchObject({
      output,
      matchedBy: "redacted",
    });
  });

  test("that was recorded under another contract still matches, and says so", async () => {
    const file = newFile();
    const live = await open(file, { record: true });
    await live.call("dice.roll", {});
    await live.close();
    const { contract } = roll;
    const changed = defineTool({
      name: "dice.roll",
      description: "Rolls a die, and says so in other words.",
      input: z.strictObject({ sides: z.int().default(6) }),
      output: z.strictObject({ roll: z.int() }),
      permissions: [],
      sideEffect: "none",
      costEffect: "none",
      run: () => ({ roll: 0 }),
    });
    const dice = await openFixture({ file, packs: [changed], policy, principal });
    expect(await dice.call("dice.roll", {})).toMatchObject({
      output: { roll: 1 },
      recordedToolDigest: contract.digest,
    });
  });

  test("replays what a policy allows now, and no more", async () => {
    const file = newFile();
    const live = await open(file, { record: true });
    await live.call("dice.keep", { roll: 1 });
    await live.close();
    const dice = await openFixture({ file, packs: [keep], policy: {}, principal });
    expect(await rejectionOf(dice.call("dice.keep", { roll: 1 }))).toMatchObject({ code: "policy_denied" });
    expect(dice.fixture.unused()).toMatchObject([{ tool: "dice.keep" }]);
  });
});

describe("what ends badly leaves no fixture:", () => {
  test("a recording that is disposed of and was not closed", async () => {
    const file = newFile();
    const failing = async () => {
      await using dice = await open(file, { record: true });
      await dice.call("dice.roll", {});
      throw new Error("the test has failed");
    };
    await expect(failing()).rejects.toThrow("the test has failed");
    expect(readdirSync(join(file, ".."))).toStrictEqual([]);
  });

  test("one that is discarded, also where it is closed afterwards", async () => {
    const file = newFile();
    const dice = await open(file, { record: true });
    await dice.call("dice.roll", {});
    await dice.fixture.discard();
    await dice.close();
    expect(readdirSync(join(file, ".."))).toStrictEqual([]);
  });

  test("while what was there before stays", async () => {
    const file = newFile();
    await (await open(file, { record: true })).close();
    const before = readFileSync(file, "utf8");
    vi.stubEnv("SF_RECORD", "all");
    const dice = await open(file);
    await dice.call("dice.roll", {});
    await dice.fixture.discard();
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("one whose calls could never be replayed", async () => {
    const file = newFile();
    const dice = await open(file, { record: true });
    await dice.call("dice.once", {});
    expect(await rejectionOf(dice.close())).toMatchObject({
      code: "invalid_input",
      details: { tool: "dice.once", reason: "not_replayable" },
    });
    expect(readdirSync(join(file, ".."))).toStrictEqual([]);
  });

  test("while one that was closed within its block is kept", async () => {
    const file = newFile();
    {
      await using dice = await open(file, { record: true });
      await dice.call("dice.roll", {});
      await dice.close();
    }
    expect(traceEntries(await readTrace(readFileSync(file, "utf8")))).toHaveLength(1);
  });
});

describe("a file", () => {
  test("is recorded by one at a time in a process, and by the next one after it", async () => {
    const file = newFile();
    const first = await open(file, { record: true });
    expect(await rejectionOf(open(file, { record: true }))).toMatchObject({
      code: "invalid_input",
      details: { reason: "fixture_in_use" },
    });
    await first.fixture.discard();
    const unwilling = openFixture({ file, record: true, packs: [roll, roll], policy, principal });
    expect(await rejectionOf(unwilling)).toMatchObject({ code: "invalid_manifest" });
    await (await open(file, { record: true })).close();
    expect(readdirSync(join(file, ".."))).toStrictEqual(["dice.jsonl"]);
  });

  test.each<[string, (text: string) => string]>([
    ["an answer was edited", (text) => text.replace('{\\"roll\\":1}', '{\\"roll\\":6}')],
    ["a line was taken out", (text) => text.split("\n").toSpliced(1, 1).join("\n")],
    ["the end was cut off", (text) => `${text.split("\n").slice(0, -2).join("\n")}\n`],
    ["the last line was torn", (text) => text.slice(0, -20)],
    ["something else was put", () => "hello\n"],
  ])("in which %s is refused by its name (B22)", async (_, change) => {
    const file = newFile();
    const live = await open(file, { record: true });
    await live.call("dice.roll", {});
    await live.close();
    const text = readFileSync(file, "utf8");
    const changed = change(text);
    expect(changed).not.toBe(text);
    writeFileSync(file, changed);
    expect(await rejectionOf(open(file, { record: true }))).toMatchObject({
      code: "journal_corrupt",
      message: expect.stringContaining(`the fixture ${file} cannot be trusted: record `),
    });
    vi.stubEnv("SF_RECORD", "all");
    await (await open(file)).close();
    vi.stubEnv("SF_RECORD", "");
    expect((await open(file)).fixture.mode).toBe("replay");
  });

  test("is the same with the line ends of another system", async () => {
    const file = newFile();
    const live = await open(file, { record: true });
    await live.call("dice.roll", {});
    await live.close();
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
    expect((await (await open(file)).call("dice.roll", {})).output).toStrictEqual({ roll: 1 });
  });

  test("that cannot be written is told before anything runs, and one that cannot be read by its name", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "file"), "");
    const file = join(folder, "file", "dice.jsonl");
    expect(await rejectionOf(open(file, { record: true }))).toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringContaining(file),
    });
    mkdirSync(join(folder, "folder"));
    expect(await rejectionOf(open(join(folder, "folder")))).toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringContaining("cannot be read (EISDIR)"),
    });
  });
});

describe("recorded calls that were not asked for", () => {
  test("are an error at the end where that is wanted", async () => {
    const file = newFile();
    const live = await open(file, { record: true });
    for (const sides of [6, 20, 20]) {
      await live.call("dice.roll", { sides });
    }
    await live.close();
    const strict = await open(file, { unused: "fail" });
    await strict.call("dice.roll", { sides: 20 });
    expect(await rejectionOf(strict.close())).toMatchObject({
      code: "replay_miss",
      message: `nobody has asked for 2 recorded calls of dice.roll in the fixture ${file}; if the test is right, record it anew: run it with SF_RECORD=all`,
      details: { reason: "unused_calls" },
    });
    const easy = await open(file);
    await easy.close();
    expect(easy.fixture.unused()).toHaveLength(3);
  });
});

test.each(["trace", "replay", "mode", "inspects"])("%s is the fixture's own", async (option) => {
  const options = { file: newFile(), packs: [roll], policy, principal, [option]: true };
  expect(await rejectionOf(openFixture(options))).toMatchObject({
    code: "invalid_input",
    message: `a fixture has its own ${option}; leave it away`,
  });
});
