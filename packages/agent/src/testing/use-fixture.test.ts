// Real test runs, by vitest and by node --test, in processes of their own: recorded once, then never live (B23).
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { SuiteContext, TestContext as NodeContext } from "node:test";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  describe,
  expect,
  expectTypeOf,
  onTestFinished,
  test,
  type TestContext as VitestContext,
} from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { type TestContext, useFixture } from "./index.ts";

const root = resolve(import.meta.dirname, "../../../..");
/** What only vitest has: another attempt, and a test that is to fail. */
const ofVitest = `
let attempts = 0;
test("is tried again", { retry: 1 }, async (t) => {
  attempts += 1;
  await rolls(t, attempts === 1 ? [1] : [1, 2], { unused: attempts === 1 ? "ignore" : "fail" });
  if (attempts === 1) throw new Error("on purpose");
});
test.fails("is to fail", async (t) => {
  await rolls(t, [1]);
  throw new Error("on purpose");
});
`;
const runners = {
  "node:test": {
    atOnce: 'describe("at once", { concurrency: true }, ',
    command: ["--conditions=source", "--test", "--test-reporter=tap", "dice.test.mjs"],
    more: { code: "", good: [], files: [] },
  },
  vitest: {
    atOnce: 'describe.concurrent("at once", ',
    command: [join(root, "node_modules/vitest/vitest.mjs"), "run", "--reporter=tap-flat"],
    more: { code: ofVitest, good: ["is tried again", "is to fail"], files: ["is-tried-again", "is-to-fail"] },
  },
} as const;
type Runner = keyof typeof runners;

const story = (runner: Runner) => `
import { appendFileSync } from "node:fs";
import { describe, test } from "${runner}";
import { defineTool } from "@spfunctions/agent";
import { useFixture } from "@spfunctions/agent/testing";

const isRecorded = process.env.AGAIN === undefined;
const roll = defineTool({
  name: "dice.roll", description: "Rolls a die.", input: {}, output: {}, permissions: [],
  sideEffect: "none", costEffect: "none",
  run: () => {
    appendFileSync("runs", "x");
    return Math.random();
  },
});
const principal = { accountId: "a", keyId: "k", scopes: ["read"], kind: "local" };
const use = { packs: [roll], policy: {}, principal };
const rolls = async (t, inputs, more) => {
  const dice = await useFixture(t, { ...use, ...more });
  const said = [];
  for (const input of inputs) said.push((await dice.call("dice.roll", input)).output);
  appendFileSync("said", \`\${t.fullName ?? t.task.fullTestName} \${said}\\n\`);
  return dice;
};

test("rolls", async (t) => void await rolls(t, [1, 2, 2], { unused: "fail" }));
test("würfelt: 日本語 / ../../x", async (t) => void await rolls(t, [1]));
test("has two fixtures", async (t) => {
  await rolls(t, [1], { name: "one" });
  await rolls(t, [2], { name: "two" });
});
test("takes one fixture twice", async (t) => {
  await rolls(t, [1]);
  await rolls(t, [1]);
});
${runners[runner].atOnce}() => {
  for (const name of ["a", "b", "c"]) test(name, async (t) => void await rolls(t, [name, 1, name, 2]));
});
describe("twins", () => {
  for (const n of [1, 2]) test("twin", async (t) => void await rolls(t, [n]));
});
test("throws", async (t) => {
  await rolls(t, [1]);
  throw new Error("on purpose");
});
test("closes, then throws", async (t) => {
  await using dice = await rolls(t, [1]);
  await dice.close();
  throw new Error("on purpose");
});
test("asks for less", async (t) => void await rolls(t, isRecorded ? [1, 2] : [1], { unused: "fail" }));
test("asks for other things", async (t) => void await rolls(t, [{ n: isRecorded ? 1 : 2 }]));
${runners[runner].more.code}`;

const config = `
import { defaultServerConditions } from "vite";
const conditions = ["source", ...defaultServerConditions];
export default { resolve: { conditions }, ssr: { resolve: { conditions } }, test: { include: ["*.test.mjs"] } };
`;

function newProject(runner: Runner): string {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-tests-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "vitest.config.mjs"), config);
  writeFileSync(join(folder, "dice.test.mjs"), story(runner));
  for (const file of ["runs", "said"]) writeFileSync(join(folder, file), "");
  return folder;
}

const suites = new Set(["at once", "twins", "dice.test.mjs"]);

type Run = {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly output: string;
};

