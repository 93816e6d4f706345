import { describe, expect, test } from "vitest";
import { callNotes, preparedHome, recordedHome } from "../../test-data/recorded-home.ts";
import { runExamples } from "../../test-data/run-examples.ts";
import type { Home } from "../../test-data/run-sf.ts";

const tryOn = (policy: string, ...argv: readonly string[]) => [
  "policy",
  "test",
  policy,
  "--trace",
  "run.jsonl",
  ...argv,
];

async function callIdIn(home: Home, trace: string): Promise<string> {
  const { out } = await home.run(["trace", "show", trace, "--json"]);
  return (JSON.parse(out) as { entries: { callId: string }[] }).entries[0]?.callId ?? "";
}

describe("sf policy test", () => {
  test("finds no difference under the policy that was in force, and exits with 0", async () => {
    const home = await recordedHome();
    expect(await home.run(tryOn("writer.json", "--trace", "failed.jsonl"))).toStrictEqual({
      code: 0,
      out: "of 2 recorded calls 2 were allowed and 2 would be; 0 differ\n",
      err: "",
    });
    expect((await home.run(tryOn("writer.json", "--expect", "no-change"))).code).toBe(0);
  });

  test("exits with 3 where something that was done would be refused, and says which and why", async () => {
    const home = await recordedHome();
    const callId = await callIdIn(home, "run.jsonl");
    const { code, out } = await home.run(tryOn("none.json"));
    const [head = "", row = "", ...rest] = out.trimEnd().split("\n");
    expect({ code, rest }).toStrictEqual({
      code: 3,
      rest: ["of 1 recorded calls 1 were allowed and 0 would be; 1 differ"],
    });
    expect(head.split(/ {2,}/)).toStrictEqual(["call", "tool", "was", "would be", "why"]);
    expect(row.split(/ {2,}/)).toStrictEqual([
      callId,
      "notes.add",
      "allow, completed",
      "deny at max.sideEffect",
      expect.stringContaining("its side effect is user_write, and"),
    ]);
    const json = await home.run(tryOn("none.json", "--json"));
    expect({ code: json.code, ...(JSON.parse(json.out) as object) }).toMatchObject({
      code: 3,
      ok: false,
      counts: { calls: 1, different: 1 },
      differences: [{ callId, tool: "notes.add" }],
    });
  });

  test("exits with 1 for other differences: what was refused would be allowed, or a person asked", async () => {
    const home = preparedHome();
    const none = ["--policy", "none.json", "--record-trace"];
    await callNotes(home, "notes.add", { text: "x" }, [...none, "run.jsonl"]);
    expect((await home.run(tryOn("writer.json"))).code).toBe(1);
    await callNotes(home, "notes.add", { text: "x" }, ["--record-trace", "done.jsonl"]);
    const approvals = { requireForSideEffectAtOrAbove: "user_write" };
    home.write("asks.json", { maxSideEffect: "user_write", approvals });
    const asks = await home.run(["policy", "test", "asks.json", "--trace", "done.jsonl"]);
    expect(asks).toMatchObject({ code: 1, out: expect.stringContaining("ask at approval") });
  });

  test("counts only what an earlier answer does not expect, and what it expects in vain", async () => {
    const home = await recordedHome();
    home.write("expected.json", (await home.run(tryOn("none.json", "--json"))).out);
    const met = await home.run(tryOn("none.json", "--expect", "expected.json"));
    expect(met).toMatchObject({ code: 0, out: expect.stringMatching(/; 1 differ, 1 as expected\n$/) });
    const callId = await callIdIn(home, "run.jsonl");
    const vain = await home.run(tryOn("writer.json", "--expect", "expected.json"));
    expect(vain).toMatchObject({
      code: 1,
      out: expect.stringContaining(`${callId} was expected to differ, and does not so\n`),
    });
    home.write("denied.json", { maxSideEffect: "user_write", denyTools: ["notes.*"] });
    expect((await home.run(tryOn("denied.json", "--expect", "expected.json"))).code).toBe(3);
    const json = await home.run(tryOn("none.json", "--expect", "expected.json", "--json"));
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, unexpected: [], missing: [] });
    home.write("nothing.json", {});
    for (const file of ["nothing.json", "nowhere.json", "run.jsonl"]) {
      expect((await home.run(tryOn("none.json", "--expect", file))).code).toBe(2);
    }
  });

  test("takes a trace once that is given twice, one from the standard input, and what is journaled here", async () => {
    const home = await recordedHome();
    const counted = async (argv: readonly string[], input = "") => {
      const { out } = await home.run(["policy", "test", "writer.json", "--json", ...argv], { input });
      return (JSON.parse(out) as { counts: { calls: number } }).counts.calls;
    };
    const twice = ["--trace", "run.jsonl", "--trace", "run.jsonl"];
    expect(await counted(twice)).toBe(1);
    expect(await counted(["--trace", "-", "--trace", "-"], home.read("run.jsonl"))).toBe(1);
    const callId = await callIdIn(home, "run.jsonl");
    expect(await counted(["--trace", callId, "--data", "data"])).toBe(1);
    expect((await home.run(["policy", "test", "-", "--trace", "-"], { input: "{}" })).code).toBe(2);
  });

  test("B22: goes on from no trace that is broken, names it, and exits with 6; without any it is bad usage", async () => {
    const home = await recordedHome();
    home.write("broken.jsonl", home.read("run.jsonl").replace(String.raw`\"x\"`, String.raw`\"z\"`));
    const broken = tryOn("writer.json", "--trace", "broken.jsonl");
    const suggest = ["policy", "suggest", "--trace", "run.jsonl", "--trace", "broken.jsonl"];
    for (const argv of [broken, suggest]) {
      expect(await home.run(argv)).toMatchObject({
        code: 6,
        out: "",
        err: expect.stringMatching(
          /^error journal_corrupt: broken\.jsonl cannot be trusted: record 2 has content that was changed\n {2}what to do: Trust nothing of it/,
        ),
      });
    }
    expect((await home.run(["policy", "test", "writer.json"])).code).toBe(2);
    expect((await home.run(tryOn("run.jsonl"))).code).toBe(2);
  });

  test("has examples that work", async () => {
    const home = await recordedHome();
    home.write("policy.json", {});
    home.write("again.jsonl", home.read("failed.jsonl"));
    // The first two tell of a difference; the third expects it.
    expect((await runExamples(home, ["policy", "test"])).map(({ code }) => code)).toStrictEqual([3, 3, 0]);
  });
});

