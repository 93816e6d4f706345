import { describe, expect, test } from "vitest";
import { callNotes, preparedHome, recordedHome } from "../../test-data/recorded-home.ts";
import { runExamples } from "../../test-data/run-examples.ts";
import { type Home, unrulyPack } from "../../test-data/run-sf.ts";

const diff = (...argv: readonly string[]) => ["trace", "diff", ...argv];

/** The call of run.jsonl answered from it, and recorded again. */
async function replay(home: Home, argv: readonly string[] = []): Promise<void> {
  const call = ["call", "notes.add", "--replay-trace", "run.jsonl", "--input", '{"text":"x"}'];
  await home.run([...call, "--policy", "writer.json", "--record-trace", "again.jsonl", ...argv]);
}

describe("sf trace diff", () => {
  test("R2: finds a replay that was recorded equal to what it was replayed from, and exits with 0", async () => {
    const home = await recordedHome();
    await replay(home, ["--account", "somebody"]);
    const equal = "equal: run.jsonl and again.jsonl: 1 call, with the same outcomes\n";
    expect(await home.run(diff("run.jsonl", "again.jsonl"))).toStrictEqual({ code: 0, out: equal, err: "" });
    expect(await home.run(diff("run.jsonl", "again.jsonl", "--strict"))).toMatchObject({ code: 0 });
    const { out } = await home.run(diff("run.jsonl", "again.jsonl", "--json"));
    expect(JSON.parse(out)).toStrictEqual({
      ok: true,
      equal: true,
      calls: { a: 1, b: 1 },
      differences: [],
      law: [],
    });
  });

  test("finds a trace equal to itself, sealed or not, also from the standard input or the journal", async () => {
    const home = await recordedHome();
    const text = home.read("run.jsonl");
    home.write("open.jsonl", `${text.trimEnd().split("\n").slice(0, -1).join("\n")}\n`);
    const { out } = await home.run(["trace", "ls", "--data", "data", "--json"]);
    const segment = (JSON.parse(out) as { segments: { segment: string }[] }).segments[1]?.segment ?? "";
    for (const other of ["run.jsonl", "open.jsonl", "-", segment]) {
      const run = await home.run(diff("run.jsonl", other, "--data", "data"), { input: text });
      expect(run.code).toBe(0);
    }
    expect((await home.run(diff("-", "-"), { input: text })).code).toBe(2);
  });

  test("says which call differs in which place, both values, and exits with 1", async () => {
    const home = await recordedHome();
    await callNotes(home, "notes.add", { text: "y" }, ["--record-trace", "other.jsonl"]);
    expect(await home.run(diff("run.jsonl", "other.jsonl"))).toStrictEqual({
      code: 1,
      out: `call 1  notes.add  is another
  /input/text  "x" → "y"
  /output/count  1 → 2
different: run.jsonl (1 call) and other.jsonl (1): 1 difference
`,
      err: "",
    });
    expect(await home.run(diff("run.jsonl", "failed.jsonl"))).toStrictEqual({
      code: 1,
      out: `call 1  notes.add  only in run.jsonl
call 1  notes.fail  only in failed.jsonl
different: run.jsonl (1 call) and failed.jsonl (1): 2 differences
`,
      err: "",
    });
    const { out, code } = await home.run(diff("run.jsonl", "other.jsonl", "--json"));
    expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({ code: 1, ok: false, equal: false });
  });

  test("tells another policy apart, and counts it with --strict alone", async () => {
    const home = await recordedHome();
    home.write("writer.json", { maxSideEffect: "paper_trade" });
    await replay(home);
    const loose = await home.run(diff("run.jsonl", "again.jsonl"));
    expect(loose).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^note: 1 call made under another policy\nequal: /),
    });
    const strict = await home.run(diff("run.jsonl", "again.jsonl", "--strict"));
    expect(strict).toMatchObject({
      code: 1,
      out: expect.stringMatching(/\ndifferent: .*: made under another law\n$/),
    });
  });

  test("B22: holds nothing against a trace that is broken or empty, and names it", async () => {
    const home = await recordedHome();
    home.write("broken.jsonl", home.read("run.jsonl").replace(String.raw`\"x\"`, String.raw`\"z\"`));
    home.write("empty.jsonl", "");
    for (const name of ["broken.jsonl", "empty.jsonl"]) {
      const runs = await Promise.all([
        home.run(diff("run.jsonl", name)),
        home.run(diff(name, "run.jsonl", "--json")),
      ]);
      expect(runs.map(({ code }) => code)).toStrictEqual([6, 6]);
      for (const { err } of runs) expect(err).toContain(`error journal_corrupt: ${name} cannot be trusted: `);
    }
    expect((await home.run(diff("run.jsonl", "none.jsonl"))).code).toBe(2);
  });

  test("lets nothing in a trace drive the terminal", async () => {
    const home = preparedHome();
    for (const [tool, file] of [
      ["unruly.shout", "a.jsonl"],
      ["unruly.\u001b[31m\u202ered", "b.jsonl"],
    ] as const) {
      await home.run(["call", tool, "--pack", unrulyPack, "--record-trace", file]);
    }
    const { out } = await home.run(diff("a.jsonl", "b.jsonl"));
    expect(out).toContain("unruly.\\u001b[31m\\u202ered");
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test("has examples that work", async () => {
    const home = await recordedHome();
    await replay(home);
    expect((await runExamples(home, ["trace", "diff"])).map(({ code }) => code)).toStrictEqual([0, 0]);
  });
});