/** Runs a project's tests, and says how each of them went. */
function run(runner: Runner, folder: string, environment: Record<string, string> = {}): Promise<Run> {
  const ours = /^(?:CI|SF_RECORD|NODE_TEST_CONTEXT|NODE_OPTIONS|VITEST.*|TEST|NODE_ENV)$/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
  return new Promise((done) => {
    const options = { cwd: folder, env: { ...env, ...environment } };
    execFile(process.execPath, [...runners[runner].command], options, (_, stdout, stderr) => {
      const lines = [...stdout.matchAll(/^ *(ok|not ok) \d+ - (?:.* > )?(.*?)(?: # .*)?$/gm)];
      const named = (how: string) =>
        lines.flatMap(([, result, name = ""]) => (result === how && !suites.has(name) ? [name] : []));
      done({ passed: named("ok"), failed: named("not ok"), output: stdout + stderr });
    });
  });
}

const fixturesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.startsWith("__fixtures__") && /\.(?:jsonl|draft)$/.test(file))
    .map((file) => file.replace(/-?[0-9a-f]{16}\.jsonl$/, ""))
    .toSorted();
const runsIn = (folder: string) => readFileSync(join(folder, "runs"), "utf8").length;
/** What the tests were answered, whoever was first. */
const saidIn = (folder: string) => {
  const said = readFileSync(join(folder, "said"), "utf8").split("\n").toSorted();
  writeFileSync(join(folder, "said"), "");
  return said;
};

const isOfGood = (line: string) => /^(?:rolls|würfelt.*|has two.*|at once > .) /.test(line);
const good = ["rolls", "würfelt: 日本語 / ../../x", "has two fixtures", "a", "b", "c"];
const neverGood = ["takes one fixture twice", "throws", "closes, then throws"];

const keptFiles =
  "asks-for-less asks-for-other-things at-once-a at-once-b at-once-c has-two-fixtures-one has-two-fixtures-two rolls wurfelt-x".split(
    " ",
  );

describe.each(["node:test", "vitest"] as const)("under %s", (runner) => {
  test("what was recorded once is never live again, and what fails leaves nothing (B23)", async () => {
    const folder = newProject(runner);
    const { more } = runners[runner];

    const recorded = await run(runner, folder, { SF_RECORD: "1" });
    const changing = ["asks for less", "asks for other things"];
    const twins = recorded.passed.filter((name) => name === "twin");
    expect(recorded.passed.toSorted()).toStrictEqual(
      [...good, ...more.good, ...changing, ...twins].toSorted(),
    );
    expect(new Set(recorded.failed)).toStrictEqual(new Set([...neverGood, "twin"]));
    expect(recorded.output).toContain("another test of this file has the same name");
    expect(recorded.output).toContain("this test has a fixture already");
    const files = fixturesIn(folder).map((file) => file.replace("__fixtures__/dice.test.mjs/", ""));
    expect(files).toStrictEqual([...keptFiles, ...more.files, ...twins.map(() => "twins-twin")].toSorted());
    const said = saidIn(folder);
    const runs = runsIn(folder);

    const replayed = await run(runner, folder, { CI: "1", SF_RECORD: "1", AGAIN: "1" });
    expect(replayed.passed.toSorted()).toStrictEqual([...good, ...more.good, ...twins].toSorted());
    expect(runsIn(folder)).toBe(runs);
    expect(fixturesIn(folder)).toHaveLength(files.length);
    expect(saidIn(folder).filter(isOfGood)).toStrictEqual(said.filter(isOfGood));
    expect(said.filter(isOfGood)).toHaveLength(7);
    expect(replayed.output).toContain("nobody has asked for 1 recorded call of dice.roll in the fixture");
    expect(replayed.output).toContain("/n: recorded 1, asked 2");
    expect(replayed.output).toContain(
      "and CI is set, where nothing is recorded; run this test once with SF_RECORD=1 elsewhere",
    );
  });
});

test("takes the contexts of both by their types, and no other", async () => {
  expectTypeOf<NodeContext>().toExtend<TestContext>();
  expectTypeOf<VitestContext>().toExtend<TestContext>();
  expectTypeOf<SuiteContext>().not.toExtend<TestContext>();
  const principal = { accountId: "a", keyId: "k", scopes: ["read"], kind: "local" } as const;
  const others: unknown[] = [{}, { name: "x" }, { task: {} }, { fullName: "x", after: () => undefined }];
  for (const context of others) {
    const using = useFixture(context as TestContext, { packs: [], policy: {}, principal });
    expect(await rejectionOf(using)).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("take openFixture and name the file"),
    });
  }
});