describe("sf policy suggest", () => {
  test("gives the least policy on the standard output, and beside it why each line is there", async () => {
    const home = await recordedHome();
    const { code, out, err } = await home.run([
      "policy",
      "suggest",
      "--trace",
      "run.jsonl",
      "--trace",
      "failed.jsonl",
    ]);
    expect({ code, policy: JSON.parse(out) as object }).toStrictEqual({
      code: 0,
      policy: { allowTools: ["notes.add", "notes.fail"], maxSideEffect: "user_write" },
    });
    const lines = err.trimEnd().split("\n");
    expect(lines.every((line) => line.startsWith("// "))).toBe(true);
    expect(lines).toContain("// Only these tools may be called: notes.add, notes.fail.");
    expect(err).toMatch(
      /\/\/ \/maxSideEffect "user_write": with a lower one, 1 call of notes\.add would be refused/,
    );
    home.write("least.json", out);
    const traces = ["--trace", "run.jsonl", "--trace", "failed.jsonl"];
    expect((await home.run(["policy", "test", "least.json", ...traces])).code).toBe(0);
  });

  test("writes a new file, and overwrites none", async () => {
    const home = await recordedHome();
    const suggest = ["policy", "suggest", "--trace", "run.jsonl", "-o", "least.json"];
    expect(await home.run(suggest)).toMatchObject({ code: 0, out: "" });
    expect(JSON.parse(home.read("least.json"))).toStrictEqual({
      allowTools: ["notes.add"],
      maxSideEffect: "user_write",
    });
    expect((await home.run(suggest)).code).toBe(2);
    const json = await home.run(["policy", "suggest", "--trace", "run.jsonl", "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, lines: [{ path: "/allowTools/0" }, {}] });
  });

  test("suggests nothing where nothing was done", async () => {
    const home = preparedHome();
    await callNotes(home, "notes.add", { text: "x" }, [
      "--policy",
      "none.json",
      "--record-trace",
      "run.jsonl",
    ]);
    const { out } = await home.run(["policy", "suggest", "--trace", "run.jsonl"]);
    expect(JSON.parse(out)).toStrictEqual({ allowTools: [] });
  });

  test("has examples that work", async () => {
    const home = await recordedHome();
    expect((await runExamples(home, ["policy", "suggest"])).map(({ code }) => code)).toStrictEqual([0, 0]);
  });
});
